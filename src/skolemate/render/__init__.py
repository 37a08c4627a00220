"""Positions as pictures: plain text and SVG, each one pure function."""

from skolemate.render.board import board
from skolemate.render.svg import svg
from skolemate.render.text import text
from skolemate.render.words import move_names, status

__all__ = ["board", "move_names", "status", "svg", "text"]
