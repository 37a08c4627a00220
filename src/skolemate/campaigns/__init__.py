"""Campaigns: many questions, asked in many ways, measured, kept and compared.

A suite (a small TOML file) lists what is asked; the runner has it done by an executor, in
processes of their own, and keeps one row per run in a store; the report shows the rows beside
what was published.
"""
