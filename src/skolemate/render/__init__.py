"""Positions as pictures: plain text and SVG, each one pure function."""

from skolemate.render.svg import board, svg
from skolemate.render.text import move_names, status, text

__all__ = ["board", "move_names", "status", "svg", "text"]
