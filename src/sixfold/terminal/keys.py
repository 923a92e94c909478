"""The key bar at the bottom of a screen; each entry is labelled in the player's language and can be clicked."""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.widgets import Static

from sixfold.language import say


class Key(NamedTuple):
    """A key's caption, the screen action it triggers, and the translation key of its label."""

    shown: str
    action: str
    label: str


RULES, LANGUAGE, QUIT = (
    Key("r", "rules", "key_rules"),
    Key("l", "language", "key_language"),
    Key("q", "quit", "key_quit"),
)


class Keys(Static):
    """The key bar of a screen; entries beyond its width are cut off."""

    DEFAULT_CSS = "Keys { dock: bottom; height: 1; background: $panel; color: $text; }"

    def show(self, keys: Sequence[Key], language: str) -> None:
        parts = [
            Content.from_markup(
                f"[@click=screen.{key.action}][b]$shown[/b] $label[/]", shown=key.shown, label=say(key.label, language)
            )
            for key in keys
        ]
        self.update(Content("  ").join(parts))
