"""Who somebody is: a guest by a signed cookie, a bot program by a token; and links that hand over a seat."""

import secrets
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadData, URLSafeSerializer, URLSafeTimedSerializer

from sixfold.table import TableRefused

COOKIE = "sixfold_guest"
COOKIE_SECONDS = 365 * 24 * 3600
CARRY_SECONDS = 600


@dataclass(frozen=True)
class Guest:
    """Somebody with a name, and without a password."""

    id: str
    name: str
    bot: bool = False
    portrait: str = ""


class Signer:
    """Signs and reads everything that comes back from outside; each purpose has a signature of its own."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def new_guest(self, name: str, bot: bool = False, portrait: str = "") -> Guest:
        return Guest(secrets.token_urlsafe(12), name, bot, portrait)

    def cookie(self, guest: Guest) -> str:
        return self._write("guest", [guest.id, guest.name, guest.portrait])

    def bot_token(self, guest: Guest) -> str:
        return self._write("bot", [guest.id, guest.name])

    def worker_token(self) -> str:
        """For the operator's own bots: it may play every bot's seat at every table."""
        return self._write("worker", secrets.token_urlsafe(12))

    def invitation(self, table: str) -> str:
        return self._write("invitation", table)

    def carry_link(self, table: str, seat: int, guest: str) -> str:
        return str(URLSafeTimedSerializer(self._secret, salt="carry").dumps([table, seat, guest]))

    def guest(self, cookie: str | None, authorization: str | None) -> Guest | None:
        """Who a request comes from; an unreadable cookie is as good as none."""
        token = (authorization or "").removeprefix("Bearer ")
        if token and (told := self._read("bot", token)) is not None:
            return Guest(told[0], told[1], bot=True)
        if cookie and (told := self._read("guest", cookie)) is not None:
            # A cookie that was given before there were portraits has none.
            return Guest(told[0], told[1], portrait=told[2] if len(told) > 2 else "")
        return None

    def is_worker(self, authorization: str | None) -> bool:
        return self._read("worker", (authorization or "").removeprefix("Bearer ")) is not None

    def invited_to(self, token: str) -> str:
        table = self._read("invitation", token)
        if not isinstance(table, str):
            raise TableRefused("link_bad")
        return table

    def carried(self, token: str) -> tuple[str, int, str]:
        """The table, the seat and its holder of a link that is not older than ten minutes."""
        try:
            table, seat, guest = URLSafeTimedSerializer(self._secret, salt="carry").loads(token, max_age=CARRY_SECONDS)
        except BadData:
            raise TableRefused("link_bad") from None
        return table, seat, guest

    def _write(self, purpose: str, value: object) -> str:
        return str(URLSafeSerializer(self._secret, salt=purpose).dumps(value))

    def _read(self, purpose: str, text: str) -> Any:
        try:
            return URLSafeSerializer(self._secret, salt=purpose).loads(text)
        except BadData:
            return None
