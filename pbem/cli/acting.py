"""The house found by the settings, or one sentence about why it is not."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from pbem.cli.terminal import CannotDo
from pbem.house import House
from pbem.house.settings import Settings

T = TypeVar("T")


def settings_in_force() -> Settings:
    """The settings, or one sentence about what is wrong with them. Raises CannotDo."""
    try:
        return Settings()
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CannotDo(f"the settings are wrong at {where}: {first['msg'].lower()}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise CannotDo(f"the settings file is not TOML: {wrong}") from None
    except ValueError as wrong:
        raise CannotDo(f"the settings cannot be read: {wrong}") from None


def opened(open_it: Callable[[Settings], T], settings: Settings) -> T:
    """What opens the database. Raises CannotDo, WrongVersion, HouseTrouble."""
    try:
        return open_it(settings)
    except ModuleNotFoundError:
        raise CannotDo("the database needs a driver: `pip install 'fieldpost[postgres]'`") from None
    except (SQLAlchemyError, ImportError) as wrong:  # a URL that is none
        raise CannotDo(f"the database cannot be opened: {str(wrong).splitlines()[0]}") from None


@contextmanager
def at_home(worker: str = "") -> Iterator[House]:
    """The house that the settings name; a worker has a home of its own in it. Raises CannotDo."""
    settings = settings_in_force()
    if worker:
        settings = settings.model_copy(update={"home": settings.home / worker})
    with closing(opened(House, settings)) as house:
        yield house
