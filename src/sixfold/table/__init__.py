"""A table without any I/O: actions become events, events become each seat's view."""

from sixfold.table.actions import ACTIONS, Actor, carry, decide, due, make, tick
from sixfold.table.positions import view_of
from sixfold.table.setup import REACTIONS, Seat, Setup, TableRefused, clean_name
from sixfold.table.table import Event, Table
from sixfold.table.views import heard, seen

__all__ = [
    "ACTIONS",
    "REACTIONS",
    "Actor",
    "Event",
    "Seat",
    "Setup",
    "Table",
    "TableRefused",
    "carry",
    "clean_name",
    "decide",
    "due",
    "heard",
    "make",
    "seen",
    "tick",
    "view_of",
]
