"""Upkeep: tables whose time is over go, and what was revoked on another node is void here too."""

import asyncio
import json
import logging
import os
from pathlib import Path

from sixfold.server.identity import Signer
from sixfold.server.storage import StorageDown
from sixfold.server.tables import Hub, now
from sixfold.table import TableRefused

REVOKED_SECONDS = 5.0
EXPIRE_SECONDS = 600.0
AT_ONCE = 100
_DAY = 24 * 3600_000
log = logging.getLogger("sixfold")


async def follow_revocations(hub: Hub, signer: Signer) -> None:
    """Follow what was made void, here or on another node."""
    while True:
        try:
            known = set(signer.revoked)
            void = await hub.storage.spent(now())
            hub.cut_off_guests(void - signer.revoked)
            # What was made void here while the database was read may not be in what it answered.
            signer.revoked = void | (signer.revoked - known)
        except StorageDown:
            # The storage says it.
            pass
        await asyncio.sleep(REVOKED_SECONDS)


async def expire_forever(hub: Hub) -> None:
    while True:
        try:
            await expire(hub)
            await hub.storage.forget_spent(now())
        except StorageDown:
            # The storage says it.
            pass
        await asyncio.sleep(EXPIRE_SECONDS)


async def expire(hub: Hub) -> int:
    """Remove the tables whose time is over; returns how many."""
    settings, removed, kept_back = hub.settings, 0, set[str]()
    limits = [now() - days * _DAY if days else 0 for days in (settings.unplayed_days, settings.finished_days)]
    while True:
        found = await hub.storage.expired(limits[0], limits[1], AT_ONCE + len(kept_back))
        due = [(table, version) for table, version in found if table not in kept_back]
        if not due:
            break
        for table, version in due:
            if await _expire_one(hub, table, version):
                removed += 1
            else:
                kept_back.add(table)
    if removed:
        log.info("tables were removed whose time was over", extra={"tables": removed})
    return removed


async def _expire_one(hub: Hub, table: str, version: int) -> bool:
    live = hub.tables.get(table)
    if live is not None and live.clients:
        return False
    if hub.settings.records is not None:
        try:
            kept = await hub.get(table)
        except TableRefused:
            # What cannot be read stays, for whoever may read it; the log says which.
            return False
        await asyncio.to_thread(_keep, hub.settings.records, table, kept.table.records)
    if not await hub.storage.remove(table, version):
        return False
    hub.tables.pop(table, None)
    hub.metrics.tables_expired.inc()
    return True


def _keep(folder: Path, table: str, records: list[dict[str, object]]) -> None:
    """Write the records of a table's finished rounds, where there are any, before it goes."""
    if not records:
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = "".join(json.dumps(made, ensure_ascii=False) + "\n" for made in records)
    part, path = folder / f".{table}.part", folder / f"{table}.sixfold.jsonl"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
