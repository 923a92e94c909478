import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GAMES, type GameName, type Position } from '../lib/types';
import { load, shownOf, type Bots, type Description, type Shown, type State } from '../rules';
import { stateIn, Wrong } from './checking';
import { changed, draftOf, finished, fresh, held, hidden, laidAt, takenOff } from './draft';
import { Desk } from '../review/desk';
import { everyChoice } from './odds';
import { readFrom } from './reading';
import { dealt, knownTo, lineThrough, moved, ofEvents, root, supplied, told } from './tree';

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
function played(rules: Bots, players: number, seed: number): { states: State[]; events: string[] } {
  const chance = rules.chance(seed);
  const begin = rules.settle(rules.start(players), chance);
  const [states, events] = [[begin.state], [...begin.events]];
  for (let state = begin.state; !rules.over(state);) {
    const moves = rules.legal(state);
    const move = moves[rules.below(chance, moves.length)]!;
    const after = rules.settle(rules.act(state, move), chance);
    events.push(`${rules.turn(state)} ${rules.spelling.text(move)}`, ...after.events);
    state = after.state;
    states.push(state);
  }
  return { states, events };
}

const shown = (rules: Bots, state: State, seat: number | null): Position =>
  shownOf<Shown>(rules, seat === null ? state : rules.hide(state, seat), seat) as Position;

