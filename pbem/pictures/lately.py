"""What a picture tells: the phase that is on, or the one before while nothing has been done in it."""

from __future__ import annotations

from collections.abc import Sequence

from engine import facts as f

_DEEDS = (f.Moved, f.Fought, f.Eliminated, f.StepLost, f.TookHex)


def lately(facts: Sequence[f.Fact]) -> list[f.Fact]:
    """The facts since the last phase began in which anybody moved or fought."""
    done = len(facts)
    for index in range(len(facts) - 1, -1, -1):
        if isinstance(facts[index], f.StageBegan):
            phase = facts[index:done]
            if any(isinstance(fact, _DEEDS) for fact in phase):
                return list(facts[index:])
            done = index
    return list(facts)
