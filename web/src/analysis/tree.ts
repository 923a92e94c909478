/** Variations of a position: what was tried from it, with every way back. A node knows everything, or what one seat does. */
import {
  deciderOf,
  encodePosition,
  gainedBy,
  stepsOf,
  type Bots,
  type PendingChance,
  type EncodedPosition,
  type State,
} from '../rules';
import type { Position } from '../lib/types';

export interface Node {
  state: State;
  /** Who knows this; null where nothing is hidden. */
  seen: number | null;
  /** What led here from the node before, in the notation. */
  events: string[];
  /** What the events gained for their player. */
  gained: number[];
  parent: Node | null;
  children: Node[];
  /** The child that was looked at last. */
  chosen: Node | null;
}

const HIDDEN = '??';

export const root = (state: State, seen: number | null): Node => ({
  state,
  seen,
  events: [],
  gained: [],
  parent: null,
  children: [],
  chosen: null,
});

/** Who did it; null where chance did. */
export const playerOf = ({ events: [first = ''] }: Node): number | null => deciderOf(first);

/** The child that some events lead to; a known one is found again. */
function addChild(rules: Bots, node: Node, events: string[], state: State, seen = node.seen): Node {
  const existing = node.children.find(
    (candidate) => candidate.events.join() === events.join() && candidate.seen === seen,
  );
  if (existing && !events.join().includes(HIDDEN)) return (node.chosen = existing);
  const created: Node = { ...root(state, seen), events, parent: node };
  created.gained = gainedBy(rules, playerOf(created), node.state, state);
  node.children.push(created);
  return (node.chosen = created);
}

/** A player's view in a node; null if it is not known. */
export function knownTo(rules: Bots, { state, seen }: Node, player: number): State | null {
  if (seen === null) return rules.hide(state, player);
  return seen === player ? state : null;
}

/** The node's position in encoded form. */
export const encodeNode = (rules: Bots, { state, seen }: Node): Position =>
  encodePosition<EncodedPosition>(rules, state, seen) as Position;

/** The node after a move of the player in turn. */
export function afterMove(rules: Bots, node: Node, move: string): Node {
  const player = rules.turn(node.state)!;
  const after = addChild(
    rules,
    node,
    [`${player} ${move}`],
    rules.act(node.state, rules.notation.number(move)!),
  );
  return skipHiddenDraw(rules, after);
}

/** The pending chance event that the user has to fill in; null if none is pending. */
export const pendingChanceAt = (rules: Bots, { state }: Node): PendingChance | null =>
  rules.pendingChance(state);

/** Resolve another player's hidden draw without revealing what was drawn. */
function skipHiddenDraw(rules: Bots, node: Node): Node {
  const { seen } = node;
  const pending = rules.pendingChance(node.state);
  if (seen === null || !pending?.occasion.hidden || pending.player === seen) return node;
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const chance = rules.chance(seed!);
  const { state } = rules.resolveChance(rules.guess(node.state, seen, chance), chance);
  const line = [pending.occasion.word, pending.player, ...Array<string>(pending.number).fill(HIDDEN)].join(
    ' ',
  );
  return addChild(rules, node, [line], rules.hide(state, seen));
}

/** The node after chance has supplied what it owes: these items, and the rest by lot. */
export function afterChance(rules: Bots, node: Node, items: number[]): Node {
  const pending = rules.pendingChance(node.state)!;
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const chance = rules.chance(seed!);
  let state = node.state;
  const drawn = [...items];
  items.forEach((item) => (state = rules.receive(state, item)));
  while (drawn.length < pending.number) {
    const pool = rules.pool(state);
    let remaining = rules.below(
      chance,
      pool.reduce((sum, count) => sum + count, 0),
    );
    const item = pool.findIndex((count) => (remaining -= count) < 0);
    state = rules.receive(state, item);
    drawn.push(item);
  }
  return skipHiddenDraw(rules, addChild(rules, node, [rules.event(pending, drawn)], state));
}

/** What is hidden, dealt by lot: from then on everything is known. */
export function afterDeal(rules: Bots, node: Node): Node {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const state = rules.guess(node.state, node.seen, rules.chance(seed!));
  const created: Node = { ...root(state, null), parent: node };
  node.children.push(created);
  return (node.chosen = created);
}

/** From the beginning to a node, and on from it as it was looked at last. */
export function lineThrough(node: Node): Node[] {
  const line = [node];
  while (line[0]!.parent) line.unshift(line[0]!.parent);
  for (let next = node.chosen; next; next = next.chosen) line.push(next);
  return line;
}

/** A record as one line of nodes, each ending at a decision. */
export function nodeOfEvents(rules: Bots, initial: State, lines: string[]): Node {
  let node = root(initial, null);
  for (const { events, player, state } of stepsOf(rules, initial, lines))
    node = player === null ? { ...root(state, null), events } : addChild(rules, node, events, state);
  return node;
}
