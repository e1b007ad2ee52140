"""The engine's errors that are told in a sentence: whoever typed or wrote something can put it right."""

from engine.bots import Endless, Stuck
from engine.campaign import CannotResume, LogExists, NoSecret
from engine.drawing import BadMap
from engine.facts import UnknownFact
from engine.folder import NoSuchScenario
from engine.game import NoSuchOption
from engine.hexes import NoSuchHex
from engine.ledger import BadLedger, NoSuchCase
from engine.log import DamagedLog, LogMoved, NoWayBack
from engine.pieces import BadCounters, NoSuchUnit
from engine.refusals import Refusal

KNOWN = (
    *(BadCounters, BadLedger, BadMap, CannotResume, DamagedLog, Endless, LogExists, LogMoved, NoSecret, NoSuchCase),
    *(NoSuchHex, NoSuchOption, NoSuchScenario, NoSuchUnit, NoWayBack, Refusal, Stuck, UnknownFact),
)
