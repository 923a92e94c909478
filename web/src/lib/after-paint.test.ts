import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterPaint, beforePaint, cancelMeasurements } from './after-paint';

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
  const callback = vi.fn();
  afterPaint(callback);
  vi.advanceTimersByTime(50);
  expect(callback).not.toHaveBeenCalled();
  paint();
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(callback).toHaveBeenCalledOnce();
});

it('where no picture comes, it begins all the same', () => {
  const callback = vi.fn();
  afterPaint(callback);
  vi.advanceTimersByTime(1000);
  expect(callback).toHaveBeenCalledOnce();
  paint();
  vi.advanceTimersByTime(1000);
  expect(callback).toHaveBeenCalledOnce();
});

it('all look before anything moves', () => {
  const log: string[] = [];
  for (const name of ['card', 'chip'])
    beforePaint(() => {
      log.push(`look at ${name}`);
      return () => log.push(`move ${name}`);
    });
  expect(log).toEqual([]);
  paint();
  expect(log).toEqual(['look at card', 'look at chip', 'move card', 'move chip']);
});

it('a show that is cut short, or out of sight, does not begin', () => {
  const measure = vi.fn();
  beforePaint(measure);
  cancelMeasurements();
  paint();
  vi.stubGlobal('document', { hidden: true });
  beforePaint(measure);
  paint();
  expect(measure.mock.calls).toEqual([[true], [true]]);
});
