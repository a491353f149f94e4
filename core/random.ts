import { randomBits } from "./ids.ts";

/** Source of randomness; with a seed it is the same in every run. */
export interface Random {
  /** 32 bits. */
  bits(): number;
  /** UUID version 4 (RFC 9562). */
  uuid(): string;
}

/** The platform's random source. */
export function systemRandom(): Random {
  return { bits: randomBits(), uuid: () => crypto.randomUUID() };
}

/** Returns the same sequence for the same seed; not for secrets. */
export function seededRandom(seed: string): Random {
  const bits = sfc32(seed);
  return {
    bits,
    uuid() {
      const hex = Array.from({ length: 4 }, () => bits().toString(16).padStart(8, "0")).join("");
      const variant = "89ab"[bits() & 3];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-` +
        `${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

/** Small Fast Counter by Chris Doty-Humphrey (PractRand), 32 bits wide, with a state derived from a text by FNV-1a. */
function sfc32(seed: string): () => number {
  let [a, b, c] = [fnv1a(`a${seed}`), fnv1a(`b${seed}`), fnv1a(`c${seed}`)];
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21 | c >>> 11) + sum) | 0;
    return sum >>> 0;
  };
  // The first numbers still reveal how similar two seeds are.
  for (let i = 0; i < 15; i++) next();
  return next;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
