/** The worker in which the bots of one game choose their moves, off the main thread. */
import { fetchData, open, type Bots, type GameName, type State } from '../rules';

export interface Question {
  id: number;
  game: GameName;
  folder: string;
  players: number;
  /** `level1` to `level5`, or a bot's own name. */
  level: string;
  /** What the seat knows; without it the bot only gets ready. */
  view: State | null;
  player: number;
  seed: bigint;
  milliseconds?: number;
}
/** A bot's turn: its move, its private choice after it, and whether a simpler bot had to decide. */
export interface BotTurn {
  move: string;
  then: string | null;
  simpler: boolean;
}
export type Answer = { id: number; turn: BotTurn | null } | { id: number; error: string };

let rules: Promise<Bots> | undefined;

async function loadBot({ game, folder, players, level }: Question): Promise<[Bots, string]> {
  rules ??= open(game, folder) as Promise<Bots>;
  rules.catch(() => (rules = undefined)); // the next one asks again
  const loaded = await rules;
  const levelNumber = /^level(\d)$/.exec(level)?.[1];
  const bot = levelNumber ? loaded.level(players, Number(levelNumber)).bot : level;
  try {
    await fetchData(loaded, bot, folder, players);
  } catch (error) {
    console.info(`${bot} cannot be loaded now; another bot plays for it`, error);
    return [loaded, 'careful'];
  }
  return [loaded, level];
}

async function answerQuestion(question: Question): Promise<BotTurn | null> {
  const { view, player, seed, milliseconds } = question;
  const [bots, level] = await loadBot(question);
  if (!view) return null;
  const { move, then } = bots.chooseTurn(level, view, player, bots.chance(seed), { milliseconds });
  const text = (number: number): string => bots.notation.text(number)!;
  return { move: text(move), then: then === null ? null : text(then), simpler: level !== question.level };
}

onmessage = ({ data }: MessageEvent<Question>) => {
  answerQuestion(data).then(
    (turn) => postMessage({ id: data.id, turn } satisfies Answer),
    (error: unknown) => postMessage({ id: data.id, error: String(error) } satisfies Answer),
  );
};
