"""The tables as they were when versions began.

A database from before then has no version: what it lacks of these tables it gets, and its rows stay.
"""

import sqlalchemy as sa
from alembic import op

from pbem.store.column_words import columns

revision, down_revision = "0001", None

COLUMNS = {
    "duel": "id:number# compared:number since:moment? ended winner closed:flag",
    "kept_letter": "id# game_id* to message_id* subject key text:octets markup:octets queued:moment",
    "mail_in": """id# box uid:number message_id* digest* content* raw sender* subject received:moment state* why
        tries:number game_id* side line:number? line_hash""",
    "mail_out": """id# key! cause* to* game_id* message_id subject raw:octets state* tries:number next_try:moment
        queued:moment sent:moment? error""",
    "outage": "id:number# since:moment until:moment why told:flag",
    "player": "id:number# address!* name zone pictures answered:number late:number missed:number seconds:number",
    "pulse": "id:number#=1 ran:moment monotonic:real fetched:moment? sent:moment? up:moment?",
    "game": """id# rulebook scenario options:data settings:data state* moderator moderator_token* title commit
        created:moment paused_at:moment? pause_began:moment? pause_ended:moment? duel_id>duel*?""",
    "wish": "player_id>player# what# value",
    "due": """id:number# game_id>game* side key kind prompt asked:moment due:moment? reminded:number outage:number?
        moved:number""",
    "press": "id:number# game_id>game* side turn:number at:moment text",
    "seat": """id:number# game_id>game* side player_id>player? bot token!* nonce_commit nonce joined:flag waiting:flag
        away_until:moment? extensions:number draw_offered:flag press_printed:flag undo_wanted:number?
        reported:number=-1 map_sent unheard:number unheard_since:number?""",
    "spectator": "id:number# game_id>game* address delay_hours:number reported:number=-1 token*",
    "address_request": """id:number# seat_id>seat! player_id>player address* second:flag word token confirmed:flag
        asked:moment""",
    "calendar_entry": "seat_id>seat# player_id>player# sequence:number due:moment? off:flag",
    "former_token": "token# seat_id>seat* player_id>player",
    "invitation": """id:number# game_id>game* seat_id>seat* player_id>player token* state* asked:moment
        step:number""",
    "second_address": "id:number# seat_id>seat* player_id>player address*",
}
ONE_OF_A_SIDE = ("due", "seat")

TABLES = sa.MetaData()
for name, words in COLUMNS.items():
    alone = [sa.UniqueConstraint("game_id", "side")] if name in ONE_OF_A_SIDE else []
    sa.Table(name, TABLES, *columns(words), *alone)


def upgrade() -> None:
    bind = op.get_bind()
    there = sa.inspect(bind)
    for table in TABLES.sorted_tables:
        if there.has_table(table.name):
            _grow(there, table)
    TABLES.create_all(bind)


def _grow(there: sa.Inspector, table: sa.Table) -> None:
    """Columns that a table has gained since it was made: empty in old rows, or what new ones begin with."""
    known = {column["name"] for column in there.get_columns(table.name)}
    for column in table.columns:
        if column.name not in known:
            old = None if column.nullable else sa.text(repr(getattr(column.default, "arg", "")))
            op.add_column(table.name, sa.Column(column.name, column.type, nullable=column.nullable, server_default=old))
    indexed = {index["name"] for index in there.get_indexes(table.name)}
    for index in table.indexes:
        if index.name not in indexed:
            index.create(op.get_bind())
