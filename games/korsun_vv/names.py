"""The names that positions and logs keep: sides, marks, boxes off the map, tracks."""

GERMAN, RUSSIAN = "german", "russian"

# Marks; marks.toml says what they mean to a player.
ACTIVATED = "activated"
ALLOTMENT = "allotment"
BANK = "bank opened"
BREAKTHROUGH = "breakthrough"  # on a hex: the side it serves
COMMAND = "command"
OUT, ANOTHER = "out", "another HQ"  # what it may say
DISORGANIZED = "disorganized"
DUG_IN = "dug in"
DUTY = "must attack"
FATIGUED = "fatigued"
FIGHTING = "fighting"
FORMATION = "formation"
PASSED = "passed"
POCKET = "pocket"
POINTS = "ap"
REFITTED = "refitted"
STRIDE = "stride"
SUPPLY = "supply"
ISOLATED, UNSUPPLIED, BY_AIR = "isolated", "unsupplied", "air"  # what it may say
TOP = "top"
ACTION_MARKS = (POINTS, ALLOTMENT, STRIDE, DUTY, BANK)  # come off with an activation
TURN_MARKS = (ACTIVATED, BREAKTHROUGH, DISORGANIZED, REFITTED, PASSED)  # come off with a turn
STRENGTH_MARKS = (FATIGUED, DISORGANIZED, SUPPLY)  # what halves a unit (1.3-b)

# Boxes.
FREE, ALARM = "free", "alarm"  # of units that their owner places
DNEPR, AFTER_POCKET = "Dnepr", "after the pocket"  # of units that no turn brings (13.3, 18.2.1-e)
RESERVE = "reserve"  # of HQ Stemmermann before the pocket
REMOVED = "removed"  # of HQs that Gruppe Stemmermann replaced
GONE = "out of the game"

# Tracks.
ALONE = "alone"  # sequences that a side has made since the other was exhausted
HELD = "pocket units"  # how many the pocket held when it formed
SURPRISE = "surprise"  # formations of the first sequence of turn 1
