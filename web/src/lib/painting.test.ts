import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterPaint, beforePaint, cutLooks } from './painting';

let frames: (() => void)[] = [];
const paint = (): void => frames.splice(0).forEach((frame) => frame());

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('what is long begins after a picture, once', () => {
  const work = vi.fn();
  afterPaint(work);
  vi.advanceTimersByTime(50);
  expect(work).not.toHaveBeenCalled();
  paint();
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
});

it('where no picture comes, it begins all the same', () => {
  const work = vi.fn();
  afterPaint(work);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
  paint();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
});

it('all look before anything moves', () => {
  const happened: string[] = [];
  for (const name of ['card', 'chip'])
    beforePaint(() => {
      happened.push(`look at ${name}`);
      return () => happened.push(`move ${name}`);
    });
  expect(happened).toEqual([]);
  paint();
  expect(happened).toEqual(['look at card', 'look at chip', 'move card', 'move chip']);
});

it('a show that is cut short, or out of sight, does not begin', () => {
  const look = vi.fn();
  beforePaint(look);
  cutLooks();
  paint();
  vi.stubGlobal('document', { hidden: true });
  beforePaint(look);
  paint();
  expect(look.mock.calls).toEqual([[true], [true]]);
});
