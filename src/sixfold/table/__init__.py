"""A table without any I/O: actions become events, and events become each seat's view."""

from sixfold.table.actions import ACTIONS, ALWAYS, Actor, Step, credit, decide, due, make, tick, transfer
from sixfold.table.events import Event
from sixfold.table.positions import view_of
from sixfold.table.setup import PORTRAITS, REACTIONS, Seat, Setup, TableRefused, clean_name
from sixfold.table.table import Table
from sixfold.table.views import event_view, moment_view, round_view, seat_view, table_view

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
    "clean_name",
    "credit",
    "decide",
    "due",
    "event_view",
    "make",
    "moment_view",
    "round_view",
    "seat_view",
    "table_view",
    "tick",
    "transfer",
    "view_of",
]
