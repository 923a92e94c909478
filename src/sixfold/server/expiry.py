"""Expiry of old tables, and revocations made on other nodes."""

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
    """Keep the set of revoked ids up to date with all nodes."""
    while True:
        try:
            known = set(signer.revoked)
            revoked = await hub.storage.revoked(now())
            hub.cut_off_guests(revoked - signer.revoked)
            # Ids revoked here while the database was read may be missing from its answer.
            signer.revoked = revoked | (signer.revoked - known)
        except StorageDown:
            # The storage logs it.
            pass
        await asyncio.sleep(REVOKED_SECONDS)


async def expire_forever(hub: Hub) -> None:
    while True:
        try:
            await expire(hub)
            await hub.storage.forget_revoked(now())
        except StorageDown:
            # The storage logs it.
            pass
        await asyncio.sleep(EXPIRE_SECONDS)


async def expire(hub: Hub) -> int:
    """Remove expired tables; returns how many."""
    settings, removed, skipped = hub.settings, 0, set[str]()
    limits = [now() - days * _DAY if days else 0 for days in (settings.unplayed_days, settings.finished_days)]
    while True:
        candidates = await hub.storage.expired(limits[0], limits[1], AT_ONCE + len(skipped))
        due = [(table, version) for table, version in candidates if table not in skipped]
        if not due:
            break
        for table, version in due:
            if await _expire_one(hub, table, version):
                removed += 1
            else:
                skipped.add(table)
    if removed:
        log.info("tables were removed whose time was over", extra={"tables": removed})
    return removed


async def _expire_one(hub: Hub, table: str, version: int) -> bool:
    session = hub.tables.get(table)
    if session is not None and session.clients:
        return False
    if hub.settings.records is not None:
        try:
            loaded = await hub.get(table)
        except TableRefused:
            # A table that cannot be read is kept; the log names it.
            return False
        await asyncio.to_thread(_write_records, hub.settings.records, table, loaded.table.records)
    if not await hub.storage.remove(table, version):
        return False
    hub.tables.pop(table, None)
    hub.metrics.tables_expired.inc()
    return True


def _write_records(folder: Path, table: str, records: list[dict[str, object]]) -> None:
    """Write the records of a table's finished rounds, if any, before it is removed."""
    if not records:
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    part, path = folder / f".{table}.part", folder / f"{table}.sixfold.jsonl"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
