"""Strategies and their checkers. Judged here with `games` alone, whatever produced them."""

from skolemate.strategies.blocking import Blocking, Pairs, blocks, pairs_hold

__all__ = ["Blocking", "Pairs", "blocks", "pairs_hold"]
