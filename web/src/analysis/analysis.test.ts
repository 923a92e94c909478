import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GAMES } from '../games';
import type { GameName, Position } from '../lib/types';
import {
  load,
  encodePosition,
  type Bots,
  type Description,
  type EncodedPosition,
  type State,
} from '../rules';
import { validateState, InvalidPosition } from './validation';
import {
  withParts,
  draftOf,
  finishDraft,
  newDraft,
  handsOf,
  withHandHidden,
  withTile,
  withoutTile,
} from './draft';
import { AnalysisService } from '../review/engine/analysis-service';
import { everyChoice } from './odds';
import { parseInput } from './parser';
import {
  afterDeal,
  knownTo,
  lineThrough,
  afterMove,
  nodeOfEvents,
  root,
  afterChance,
  encodeNode,
} from './tree';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const rulesOf = (game: GameName): Promise<Bots> =>
  load(read(`${game}.wasm`), JSON.parse(read(`${game}.json`).toString()) as Description);
// As a page finds its modules.
Object.assign(globalThis, {
  location: new URL('http://sixfold.test/'),
  document: { baseURI: 'http://sixfold.test/' },
  fetch: (address: URL) =>
    Promise.resolve(new Response(new Uint8Array(read(address.pathname.split('/').at(-1)!)))),
});

/** A game by chance: every state in which somebody decides, and the events. */
function playRandomGame(rules: Bots, players: number, seed: number): { states: State[]; events: string[] } {
  const chance = rules.chance(seed);
  const initial = rules.resolveChance(rules.start(players), chance);
  const [states, events] = [[initial.state], [...initial.events]];
  for (let state = initial.state; !rules.over(state);) {
    const moves = rules.legal(state);
    const move = moves[rules.below(chance, moves.length)]!;
    const after = rules.resolveChance(rules.act(state, move), chance);
    events.push(`${rules.turn(state)} ${rules.notation.text(move)}`, ...after.events);
    state = after.state;
    states.push(state);
  }
  return { states, events };
}

const shown = (rules: Bots, state: State, seat: number | null): Position =>
  encodePosition<EncodedPosition>(rules, seat === null ? state : rules.hide(state, seat), seat) as Position;