/** What is said against a position, and by which clause; in these tests sentences are their keys. */
function against(rules: Bots, position: object): [string, string] {
  try {
    stateIn(rules, position as Position);
  } catch (error) {
    if (error instanceof Wrong) return [error.message, error.clause];
    throw error;
  }
  return ['', ''];
}

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder))('a position', () => {
  it.each(GAMES)('of a game of %s is one, whoever looks', async (game) => {
    const rules = await rulesOf(game);
    for (const players of rules.about.players) {
      const { states } = played(rules, players, 7 + players);
      for (const state of states.filter((_, at) => at % 5 === 0))
        for (const seat of [null, 0, players - 1])
          expect(against(rules, shown(rules, state, seat))).toEqual(['', '']);
    }
  });

  it('of the travel edition that cannot be is refused by its clause', async () => {
    const rules = await rulesOf('travel');
    const { states } = played(rules, 2, 3);
    const whole = shown(rules, states[6]!, null) as Extract<Position, { game: 'travel' }>;
    const seen = shown(rules, states[6]!, 0) as typeof whole;
    const high = whole.values.map((row) => row.with(2, 19));
    expect(against(rules, { ...whole, values: high })).toEqual(['analysis_value', 'T3']);
    const won = whole.values.map(() => [18, 18, 18, 18, 18, 18]);
    expect(against(rules, { ...whole, values: won })).toEqual(['analysis_over', 'T19']);
    const doubles = [Array<string>(6).fill('RR'), whole.racks[1]];
    expect(against(rules, { ...whole, racks: doubles })).toEqual(['analysis_too_many', 'T2']);
    const seven = [[...whole.racks[0]!, 'RG'], whole.racks[1]];
    expect(against(rules, { ...whole, racks: seven })).toEqual(['analysis_held', 'T15']);
    const strange = [whole.racks[0]!.with(0, 'XY'), whole.racks[1]];
    expect(against(rules, { ...whole, racks: strange })).toEqual(['analysis_item', 'T2']);
    expect(against(rules, { ...whole, board: whole.board.with(0, '......') })).toEqual([
      'analysis_corner',
      'T1',
    ]);
    expect(against(rules, { ...seen, seen_by: 1 })).toEqual(['analysis_hidden', 'T4']);
    expect(against(rules, { ...seen, unseen: {} })[0]).toBe('analysis_inconsistent');
    expect(against(rules, { ...whole, placed: 9 })).toEqual(['analysis_inconsistent', 'T2']);
    const row = whole.board.findIndex((letters, at) => at % 5 !== 0 && /[RGBOYP]/.test(letters));
    const another = whole.board[row]!.replace(/[RGBOYP]/, (letter) => (letter === 'R' ? 'G' : 'R'));
    expect(against(rules, { ...whole, board: whole.board.with(row, another) })).toEqual([
      'analysis_inconsistent',
      'T2',
    ]);
    expect(against(rules, { ...whole, players: 3 })[0]).toBe('analysis_players');
    expect(against(rules, { ...whole, turn: 2 })[0]).toBe('analysis_part');
    expect(against(rules, { ...whole, racks: undefined })[0]).toBe('analysis_part');
  });

  it('of the other games that cannot be is refused by its clause', async () => {
    const [dice, cards] = [await rulesOf('dice'), await rulesOf('cards')];
    const roll = shown(dice, played(dice, 2, 1).states[0]!, null);
    expect(against(dice, { ...roll, values: [[4, 0, 1, 1, 1, 1], roll.values[1]] })).toEqual([
      'analysis_barred',
      'D11',
    ]);
    expect(against(dice, { ...roll, dice: [['R', 'R', 'R', 'R', 'R'], []] })).toEqual([
      'analysis_held',
      'D1',
    ]);
    const deal = shown(cards, played(cards, 3, 1).states[0]!, null);
    const [, two, three] = deal.values;
    expect(against(cards, { ...deal, values: [[7, 4, 4, 4, 4, 3], two, three] })).toEqual([
      'analysis_barred',
      'C10',
    ]);
    expect(against(cards, { ...deal, discards: { RG: 5 } })).toEqual(['analysis_too_many', 'C1']);
  });

  it('is set up by hand: tiles are laid and taken off, hands hidden and dealt', async () => {
    const rules = await rulesOf('travel');
    const begin = fresh(rules, 2, { open_racks: false });
    expect(finished(begin)).toEqual(begin.position);
    const free = [...'RGBOYP'].flatMap((one) => [...'RGBOYP'].map((other) => one + other));
    const item = free.find(
      (one) =>
        rules.about.items.includes(one) && !one.includes('R') && !held(begin, 'racks')[0]!.includes(one),
    )!;
    const laid = laidAt(begin, item, [1, 2]);
    const position = finished(laid) as Extract<Position, { game: 'travel' }>;
    expect([position.placed, position.corner, position.bag]).toEqual([1, 'a1', 44]);
    expect(takenOff(laid, [0, 1])).toBeNull();
    expect(finished(takenOff(laid, [1, 2])!)).toEqual(begin.position);
    // The same from a position that somebody else has made.
    expect(finished(takenOff(draftOf(rules, position), [2, 1])!)).toEqual(begin.position);
    const open = finished(hidden(begin, 'racks', 1, false));
    expect([open.seen_by, JSON.stringify(open).includes('??')]).toEqual([null, false]);
    const nobody = hidden(begin, 'racks', 0, true);
    expect(() => finished(nobody)).toThrow('analysis_hidden');
    const barred = changed(begin, { values: [[19, 0, 0, 0, 0, 0], begin.position.values[1]] });
    expect(() => finished(barred)).toThrow('analysis_value');
  });
});

