"""LIFTED: any BDDL game, without grounding (Shaik and van de Pol 2023, §4)."""

from dataclasses import replace

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.decoding import decided
from skolemate.encodings.parts.grid import ActionCodes, grid_script, state_game
from skolemate.encodings.parts.problems import open_sets, trimmed_turns
from skolemate.formula import CircuitBuilder
from skolemate.games.bddl.model import Goals, Model
from skolemate.games.bddl.positional import placement_model, set_goals
from skolemate.games.game import Player, Question
from skolemate.games.positional import PositionalGame

PAPER = "Shaik, van de Pol: Concise QBF Encodings for Games on a Grid, 2023"


@encoding("lifted", paper=PAPER, views=("bddl",))
def lifted(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """One cell for all, chosen by ∀, and relative conditions; all BDDL games. A circuit."""
    game = question.game
    if game.start.winner is not None:
        return decided(self, question, game.start.winner is Player.BLACK)
    # After the horizon the game is a draw; BDDL has no draws and would count a win.
    bound = question.depth if game.horizon is None else min(question.depth, game.horizon)
    depth = max(game.deciding_plies(Player.BLACK, bound))
    model = _positional(question) if isinstance(game, PositionalGame) else game.bddl()
    if depth == 0 or (isinstance(game, PositionalGame) and not model.goals_of(Player.BLACK)):
        return decided(self, question, False)
    builder = CircuitBuilder()
    statement = state_game(builder, model, depth)
    codes = ActionCodes(game, model.height, statement.turns)
    return Encoded(
        question,
        self,
        builder.circuit(),
        codes.first_move,
        codes.play,
        write_script=lambda: grid_script(codes, model, statement),
    )


def _positional(question: Question) -> Model:
    """The model of a positional game, without winning sets that are too large for the depth."""
    game = question.game
    assert isinstance(game, PositionalGame)
    model = placement_model(game)
    schedule = trimmed_turns(question, game.turns_ahead or ())

    def goals(player: Player) -> Goals:
        limit, start = schedule.count(player), game.start
        own, enemy = start.stones(player), start.stones(player.opponent)
        if player is Player.BLACK and game.offers("connection"):
            return set_goals(model, player, open_sets(question, player, limit))
        view = game.hypergraph()
        sets = view.black_sets if player is Player.BLACK else view.white_sets
        return set_goals(
            model,
            player,
            sets or (),
            lambda winning: not winning & enemy and (winning & ~own).bit_count() <= limit,
        )

    black = goals(Player.BLACK)
    return replace(model, goals=(black, () if game.is_maker_breaker else goals(Player.WHITE)))