/** What is said against a position, and by which clause; in these tests sentences are their keys. */
function problemWith(rules: Bots, position: object): [string, string] {
  try {
    validateState(rules, position as Position);
  } catch (error) {
    if (error instanceof InvalidPosition) return [error.message, error.clause];
    throw error;
  }
  return ['', ''];
}

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder))('a position', () => {
  it.each(GAMES)('of a game of %s is one, whoever looks', async (game) => {
    const rules = await rulesOf(game);
    for (const players of rules.about.players) {
      const { states } = playRandomGame(rules, players, 7 + players);
      for (const state of states.filter((_, at) => at % 5 === 0))
        for (const seat of [null, 0, players - 1])
          expect(problemWith(rules, shown(rules, state, seat))).toEqual(['', '']);
    }
  });

  it('of the travel edition that cannot be is refused by its clause', async () => {
    const rules = await rulesOf('travel');
    const { states } = playRandomGame(rules, 2, 3);
    const full = shown(rules, states[6]!, null) as Extract<Position, { game: 'travel' }>;
    const ownView = shown(rules, states[6]!, 0) as typeof full;
    const high = full.values.map((row) => row.with(2, 19));
    expect(problemWith(rules, { ...full, values: high })).toEqual(['analysis_value', 'T3']);
    const won = full.values.map(() => [18, 18, 18, 18, 18, 18]);
    expect(problemWith(rules, { ...full, values: won })).toEqual(['analysis_over', 'T19']);
    const doubles = [Array<string>(6).fill('RR'), full.racks[1]];
    expect(problemWith(rules, { ...full, racks: doubles })).toEqual(['analysis_too_many', 'T2']);
    const seven = [[...full.racks[0]!, 'RG'], full.racks[1]];
    expect(problemWith(rules, { ...full, racks: seven })).toEqual(['analysis_held', 'T15']);
    const unknownItem = [full.racks[0]!.with(0, 'XY'), full.racks[1]];
    expect(problemWith(rules, { ...full, racks: unknownItem })).toEqual(['analysis_item', 'T2']);
    expect(problemWith(rules, { ...full, board: full.board.with(0, '......') })).toEqual([
      'analysis_corner',
      'T1',
    ]);
    expect(problemWith(rules, { ...ownView, seen_by: 1 })).toEqual(['analysis_hidden', 'T4']);
    expect(problemWith(rules, { ...ownView, unseen: {} })[0]).toBe('analysis_inconsistent');
    expect(problemWith(rules, { ...full, placed: 9 })).toEqual(['analysis_inconsistent', 'T2']);
    const row = full.board.findIndex((letters, at) => at % 5 !== 0 && /[RGBOYP]/.test(letters));
    const changedRow = full.board[row]!.replace(/[RGBOYP]/, (letter) => (letter === 'R' ? 'G' : 'R'));
    expect(problemWith(rules, { ...full, board: full.board.with(row, changedRow) })).toEqual([
      'analysis_inconsistent',
      'T2',
    ]);
    expect(problemWith(rules, { ...full, players: 3 })[0]).toBe('analysis_players');
    expect(problemWith(rules, { ...full, turn: 2 })[0]).toBe('analysis_part');
    expect(problemWith(rules, { ...full, racks: undefined })[0]).toBe('analysis_part');
  });

  it('of the other games that cannot be is refused by its clause', async () => {
    const [dice, cards] = [await rulesOf('dice'), await rulesOf('cards')];
    const rollPosition = shown(dice, playRandomGame(dice, 2, 1).states[0]!, null);
    expect(
      problemWith(dice, { ...rollPosition, values: [[4, 0, 1, 1, 1, 1], rollPosition.values[1]] }),
    ).toEqual(['analysis_barred', 'D11']);
    expect(problemWith(dice, { ...rollPosition, dice: [['R', 'R', 'R', 'R', 'R'], []] })).toEqual([
      'analysis_held',
      'D1',
    ]);
    const dealPosition = shown(cards, playRandomGame(cards, 3, 1).states[0]!, null);
    const [, two, three] = dealPosition.values;
    expect(problemWith(cards, { ...dealPosition, values: [[7, 4, 4, 4, 4, 3], two, three] })).toEqual([
      'analysis_barred',
      'C10',
    ]);
    expect(problemWith(cards, { ...dealPosition, discards: { RG: 5 } })).toEqual(['analysis_too_many', 'C1']);
  });

  it('is set up by hand: tiles are laid and taken off, hands hidden and dealt', async () => {
    const rules = await rulesOf('travel');
    const initial = newDraft(rules, 2, { open_racks: false });
    expect(finishDraft(initial)).toEqual(initial.position);
    const free = [...'RGBOYP'].flatMap((letter) => [...'RGBOYP'].map((otherLetter) => letter + otherLetter));
    const item = free.find(
      (letter) =>
        rules.about.items.includes(letter) &&
        !letter.includes('R') &&
        !handsOf(initial, 'racks')[0]!.includes(letter),
    )!;
    const laid = withTile(initial, item, [1, 2]);
    const position = finishDraft(laid) as Extract<Position, { game: 'travel' }>;
    expect([position.placed, position.corner, position.bag]).toEqual([1, 'a1', 44]);
    expect(withoutTile(laid, [0, 1])).toBeNull();
    expect(finishDraft(withoutTile(laid, [1, 2])!)).toEqual(initial.position);
    // The same from a position that somebody else has made.
    expect(finishDraft(withoutTile(draftOf(rules, position), [2, 1])!)).toEqual(initial.position);
    const open = finishDraft(withHandHidden(initial, 'racks', 1, false));
    expect([open.seen_by, JSON.stringify(open).includes('??')]).toEqual([null, false]);
    const unreachable = withHandHidden(initial, 'racks', 0, true);
    expect(() => finishDraft(unreachable)).toThrow('analysis_hidden');
    const barred = withParts(initial, { values: [[19, 0, 0, 0, 0, 0], initial.position.values[1]] });
    expect(() => finishDraft(barred)).toThrow('analysis_value');
  });
});

