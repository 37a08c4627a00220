"""Campaigns: many questions, answered in many ways, measured, stored and compared.

A suite (a small TOML file) lists the questions and means; the runner passes jobs to an executor,
which runs each in a process of its own, and stores one row per job; the report shows the rows
beside published figures.
"""
