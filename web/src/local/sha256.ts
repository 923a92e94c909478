/** SHA-256 and HMAC (FIPS 180-4, RFC 2104), at once: a page that is not secure has no `crypto.subtle`. */

const primes = (count: number): number[] => {
  const result: number[] = [];
  for (let n = 2; result.length < count; n++) if (result.every((prime) => n % prime)) result.push(n);
  return result;
};
// The first 32 bits of the fraction of a root; doubles are exact enough for those of the first 64 primes.
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
const ROUND_CONSTANTS = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const INITIAL_HASH = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

const rotateRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Message, a one, zeros, and the length in bits. */
function pad(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(message.length) * 8n);
  return view;
}

function mix(hash: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at++) {
    const [w15, w2] = [words[at - 15]!, words[at - 2]!];
    const s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
    const s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
    words[at] = words[at - 16]! + s0 + words[at - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const t1 =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        choice +
        ROUND_CONSTANTS[at]! +
        words[at]!) |
      0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (hash[at]! += word));
}

export function sha256(message: Uint8Array): Uint8Array {
  const view = pad(message);
  const hash = INITIAL_HASH.slice();
  const words = new Uint32Array(64);
  for (let from = 0; from < view.byteLength; from += BLOCK) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(from + 4 * at);
    mix(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, at) => digest.setUint32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

/** For keys of up to 64 bytes. */
export function hmac(key: Uint8Array, text: string): Uint8Array {
  const message = new TextEncoder().encode(text);
  const digest = (pad: number, rest: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(BLOCK + rest.length).fill(pad, 0, BLOCK);
    key.forEach((byte, at) => (bytes[at]! ^= byte));
    bytes.set(rest, BLOCK);
    return sha256(bytes);
  };
  return digest(0x5c, digest(0x36, message));
}

export const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
