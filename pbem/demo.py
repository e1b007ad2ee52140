"""`python -m pbem.demo GAME --out FOLDER`: what `make demo` runs."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.terminal import progress
from pbem.workshop.demonstrating.demonstration import Demonstration


def main(
    game: Annotated[str, typer.Argument(help="A rulebook, as `pbem games` lists it.")],
    out: Annotated[Path, typer.Option("--out", help="The folder that everything is left in.")],
    scenario: str = "",
    turns: Annotated[int, typer.Option(min=1)] = 2,
    seed: int = 44,
    pictures: Annotated[bool, typer.Option(help="Maps in the letters.")] = True,
) -> None:
    """Bots play some turns by real mail, one for each chair."""
    said: list[str] = []
    course = Demonstration(game, out.resolve(), scenario=scenario, turns=turns, seed=seed, pictures=pictures)
    typer.echo(f"{course.about} The daemon at the other end is `pbem serve`.")
    with progress("playing by mail") as bar:

        def tell(what: str, turn: int, of: int) -> None:
            bar(turn - 1 if turn else 0, of)
            if said[-1:] != [what]:
                said.append(what)
                typer.echo(f"  {what}")

        played = course.play(tell)
    wrote = ", ".join(f"{who} wrote {number}" for who, number in played.written.items())
    typer.echo(f"{played.mails} mails in {played.seconds:.0f} seconds; {wrote}.")
    for who, turns_of in played.by_turn.items():
        typer.echo(f"Mails of {who}: {', '.join(f'{number} in turn {turn}' for turn, number in turns_of.items())}.")
    each = [number for turns_of in played.by_turn.values() for number in turns_of.values()]
    typer.echo(f"{sum(each) / max(1, len(each)):.2f} mails a player-turn.")
    typer.echo(
        "The log does not verify: " + played.faults[0] if played.faults else "The log verifies: chain, dice, rules."
    )
    typer.echo(f"Open {played.index}")
    if played.faults:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
