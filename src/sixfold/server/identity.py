"""Identity: guests have a signed cookie, bot programs a token; signed links invite guests and transfer seats.

Everything signed carries a time and an id, so it expires and can be revoked individually.
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
# An older cookie is renewed on the guest's next visit.
RENEW_SECONDS = 30 * _DAY
TOKEN_SECONDS = 365 * _DAY
INVITATION_SECONDS = 365 * _DAY
TRANSFER_SECONDS = 600


@dataclass(frozen=True)
class Guest:
    """A user with a name but no password. Cookies and tokens are revoked by this id."""

    id: str
    name: str
    bot: bool = False
    portrait: str = ""


@dataclass(frozen=True)
class TransferLink:
    """A link that transfers a seat to another device; its id makes it usable only once."""

    id: str
    table: str
    seat: int
    holder: str


class Signer:
    """Signs and verifies cookies, tokens and links, with a separate salt for each purpose."""

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
        """A token for the operator's own bots: it may play any bot's seat at any table."""
        return self._write("worker", [secrets.token_urlsafe(12)])

    def invitation(self, table: str) -> str:
        return self._write("invitation", [table])

    def transfer_link(self, table: str, seat: int, guest: str) -> str:
        return self._write("carry", [secrets.token_urlsafe(12), table, seat, guest])

    def guest(self, cookie: str | None, authorization: str | None) -> Guest | None:
        """The guest a request comes from; an invalid, expired or revoked cookie counts as none."""
        token = (authorization or "").removeprefix("Bearer ")
        if token and (payload := self._read("bot", token, TOKEN_SECONDS)) is not None:
            return Guest(payload[0], payload[1], bot=True)
        if cookie and (payload := self._read("guest", cookie, COOKIE_SECONDS)) is not None:
            # Cookies from before portraits existed have none.
            return Guest(payload[0], payload[1], portrait=payload[2] if len(payload) > 2 else "")
        return None

    def needs_renewal(self, cookie: str | None) -> bool:
        """Is a cookie so old that it should be renewed?"""
        return cookie is not None and self._read("guest", cookie, RENEW_SECONDS) is None

    def is_worker(self, authorization: str | None) -> bool:
        return self._read("worker", (authorization or "").removeprefix("Bearer "), TOKEN_SECONDS) is not None

    def invited_to(self, token: str) -> str:
        payload = self._read("invitation", token, INVITATION_SECONDS)
        if payload is None:
            raise TableRefused("link_bad")
        return str(payload[0])

    def read_transfer_link(self, token: str) -> TransferLink:
        """Verify a transfer link that is at most ten minutes old."""
        payload = self._signed("carry", token, TRANSFER_SECONDS)
        if payload is None:
            raise TableRefused("link_bad")
        return TransferLink(*payload)

    def id_of(self, token: str) -> str | None:
        """The id of a cookie or token, by which it is revoked."""
        for purpose, seconds in (("guest", COOKIE_SECONDS), ("bot", TOKEN_SECONDS), ("worker", TOKEN_SECONDS)):
            if (payload := self._read(purpose, token, seconds)) is not None:
                return str(payload[0])
        return None

    def hash_address(self, address: str) -> str:
        """A keyed hash of an address, which may be stored in its place."""
        return hmac.new(self._secret.encode(), b"origin " + address.encode(), hashlib.sha256).hexdigest()[:16]

    def _write(self, purpose: str, value: list[Any]) -> str:
        return str(URLSafeTimedSerializer(self._secret, salt=purpose).dumps(value))

    def _read(self, purpose: str, text: str, seconds: int) -> Any:
        """The signed payload, unless it was revoked; its first item is its id."""
        payload = self._signed(purpose, text, seconds)
        return None if payload is None or payload[0] in self.revoked else payload

    def _signed(self, purpose: str, text: str, seconds: int) -> list[Any] | None:
        try:
            payload = URLSafeTimedSerializer(self._secret, salt=purpose).loads(text, max_age=seconds)
        except BadData:
            return None
        return payload if isinstance(payload, list) else None
