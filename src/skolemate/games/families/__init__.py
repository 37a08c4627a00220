"""The families of games. Every module here registers its own on import (see `games.family`)."""
