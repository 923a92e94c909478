"""Who somebody is: a guest by a signed cookie, a bot program by a token; and links that hand over a seat.

Everything that is signed has a time and an id: it expires, and can be made void one by one.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer

from sixfold.table import TableRefused

COOKIE = "sixfold_guest"
_DAY = 24 * 3600
COOKIE_SECONDS = 365 * _DAY
# A cookie that is older than this is written anew when its guest comes by.
RENEW_SECONDS = 30 * _DAY
TOKEN_SECONDS = 365 * _DAY
INVITATION_SECONDS = 365 * _DAY
CARRY_SECONDS = 600


@dataclass(frozen=True)
class Guest:
    """Somebody with a name, and without a password. To revoke a cookie or a token is to revoke its id."""

    id: str
    name: str
    bot: bool = False
    portrait: str = ""


@dataclass(frozen=True)
class CarryLink:
    """A seat that goes to another device; the link's own id says whether it was used."""

    id: str
    table: str
    seat: int
    holder: str


class Signer:
    """Signs and reads everything that comes back from outside; each purpose has a signature of its own."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self.revoked: set[str] = set()

    def new_guest(self, name: str, bot: bool = False, portrait: str = "") -> Guest:
        return Guest(secrets.token_urlsafe(12), name, bot, portrait)

    def cookie(self, guest: Guest) -> str:
        return self._write("guest", [guest.id, guest.name, guest.portrait])

    def bot_token(self, guest: Guest) -> str:
        return self._write("bot", [guest.id, guest.name])

    def worker_token(self) -> str:
        """For the operator's own bots: it may play every bot's seat at every table."""
        return self._write("worker", [secrets.token_urlsafe(12)])

    def invitation(self, table: str) -> str:
        return self._write("invitation", [table])

    def carry_link(self, table: str, seat: int, guest: str) -> str:
        return self._write("carry", [secrets.token_urlsafe(12), table, seat, guest])

    def guest(self, cookie: str | None, authorization: str | None) -> Guest | None:
        """Who a request comes from; a cookie that is unreadable, too old or revoked is as good as none."""
        token = (authorization or "").removeprefix("Bearer ")
        if token and (told := self._read("bot", token, TOKEN_SECONDS)) is not None:
            return Guest(told[0], told[1], bot=True)
        if cookie and (told := self._read("guest", cookie, COOKIE_SECONDS)) is not None:
            # A cookie that was given before there were portraits has none.
            return Guest(told[0], told[1], portrait=told[2] if len(told) > 2 else "")
        return None

    def grows_old(self, cookie: str | None) -> bool:
        """Is it time to write a good cookie anew?"""
        return cookie is not None and self._read("guest", cookie, RENEW_SECONDS) is None

    def is_worker(self, authorization: str | None) -> bool:
        return self._read("worker", (authorization or "").removeprefix("Bearer "), TOKEN_SECONDS) is not None

    def invited_to(self, token: str) -> str:
        told = self._read("invitation", token, INVITATION_SECONDS)
        if told is None:
            raise TableRefused("link_bad")
        return str(told[0])

    def carried(self, token: str) -> CarryLink:
        """What a link says that is not older than ten minutes."""
        told = self._signed("carry", token, CARRY_SECONDS)
        if told is None:
            raise TableRefused("link_bad")
        return CarryLink(*told)

    def id_of(self, token: str) -> str | None:
        """The id of a cookie or token, by which it is revoked."""
        for purpose, seconds in (("guest", COOKIE_SECONDS), ("bot", TOKEN_SECONDS), ("worker", TOKEN_SECONDS)):
            if (told := self._read(purpose, token, seconds)) is not None:
                return str(told[0])
        return None

    def mark(self, address: str) -> str:
        """An address as it may be stored: the same for the same address, and for nobody else to read."""
        return hmac.new(self._secret.encode(), b"origin " + address.encode(), hashlib.sha256).hexdigest()[:16]

    def _write(self, purpose: str, value: list[Any]) -> str:
        return str(URLSafeTimedSerializer(self._secret, salt=purpose).dumps(value))

    def _read(self, purpose: str, text: str, seconds: int) -> Any:
        """What was signed, if it was not revoked; its first item is its id."""
        told = self._signed(purpose, text, seconds)
        return None if told is None or told[0] in self.revoked else told

    def _signed(self, purpose: str, text: str, seconds: int) -> list[Any] | None:
        try:
            told = URLSafeTimedSerializer(self._secret, salt=purpose).loads(text, max_age=seconds)
        except BadData:
            return None
        return told if isinstance(told, list) else None
