"""Games described in BDDL, the board-game domain definition language of Shaik and van de Pol.

`model` is the language as data, `meaning` its definitions taken word by word, `ground` the same as
masks, `analysis` the sanity conditions and the longest play, `game` the model as a game, and
`positional` writes a positional game as a model.
"""

from skolemate.games.bddl.game import BddlGame
from skolemate.games.bddl.model import Model

__all__ = ["BddlGame", "Model"]