describe.skipIf(!existsSync(folder))('variations', () => {
  it('know what one seat knows, until what is hidden is dealt', async () => {
    const rules = await rulesOf('travel');
    const { states } = playRandomGame(rules, 2, 5);
    const initial = root(rules.hide(states[0]!, 0), 0);
    const first = afterMove(rules, initial, rules.notation.text(rules.legal(initial.state)[0]!)!);
    expect(rules.pendingChance(first.state)?.player).toBe(0);
    const drawn = afterChance(rules, first, []);
    expect([rules.turn(drawn.state), knownTo(rules, drawn, 1)]).toEqual([1, null]);
    const open = afterDeal(rules, drawn);
    expect(knownTo(rules, open, 1)).not.toBeNull();
    const answer = afterMove(rules, open, rules.notation.text(rules.legal(open.state)[0]!)!);
    expect(lineThrough(initial)).toEqual([initial, first, drawn, open, answer]);
    expect(problemWith(rules, encodeNode(rules, drawn))).toEqual(['', '']);
    // A move that was tried before leads to the same place.
    expect(afterMove(rules, open, answer.events[0]!.slice(2))).toBe(answer);
  });

  it('keep what others draw out of sight', async () => {
    const rules = await rulesOf('cards');
    const { states } = playRandomGame(rules, 2, 5);
    const otherLetter = rules.turn(states[0]!) === 0 ? 1 : 0;
    const view = rules.hide(states[1]!, otherLetter);
    const initial = root(view, otherLetter);
    expect(rules.turn(view)).toBe(otherLetter);
    const mine = afterChance(
      rules,
      afterMove(rules, initial, rules.notation.text(rules.legal(view)[0]!)!),
      [],
    );
    expect(JSON.stringify(encodeNode(rules, mine))).toContain('??');
  });

  it('of a record are its steps', async () => {
    const rules = await rulesOf('dice');
    const { events } = playRandomGame(rules, 2, 9);
    const end = nodeOfEvents(rules, rules.start(2), events);
    expect(rules.over(end.state)).toBe(true);
    expect(lineThrough(end).flatMap((node) => node.events)).toEqual(events);
  });
});

describe.skipIf(!existsSync(folder))('the odds', () => {
  it('of the solved game are those of every choice, and the best is the position’s', async () => {
    const rules = await rulesOf('dice');
    const { states } = playRandomGame(rules, 2, 11);
    const view = states.find((state) => rules.legal(state).length > 20)!;
    const seat = rules.turn(view)!;
    const data = new Uint8Array(read('dice.solved.data')).buffer;
    const desk = new AnalysisService({
      rules: () => rulesOf('dice'),
      loadData: (to, name) => to.give(name, data),
    });
    const chances = (then: State): Promise<number[]> => desk.chances('dice', then, seat);
    const choices = await everyChoice(rules, view, seat, [], chances);
    const outcomes = new Set(rules.legal(view).map((move) => rules.act(view, move).join()));
    expect(choices.length).toBe(outcomes.size);
    const [best] = choices;
    expect((await chances(view))[seat]).toBe(best!.chance);
    // Those that are known already are not asked for again.
    const unreachable = (): Promise<number[]> => Promise.reject(new Error());
    expect(await everyChoice(rules, view, seat, choices, unreachable)).toEqual(choices);
  });
});

describe.skipIf(!existsSync(folder))('what is pasted', () => {
  const problemIn = async (text: string): Promise<[string, string]> => {
    const error: unknown = await parseInput(text).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof InvalidPosition ? [error.message, error.clause] : [String(error), ''];
  };

  it('is a record, a position, a view, or refused with its reason', async () => {
    const rules = await rulesOf('travel');
    const { states, events } = playRandomGame(rules, 2, 4);
    const record = {
      format: 'sixfold/1',
      game: 'travel',
      players: 2,
      options: { open_racks: false },
      events,
    };
    expect((await parseInput(JSON.stringify(record))).node.seen).toBeNull();
    const position = shown(rules, states[3]!, 1);
    expect((await parseInput(JSON.stringify(position))).node.seen).toBe(1);
    expect((await parseInput(JSON.stringify({ views: [{ position }] }))).node.seen).toBe(1);
    const repeated = events.with(4, events[2]!);
    expect(await problemIn(JSON.stringify({ ...record, events: repeated }))).toEqual(['record_event', '']);
    const occupied = `1 place ${events[2]!.split(' ').slice(2).join(' ')}`;
    expect(await problemIn(JSON.stringify({ ...record, events: events.with(4, occupied) }))).toEqual([
      'record_event',
      '',
    ]);
    expect(await problemIn(JSON.stringify({ ...record, events: events.with(3, 'draw 0 ??') }))).toEqual([
      'record_event',
      '',
    ]);
    expect(await problemIn(JSON.stringify({ ...record, format: 'other' }))).toEqual(['analysis_format', '']);
    expect(await problemIn('{"game": "chess"}')).toEqual(['analysis_game', '']);
    expect(await problemIn('hello')).toEqual(['analysis_json', '']);
    expect(await problemIn('https://host/#position=nonsense')).toEqual(['analysis_link', '']);
    expect(await problemIn('  ')).toEqual(['analysis_what', '']);
  });
});
