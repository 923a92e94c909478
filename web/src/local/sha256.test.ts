import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hex, hmac, sha256 } from './sha256';

test('digests are those of everybody else, for every length around a block', () => {
  for (let length = 0; length < 140; length++) {
    const bytes = randomBytes(length);
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

test('so are keyed ones', () => {
  for (const length of [0, 1, 32, 64]) {
    const key = randomBytes(length);
    for (const text of ['', 'draw 12 0', 'ü'.repeat(80)])
      expect(hex(hmac(key, text))).toBe(createHmac('sha256', key).update(text).digest('hex'));
  }
});
