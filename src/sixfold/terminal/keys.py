"""The line at the bottom: what keys do here, in the player's language; each can be clicked."""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.widgets import Static

from sixfold.language import say


class Key(NamedTuple):
    """A key as it is shown, the action of the screen it stands for, and the sentence of its label."""

    shown: str
    action: str
    label: str


class Keys(Static):
    """The keys of a screen, as many as fit."""

    DEFAULT_CSS = "Keys { dock: bottom; height: 1; background: $panel; color: $text; }"

    def show(self, keys: Sequence[Key], language: str) -> None:
        parts = [
            Content.from_markup(
                f"[@click=screen.{key.action}][b]$shown[/b] $label[/]", shown=key.shown, label=say(key.label, language)
            )
            for key in keys
        ]
        self.update(Content("  ").join(parts))
