"""How fast it is: every rulebook on a whole campaign by sensible bots, each figure with its workload."""

import gc
from collections.abc import Callable
from itertools import count
from typing import Any

import games
from engine.bots import play
from engine.campaign import Campaign
from engine.game import Rulebook
from pbem.workshop.bench import engine_figures, letter_figures, picture_figures
from pbem.workshop.bench.goals import Figures, Goals
from pbem.workshop.bench.played import Played, Progress, bots_for, untold

MEASURES = (*engine_figures.MEASURES, *picture_figures.MEASURES, *letter_figures.MEASURES, picture_figures.board)


def bench(name: str = "", seed: int = 1944, progress: Progress = untold) -> dict[str, dict[str, Any]]:
    """The figures of a rulebook, or of every one on the shelf."""
    books = {name: games.rulebook(name)} if name else games.rulebooks()
    gc.collect()
    gc.freeze()  # as the daemon does: litter is not looked for in what is loaded
    steps = count(1)

    def done() -> None:
        progress(next(steps), len(books) * (len(MEASURES) + 1))

    return {id_: _measured(book, seed, done) for id_, book in books.items()}


def _measured(book: Rulebook, seed: int, done: Callable[[], None]) -> dict[str, Any]:
    goals = Goals.of(book.bench)
    game = book.game(goals.scenario)
    campaign = Campaign.new(None, game, seed=seed)
    play(game, bots_for(game, seed), campaign=campaign)
    done()
    played = Played(game, seed, campaign.secret, campaign.lines())
    figures: Figures = []
    for measure in MEASURES:
        figures += measure(played)
        done()
    return {**goals.held_against(figures), "seed": seed}
