"""How the pictures look: colours and lines, as a style sheet that a page can override.

Every rule begins with `.skolemate`, so the page around a picture is left alone. The marks are
told apart by shape as well as by colour, and the colours (blue, vermilion, violet) by people
with any kind of colour vision. The card behind the board makes both backgrounds, light and
dark, the same.
"""

from __future__ import annotations

__all__ = ["STYLE"]

RULES = {
    ".card": "fill: #e6d8b9",
    ".cell": "fill: #f6edd8; stroke: #a08e69; stroke-width: 1.2; stroke-linejoin: round",
    ".cell.highlight": "fill: #a8d4f0; stroke: #0072b2; stroke-width: 3",
    ".ghosts": "opacity: 0.38; pointer-events: none",
    ".frame": "fill: none; stroke: #5e4f30; stroke-width: 5; pointer-events: none",
    ".edge": "fill: none; stroke: #8a7850; stroke-width: 2",
    ".side": "fill: #cdbd99; stroke: #5e4f30; stroke-width: 1; stroke-linejoin: round",
    ".side.black": "fill: #22242a",
    ".side.white": "fill: #ffffff",
    ".border": "fill: none; stroke: #22242a; stroke-width: 4.4; pointer-events: none",
    ".border.white": "stroke: #ffffff; stroke-width: 2.6",
    ".border.to": "stroke-dasharray: 6 4",
    ".dot": "stroke: #22242a; stroke-width: 1; pointer-events: none",
    ".dot.black": "fill: #22242a",
    ".dot.white": "fill: #ffffff",
    ".stone": "stroke-width: 1.4; pointer-events: none",
    ".stone.black": "fill: #1a1c21; stroke: #000000",
    ".stone.white": "fill: #ffffff; stroke: #4a4030",
    ".last": "fill: none; stroke: #d55e00; stroke-width: 3.4; pointer-events: none",
    ".arrow": "fill: #5e3c99; fill-opacity: 0.9; stroke: #ffffff; stroke-width: 1; "
    "stroke-linejoin: round; pointer-events: none",
    "circle.arrow": "fill: none; stroke: #5e3c99; stroke-width: 3",
    "text": "font-family: system-ui, 'DejaVu Sans', sans-serif; fill: #4a3e24; "
    "pointer-events: none; user-select: none",
    ".number": "font-weight: 600; fill: #1a1c21",
    ".number.black": "fill: #ffffff",
}

STYLE = (
    "".join(f"\n  .skolemate {selector} {{ {rule} }}" for selector, rule in RULES.items()) + "\n "
)
