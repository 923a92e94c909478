import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { INTERFACE, load, type Bots, type Description, type GameName } from './index';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const data = (name: string): ArrayBuffer => new Uint8Array(read(name)).buffer;
const about = (game: GameName): Description => JSON.parse(read(`${game}.json`).toString()) as Description;
const rulesOf = <Game extends GameName>(game: Game): Promise<Bots<Game>> =>
  load<Game>(read(`${game}.wasm`), about(game));

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder))('the rules in WebAssembly', () => {
  test('a game is played to its end, and the same seed plays it again', async () => {
    const rules = await rulesOf('cards');
    await rules.give('net.3', data('cards.net.3.data'));
    const play = (seed: number): string[] => {
      const chance = rules.chance(seed);
      let { state, events } = rules.resolveChance(rules.start(3), chance);
      for (let seat = rules.turn(state); seat !== null; seat = rules.turn(state)) {
        const move = rules.chooseAt(3, rules.hide(state, seat), seat, chance);
        const resolved = rules.resolveChance(rules.act(state, move), chance);
        events = [...events, `${seat} ${rules.notation.text(move)}`, ...resolved.events];
        state = resolved.state;
      }
      expect(rules.ended(state)?.clause).toBe('C15');
      return events;
    };
    expect(play(5)).toEqual(play(5));
    expect(play(5)).not.toEqual(play(6));
  });

  test('fields have names, and a state is never changed', async () => {
    const rules = await rulesOf('travel');
    const initial = rules.start(2, { open_racks: true });
    const before = initial.slice();
    const { state } = rules.resolveChance(initial, rules.chance(1n));
    expect(initial).toEqual(before);
    const { board, rack, rack_size, open_racks, turn } = rules.fields(state);
    expect([board.length, rack.length, rack[1]!.length, rack_size, open_racks, turn]).toEqual([
      92,
      2,
      6,
      [6, 6],
      1,
      0,
    ]);
  });

  test('every spelling is read back', async () => {
    for (const game of ['travel', 'cards', 'dice'] as const) {
      const { notation } = await rulesOf(game);
      let moves = 0;
      for (let move = 0; move < 10_000; move++) {
        const text = notation.text(move);
        if (text === null) continue;
        moves++;
        expect(notation.number(text)).toBe(move);
      }
      expect(moves).toBeGreaterThan(30);
      expect(notation.number('nonsense')).toBeNull();
    }
  });

  test('what cannot be is refused in words', async () => {
    const rules = await rulesOf('dice');
    expect(() => rules.start(5)).toThrow('dice cannot be played so: {"players":5}');
    const initial = rules.start(2);
    expect(() => rules.receive(initial, 9)).toThrow('chance cannot supply 9 now');
    const { state } = rules.resolveChance(initial, rules.chance(7));
    expect(() => rules.receive(state, 0)).toThrow('chance cannot supply R now');
    const move = rules.notation.number('score B2>Y')!;
    expect(() => rules.act(state, move)).toThrow('score B2>Y is not allowed');
    expect(rules.refusal(state, move)).toEqual({
      key: 'no_group',
      clause: 'D7',
      words: { number: '2', symbol: 'B' },
    });
    expect(() => rules.chooseAt(6, state, 0, rules.chance(1))).toThrow('dice has no level 6 for 2 players');
    expect(() => rules.choose('clever', state, 0, rules.chance(1))).toThrow('dice has no bot clever');
  });

  test('a bot that needs data asks for it, and takes only what fits', async () => {
    const rules = await rulesOf('dice');
    const { state } = rules.resolveChance(rules.start(2), rules.chance(7));
    expect(() => rules.chooseAt(5, state, 0, rules.chance(1))).toThrow('solved has not been given its data');
    await expect(rules.give('solved', new ArrayBuffer(8))).rejects.toThrow('does not fit this module');
    await expect(rules.give('openings', new ArrayBuffer(8))).rejects.toThrow('no data openings for dice');
    await rules.give('solved', data('dice.solved.data'));
    expect(rules.wants('solved')).toBe(false);
    expect(rules.legal(state)).toContain(rules.chooseAt(5, state, 0, rules.chance(1)));
  });

  test('a net is for a number of players, and serves every bot that plays by it', async () => {
    const rules = await rulesOf('dice');
    const { state } = rules.resolveChance(rules.start(3), rules.chance(7));
    const seat = rules.turn(state)!;
    expect(rules.dataOf('netrolls', 3)).toEqual(['net.3']);
    expect(rules.dataOf('net')).toEqual(['net.3', 'net.4']);
    await rules.give('net.4', data('dice.net.4.data'));
    expect(() => rules.choose('net', state, seat, rules.chance(1))).toThrow(
      'net has not been given its data',
    );
    await rules.give('net.3', data('dice.net.3.data'));
    for (const bot of ['net', 'netsearch', 'netrolls']) {
      expect(rules.wants(bot, 3)).toBe(false);
      const move = rules.choose(bot, state, seat, rules.chance(1), { iterations: 20 });
      expect(rules.legal(state)).toContain(move);
    }
    const two = rules.resolveChance(rules.start(2), rules.chance(7)).state;
    expect(() => rules.choose('net', two, 0, rules.chance(1))).toThrow('does not play dice with 2 players');
  });

  test('a search with a net also thinks by the clock', async () => {
    const rules = await rulesOf('travel');
    await rules.give('net.2', data('travel.net.2.data'));
    const { state } = rules.resolveChance(rules.start(2), rules.chance(7));
    const view = rules.hide(state, 0);
    expect(rules.legal(view)).toContain(rules.chooseAt(5, view, 0, rules.chance(1), { milliseconds: 5 }));
  });

  test('a module with another interface is not used', async () => {
    const foreign = { ...about('dice'), interface: 99 };
    await expect(load(read('dice.wasm'), foreign)).rejects.toThrow(`has interface 99, not ${INTERFACE}`);
  });
});
