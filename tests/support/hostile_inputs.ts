/**
 * Inputs that are cheap to send and once were dear to read, each at the size that its listener takes.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { latin1 } from "./hostile.ts";
import { MllpClient } from "./mllp.ts";
import { listening } from "./program.ts";
import type { Target } from "./under_attack.ts";

/** One of them. */
export interface HostileInput {
  /** What is going on: the end of "others are answered while". */
  readonly name: string;
  /** Makes the input, and sends what has to be there before; what it returns sends the input. */
  prepare(target: Target): Promise<() => Promise<void>>;
}

const MIB = 1024 ** 2;

/** `text` again and again, up to so many characters. */
function fill(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

async function portOf(target: Target, provider: string): Promise<number> {
  return (await listening(target)).endpoint(provider).port;
}

/** Sends a request and reads the answer to its end. */
async function ask(url: string, init: RequestInit & { readonly status?: number } = {}) {
  const { status = 200, ...request } = init;
  const response = await fetch(url, request);
  await response.body?.pipeTo(new WritableStream());
  assertEquals(response.status, status, url);
}

/** An S3 request with a document for its body. */
function xml(name: string, body: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const url = `http://127.0.0.1:${await portOf(target, "http")}/hostile`;
      return () => ask(url, { method: "PUT", body, status: 400 });
    },
  };
}

/** An HL7 message, and what is asked about it afterwards. */
function hl7(name: string, message: string, query?: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const address = { hostname: "127.0.0.1", port: await portOf(target, "mllp") };
      const frame = latin1(`\x0b${message}\x1c\r`);
      return async () => {
        using client = await MllpClient.open(address);
        await client.send(frame);
        await client.answer();
        const list = `${target.urls.api}/api/v1/hl7/messages`;
        if (query !== undefined) await ask(`${list}?${query}`);
      };
    },
  };
}

const HL7_HEADER = "MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\r";

/** Every hostile input. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [
  xml("an S3 document nests elements without an end", fill("<a>", 2 * MIB)),
  hl7(
    "a list looks for a field of 130 000 repetitions",
    `${HL7_HEADER}PID|1||${fill("4711~", 650_000)}`,
    "path=PID-3.1&include_segments=false",
  ),
];
