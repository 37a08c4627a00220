"""Positions as pictures: plain text and SVG, each one pure function."""

from skolemate.render.board import board
from skolemate.render.svg import svg
from skolemate.render.text import text
from skolemate.render.words import status

__all__ = ["board", "status", "svg", "text"]
