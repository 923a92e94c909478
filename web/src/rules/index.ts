/** Load the rules and the bots of a game; see docs/wasm.md. */
import { Bots } from './bots';
import type { Description } from './manifest';
import type { GameName } from './rules';

export { Bots, type Budget } from './bots';
export {
  applyEvent,
  deciderOf,
  gainedBy,
  moveOf,
  RecordError,
  RefusalError,
  stateAfter,
  stepsOf,
  walk,
  type Fault,
} from './events';
export type { Description, Habits, Level, OptionValue } from './manifest';
export { INTERFACE, type States } from './interface';
export type { State } from './memory';
export {
  encodePosition,
  decodePosition,
  deriveView,
  type EncodedPosition,
  type DerivedView,
} from './position-codec';
export { Rules, type Chance, type GameName, type PendingChance, type Refusal } from './rules';

/** From a module's bytes and its description. */
export async function load<Game extends GameName>(
  code: BufferSource | WebAssembly.Module,
  about: Description,
): Promise<Bots<Game>> {
  const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
  return new Bots<Game>(await WebAssembly.instantiate(module), about);
}

const fetchOk = async (address: URL): Promise<Response> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  return response;
};

/** From the folder in which the modules lie. */
export async function open<Game extends GameName>(game: Game, folder: string | URL): Promise<Bots<Game>> {
  const [code, about] = await Promise.all([
    fetchOk(new URL(`${game}.wasm`, folder)).then((response) => response.arrayBuffer()),
    fetchOk(new URL(`${game}.json`, folder)).then((response) => response.json() as Promise<Description>),
  ]);
  return load<Game>(code, about);
}

/** Fetch what a bot of a game needs beyond the module, if it needs anything, for some number of players or for all. A
 *  data file's own name is as good as a bot's. */
export async function fetchData(
  rules: Bots,
  bot: string,
  folder: string | URL,
  players?: number,
): Promise<void> {
  const fetchFile = async (data: string): Promise<void> => {
    const response = await fetchOk(new URL(`${rules.about.game}.${data}.data`, folder));
    await rules.give(data, await response.arrayBuffer());
  };
  const missing = rules.dataOf(bot, players).filter((data) => rules.wants(data));
  await Promise.all(missing.map(fetchFile));
}
