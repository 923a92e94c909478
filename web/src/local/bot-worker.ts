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
/** A move, and whether a simpler bot had to make it. */
export type Answer = { id: number; move: string | null; simpler: boolean } | { id: number; error: string };

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

async function answerQuestion(question: Question): Promise<{ move: string | null; simpler: boolean }> {
  const { view, player, seed, milliseconds } = question;
  const [bots, level] = await loadBot(question);
  const simpler = level !== question.level;
  if (!view) return { move: null, simpler };
  const levelNumber = /^level(\d)$/.exec(level)?.[1];
  const chance = bots.chance(seed);
  const move = levelNumber
    ? bots.chooseAt(Number(levelNumber), view, player, chance, { milliseconds })
    : bots.choose(level, view, player, chance, { milliseconds });
  return { move: bots.notation.text(move), simpler };
}

onmessage = ({ data }: MessageEvent<Question>) => {
  answerQuestion(data).then(
    (result) => postMessage({ id: data.id, ...result } satisfies Answer),
    (error: unknown) => postMessage({ id: data.id, error: String(error) } satisfies Answer),
  );
};
