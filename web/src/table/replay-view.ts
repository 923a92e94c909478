/** A step of a finished round as a table shows it: everything open, nothing to decide. */
import type { Replay, View } from '../lib/types';

export function viewOfStep(replay: Replay, at: number, side: number): View {
  const { names, bots, game, resigned, round, rounds, commitment } = replay;
  const step = replay.steps[at]!;
  const players = names.map((_, player) => player);
  return {
    version: at + 1,
    setup: {
      game,
      players: names.length,
      options: step.position.options,
      rounds,
      clock: 'none',
      seconds: 0,
      takeover: null,
      first: null,
      deputy: '',
      hints: false,
    },
    stage: 'over',
    seats: names.map((name, player) => ({
      kind: bots[player] ? 'bot' : 'person',
      name,
      level: bots[player] ?? '',
      portrait: name.toLowerCase(),
      left: false,
      relieved: false,
      resigned: resigned.includes(player),
      ready: false,
      time_left: 0,
    })),
    seat: null,
    turn: null,
    round,
    commitment,
    turn_began: 0,
    due: null,
    result: null,
    totals: null,
    position: { ...step.position, seen_by: side },
    order: players,
    legal: [],
    previews: [],
    earned: [],
    lines: {},
    reach: step.reach,
    undo: false,
    undo_why: null,
    take_back: null,
    take_back_why: null,
    bonus: false,
    starters: [],
    last: {
      type: 'move',
      at: 0,
      version: at + 1,
      line: { key: '', words: {} },
      seat: step.player,
      events: step.events,
      gained: step.gained,
    },
  };
}