describe.skipIf(!existsSync(folder))('variations', () => {
  it('know what one seat knows, until what is hidden is dealt', async () => {
    const rules = await rulesOf('travel');
    const { states } = played(rules, 2, 5);
    const begin = root(rules.hide(states[0]!, 0), 0);
    const first = moved(rules, begin, rules.spelling.text(rules.legal(begin.state)[0]!)!);
    expect(rules.owed(first.state)?.player).toBe(0);
    const drawn = supplied(rules, first, []);
    expect([rules.turn(drawn.state), knownTo(rules, drawn, 1)]).toEqual([1, null]);
    const open = dealt(rules, drawn);
    expect(knownTo(rules, open, 1)).not.toBeNull();
    const answer = moved(rules, open, rules.spelling.text(rules.legal(open.state)[0]!)!);
    expect(lineThrough(begin)).toEqual([begin, first, drawn, open, answer]);
    expect(against(rules, told(rules, drawn))).toEqual(['', '']);
    // A move that was tried before leads to the same place.
    expect(moved(rules, open, answer.events[0]!.slice(2))).toBe(answer);
  });

  it('keep what others draw out of sight', async () => {
    const rules = await rulesOf('cards');
    const { states } = played(rules, 2, 5);
    const other = rules.turn(states[0]!) === 0 ? 1 : 0;
    const view = rules.hide(states[1]!, other);
    const begin = root(view, other);
    expect(rules.turn(view)).toBe(other);
    const mine = supplied(rules, moved(rules, begin, rules.spelling.text(rules.legal(view)[0]!)!), []);
    expect(JSON.stringify(told(rules, mine))).toContain('??');
  });

  it('of a record are its steps', async () => {
    const rules = await rulesOf('dice');
    const { events } = played(rules, 2, 9);
    const end = ofEvents(rules, rules.start(2), events);
    expect(rules.over(end.state)).toBe(true);
    expect(lineThrough(end).flatMap((node) => node.events)).toEqual(events);
  });
});

describe.skipIf(!existsSync(folder))('the odds', () => {
  it('of the solved game are those of every choice, and the best is the position’s', async () => {
    const rules = await rulesOf('dice');
    const { states } = played(rules, 2, 11);
    const view = states.find((state) => rules.legal(state).length > 20)!;
    const seat = rules.turn(view)!;
    const data = new Uint8Array(read('dice.solved.data')).buffer;
    const desk = new Desk({ rules: () => rulesOf('dice'), give: (to, name) => to.give(name, data) });
    const chances = (then: State): Promise<number[]> => desk.chances('dice', then, seat);
    const all = await everyChoice(rules, view, seat, [], chances);
    const comes = new Set(rules.legal(view).map((move) => rules.act(view, move).join()));
    expect(all.length).toBe(comes.size);
    const [best] = all;
    expect((await chances(view))[seat]).toBe(best!.chance);
    // Those that are known already are not asked for again.
    const nobody = (): Promise<number[]> => Promise.reject(new Error());
    expect(await everyChoice(rules, view, seat, all, nobody)).toEqual(all);
  });
});

describe.skipIf(!existsSync(folder))('what is pasted', () => {
  const said = async (text: string): Promise<[string, string]> => {
    const error: unknown = await readFrom(text).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof Wrong ? [error.message, error.clause] : [String(error), ''];
  };

  it('is a record, a position, a view, or refused with its reason', async () => {
    const rules = await rulesOf('travel');
    const { states, events } = played(rules, 2, 4);
    const record = {
      format: 'sixfold/1',
      game: 'travel',
      players: 2,
      options: { open_racks: false },
      events,
    };
    expect((await readFrom(JSON.stringify(record))).node.seen).toBeNull();
    const position = shown(rules, states[3]!, 1);
    expect((await readFrom(JSON.stringify(position))).node.seen).toBe(1);
    expect((await readFrom(JSON.stringify({ views: [{ position }] }))).node.seen).toBe(1);
    const twice = events.with(4, events[2]!);
    expect(await said(JSON.stringify({ ...record, events: twice }))).toEqual(['record_event', '']);
    const taken = `1 place ${events[2]!.split(' ').slice(2).join(' ')}`;
    expect(await said(JSON.stringify({ ...record, events: events.with(4, taken) }))).toEqual([
      'record_event',
      '',
    ]);
    expect(await said(JSON.stringify({ ...record, events: events.with(3, 'draw 0 ??') }))).toEqual([
      'record_event',
      '',
    ]);
    expect(await said(JSON.stringify({ ...record, format: 'other' }))).toEqual(['analysis_format', '']);
    expect(await said('{"game": "chess"}')).toEqual(['analysis_game', '']);
    expect(await said('hello')).toEqual(['analysis_json', '']);
    expect(await said('https://host/#position=nonsense')).toEqual(['analysis_link', '']);
    expect(await said('  ')).toEqual(['analysis_what', '']);
  });
});
