/** SHA-256 (FIPS 180-4), at once: the browser's own waits, and is not there for every page. */

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function roots(count: number, power: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => {
    const root = prime ** power;
    return ((root - Math.floor(root)) * 2 ** 32) | 0;
  });
}
const BEGIN = roots(8, 1 / 2);
const KEYS = roots(64, 1 / 3);

export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(64 * Math.ceil((bytes.length + 9) / 64)));
  bytes.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(8 * bytes.length));
  const state = Int32Array.from(BEGIN);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) words[i] = i < 16 ? padded.getInt32(block + 4 * i) : mixed(words, i);
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + sum1 + ((e & f) ^ (~e & g)) + KEYS[i]! + words[i]!) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i]! + word) | 0));
  }
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => result.setInt32(4 * i, word));
  return new Uint8Array(result.buffer);
}

function mixed(words: Int32Array, i: number): number {
  const [early, late] = [words[i - 15]!, words[i - 2]!];
  const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return (words[i - 16]! + sigma0 + words[i - 7]! + sigma1) | 0;
}
