/** The record that a review is about: of a table, from a file or a text, or in a link. */
import { record } from '../lib/api';
import { say } from '../lib/language.svelte';
import { pack, unpack } from '../lib/link-codec';
import { absoluteUrl } from '../lib/router.svelte';
import { rulesOf } from '../lib/rules';
import { isGame } from '../games';
import type { GameName } from '../lib/types';
import type { RoundRecord } from '../local/events';
import { hex, sha256 } from '../local/sha256';
import { faultText } from './engine';
import { RecordError } from '../rules';
import { headOf, replayRecord } from './engine/record';

/** A record that was checked: every event of it may happen. */
export type CheckedRecord = Pick<RoundRecord, 'format' | 'players' | 'options' | 'events' | 'result'> &
  Partial<Pick<RoundRecord, 'names' | 'bots' | 'resigned' | 'shuffle'>> & { game: GameName };

/** Validate a record of a known game; the error names the event that breaks a rule. */
export async function checkedRecord(value: unknown): Promise<CheckedRecord> {
  try {
    const record = headOf(value);
    if (!isGame(record.game)) throw new RecordError({ key: 'record_bad', words: { what: 'game' } });
    replayRecord(await rulesOf(record.game), record);
    return record as CheckedRecord;
  } catch (error) {
    throw error instanceof RecordError ? new Error(await faultText(error)) : error;
  }
}

/** The record of a round of a table. */
export const recordOf = async (table: string, round: number): Promise<CheckedRecord> =>
  checkedRecord(await record(table, round));

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(say('review_no_record'));
  }
}

const LINK = /#record=([\w-]+)/;

/** What a text holds: a link, one record, or one a line. */
export async function recordsIn(text: string): Promise<CheckedRecord[]> {
  const link = LINK.exec(text)?.[1];
  if (link) return [await recordFrom(link)];
  let lines: unknown[];
  try {
    lines = [JSON.parse(text)];
  } catch {
    lines = text
      .split('\n')
      .filter((line) => line.trim())
      .map(parseLine);
  }
  if (!lines.length) throw new Error(say('review_no_record'));
  return Promise.all(lines.map(checkedRecord));
}

export const tokenOf = (record: CheckedRecord): Promise<string> => pack(record);

/** A link that carries the whole record. */
export const linkTo = async (record: CheckedRecord): Promise<string> =>
  absoluteUrl(`/#record=${await tokenOf(record)}`);

export async function recordFrom(token: string): Promise<CheckedRecord> {
  let value: unknown;
  try {
    value = await unpack(token);
  } catch {
    throw new Error(say('review_link_bad'));
  }
  return checkedRecord(value);
}

/** A content hash: the same game has the same key, regardless of where its record comes from. */
export function keyOf({ game, players, options, events }: CheckedRecord): string {
  const sortedOptions = Object.entries(options).toSorted();
  return hex(sha256(new TextEncoder().encode(JSON.stringify([game, players, sortedOptions, events]))));
}
