/** Scripted responses to captured requests. */
import { compact } from "../../core/compact.ts";
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { type Holding, type Memory, unboundedMemory } from "../../core/memory/budget.ts";
import { bytesOf } from "../../core/memory/size.ts";
import { parseDurationMs } from "../../core/options/duration.ts";
import { unknownName } from "../../core/options/suggest.ts";
import type { WebhookAnswer } from "./model.ts";

/**
 * Maximum number of responses, one for each name and method; maximum total bytes, and their part of
 * the memory limit.
 */
const [MAX_ANSWERS, MAX_BYTES, SHARE] = [1000, 128 * 1_048_576, 1 / 16];
/** Longest body, in characters. */
const MAX_BODY = 1_048_576;
/** Maximum delay, in milliseconds. */
const MAX_DELAY_MS = 60_000;
/** Maximum number of header fields. */
const MAX_HEADERS = 50;
/** Statuses without a body (RFC 9110 section 15). */
const BODILESS: readonly number[] = [204, 205, 304];
/** The connection's own fields, which the listener sets; none may be in an HTTP/2 response (RFC 9113 section 8.2.2). */
const RESERVED: readonly string[] = [
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const KEYS = ["name", "method", "status", "headers", "body", "json", "delay", "times"] as const;

/** Default response. */
const DEFAULT_ANSWER: Omit<WebhookAnswer, "name"> = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"ok":true}\n',
  delay_ms: 0,
};

/**
 * Parses a response from a file or a request. Throws `TypeError` or `RangeError` with the key and
 * what is valid.
 */
export function readAnswer(given: Readonly<Record<string, unknown>>): WebhookAnswer {
  for (const key of Object.keys(given)) {
    if (!(KEYS as readonly string[]).includes(key)) {
      throw new TypeError(`Cannot use the response: ${unknownName("key", key, KEYS)}`);
    }
  }
  const { name, method, json } = given;
  if (typeof name !== "string" || !/^(\*|[^/\s]+)$/.test(name)) {
    throw new TypeError('Cannot use name: expected the text after /hook/, or "*" for every name');
  }
  if (method !== undefined && (typeof method !== "string" || !/^[A-Z]+$/.test(method))) {
    throw new TypeError("Cannot use method: expected a method such as POST, in capitals");
  }
  if (json !== undefined && given.body !== undefined) {
    throw new TypeError("Cannot use body and json together: set one of them");
  }
  const status = readStatus(given.status);
  const body = json === undefined ? readBody(given.body) : `${JSON.stringify(json)}\n`;
  if (body !== "" && BODILESS.includes(status)) {
    throw new RangeError(`Cannot use body: a response with status ${status} has no body`);
  }
  const headers = readHeaders(given.headers);
  const typed = Object.keys(headers).some((key) => key.toLowerCase() === "content-type");
  const type = json === undefined ? "text/plain; charset=utf-8" : "application/json";
  return {
    name,
    ...compact({ method }),
    status,
    headers: typed || body === "" ? headers : { "content-type": type, ...headers },
    body,
    delay_ms: readDelay(given.delay),
    ...compact({ times: readTimes(given.times) }),
  };
}

function readStatus(value: unknown = 200): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599) {
    return value;
  }
  throw new RangeError("Cannot use status: expected an integer from 200 to 599");
}

function readBody(value: unknown = ""): string {
  if (typeof value !== "string") throw new TypeError("Cannot use body: expected text, or use json");
  if (value.length <= MAX_BODY) return value;
  throw new RangeError(`Cannot use body: expected at most ${MAX_BODY} characters`);
}

function readHeaders(value: unknown = {}): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw new TypeError("Cannot use headers: expected strings by name");
  const entries = Object.entries(value);
  if (entries.length > MAX_HEADERS) {
    throw new RangeError(`Cannot use headers: expected at most ${MAX_HEADERS}`);
  }
  const headers = entries.map(([name, text]): [string, string] => {
    if (typeof text !== "string") throw new TypeError(`Cannot use header ${name}: expected text`);
    if (RESERVED.includes(name.toLowerCase())) {
      throw new RangeError(`Cannot use header ${name}: the listener sets it`);
    }
    try {
      new Headers([[name, text]]);
    } catch {
      throw new TypeError(`Cannot use header ${JSON.stringify(name)}: it is not a valid field`);
    }
    return [name, text];
  });
  // A field may be called __proto__.
  return Object.fromEntries(headers);
}

