"""Skolemate: can this player force a win within d moves, and how?"""
