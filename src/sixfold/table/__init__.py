"""A table without any I/O: actions become events, and events become each seat's view."""

from sixfold.table.actions import ACTIONS, ALWAYS, Actor, Step, carry, credit, decide, due, make, tick
from sixfold.table.events import Event
from sixfold.table.positions import view_of
from sixfold.table.setup import PORTRAITS, REACTIONS, Seat, Setup, TableRefused, clean_name
from sixfold.table.table import Table
from sixfold.table.views import heard, heard_alike, of_moment, of_round, of_seat, seen

__all__ = [
    "ACTIONS",
    "ALWAYS",
    "PORTRAITS",
    "REACTIONS",
    "Actor",
    "Event",
    "Seat",
    "Setup",
    "Step",
    "Table",
    "TableRefused",
    "carry",
    "clean_name",
    "credit",
    "decide",
    "due",
    "heard",
    "heard_alike",
    "make",
    "of_moment",
    "of_round",
    "of_seat",
    "seen",
    "tick",
    "view_of",
]