function readDelay(value: unknown = "0s"): number {
  const ms = typeof value === "string" ? parseDurationMs(value) : undefined;
  if (ms !== undefined && ms <= MAX_DELAY_MS) return Math.round(ms);
  throw new RangeError('Cannot use delay: expected a duration of at most 60s, such as "250ms"');
}

function readTimes(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new RangeError("Cannot use times: expected an integer of at least 1");
}

/** The responses of a service: those of the file, and those added since, which come first. */
export class Answers {
  #fixed: readonly WebhookAnswer[] = [];
  readonly #added = new Map<string, WebhookAnswer>();
  /** Remaining uses of responses in the file that have a limit. */
  readonly #left = new Map<string, number>();
  readonly #holding: Holding;
  readonly #maxBytes: number;
  #bytes = 0;

  /** Counts the added ones in `memory`, if given. */
  constructor(memory: Pick<Memory, "holding" | "limitBytes"> = unboundedMemory()) {
    this.#holding = memory.holding();
    this.#maxBytes = Math.min(MAX_BYTES, memory.limitBytes * SHARE);
  }

  /** Sets the responses of the file, which stay after a reset. */
  fix(answers: readonly WebhookAnswer[]): void {
    this.#fixed = answers;
    this.clear();
  }

  /**
   * Adds a response; one with the same name and method is replaced. Throws `RangeError` for more than 1000, or more than
   * 128 MiB or a sixteenth of `memory_limit` together.
   */
  add(answer: WebhookAnswer): void {
    const key = keyOf(answer);
    if (!this.#added.has(key) && this.#added.size >= MAX_ANSWERS) {
      throw new RangeError(`Cannot add a response: at most ${MAX_ANSWERS} are held`);
    }
    const more = bytesOf(answer) - bytesOf(this.#added.get(key));
    if (more > 0 && this.#bytes + more > this.#maxBytes) {
      throw new RangeError("Cannot add a response: the others leave no room; remove some");
    }
    this.#added.set(key, answer);
    this.#count(more);
  }

  #count(more: number): void {
    this.#bytes += more;
    this.#holding.set(this.#bytes);
  }

  #delete(key: string, answer: WebhookAnswer): void {
    this.#added.delete(key);
    this.#count(-bytesOf(answer));
  }

  /** In the order in which they are tried. */
  list(): readonly WebhookAnswer[] {
    const fixed = this.#fixed.filter((answer) => !this.#added.has(keyOf(answer)))
      .map((answer) => {
        const left = this.#left.get(keyOf(answer));
        return left === undefined ? answer : { ...answer, times: left };
      })
      .filter(({ times }) => times !== 0);
    return [...this.#added.values(), ...fixed].sort((a, b) => rankOf(a) - rankOf(b));
  }

  /**
   * Returns the response to a request, and counts the use. The most specific one applies: name and
   * method, then name, then `*`.
   */
  take(name: string, method: string): Omit<WebhookAnswer, "name"> {
    const found = this.list().find((answer) =>
      (answer.name === name || answer.name === "*") &&
      (answer.method === undefined || answer.method === method)
    );
    if (found?.times === undefined) return found ?? DEFAULT_ANSWER;
    const key = keyOf(found);
    const left = found.times - 1;
    if (!this.#added.has(key)) this.#left.set(key, left);
    else if (left === 0) this.#delete(key, found);
    else this.#added.set(key, { ...found, times: left });
    return found;
  }

  /** Removes the added responses to a name, or all. Returns how many there were. */
  remove(name?: string): number {
    const before = this.#added.size;
    for (const [key, answer] of this.#added) {
      if (name === undefined || answer.name === name) this.#delete(key, answer);
    }
    return before - this.#added.size;
  }

  /** Resets to the responses of the file. */
  clear(): void {
    this.#added.clear();
    this.#left.clear();
    this.#count(-this.#bytes);
  }
}

function keyOf({ name, method = "" }: WebhookAnswer): string {
  return `${method} ${name}`;
}

function rankOf({ name, method }: WebhookAnswer): number {
  return (name === "*" ? 2 : 0) + (method === undefined ? 1 : 0);
}
