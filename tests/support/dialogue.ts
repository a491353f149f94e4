import { AssertionError } from "@std/assert";
import { BufferedWire } from "../../core/net/buffered_wire.ts";
import type { Transport } from "../../core/net/transport.ts";

/**
 * One step of a conversation in lines: `[">", text]` sends the text and CR LF, `[">>", bytes]` sends as given,
 * `["<", pattern]` expects a line, `["<end"]` expects the end of the stream.
 */
export type Step =
  | readonly [">", string]
  | readonly [">>", string | Uint8Array]
  | readonly ["<", RegExp | string]
  | readonly ["<end"];

const WAIT_MS = 5000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The client's end of a conversation in lines. */
export class Dialogue {
  readonly #wire: BufferedWire;

  constructor(wire: Transport) {
    this.#wire = new BufferedWire(wire);
  }

  /** Plays steps in order; fails with the whole conversation if a line differs. */
  async play(steps: readonly Step[]): Promise<void> {
    const said: string[] = [];
    for (const step of steps) {
      if (step[0] === ">") await this.send(`${step[1]}\r\n`);
      else if (step[0] === ">>") await this.send(step[1]);
      else {
        const line = await this.line();
        said.push(`< ${line ?? "(end)"}`);
        const wanted = step[0] === "<" ? step[1] : undefined;
        if (!fits(line, wanted)) {
          throw new AssertionError(`Expected ${wanted ?? "the end"} after\n${said.join("\n")}`);
        }
        continue;
      }
      said.push(`> ${typeof step[1] === "string" ? step[1].slice(0, 200) : "(bytes)"}`);
    }
  }

  /** Sends text or bytes unchanged. */
  async send(data: string | Uint8Array): Promise<void> {
    await this.#wire.write(typeof data === "string" ? encoder.encode(data) : data);
  }

  /** The next line without its line end; `undefined` at the end of the stream. */
  async line(): Promise<string | undefined> {
    const line = await this.#wire.line({ maxBytes: 1_000_000, idleMs: WAIT_MS });
    return line === undefined ? undefined : decoder.decode(line).replace(/\r?\n$/, "");
  }

  /** The lines of one reply; all but the last have a hyphen after the code, as in SMTP and FTP. */
  async reply(): Promise<readonly string[]> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.line();
      if (line === undefined) return lines;
      lines.push(line);
      if (line[3] !== "-") return lines;
    }
  }
}

function fits(line: string | undefined, wanted: RegExp | string | undefined): boolean {
  if (line === undefined || wanted === undefined) return line === wanted;
  return typeof wanted === "string" ? line === wanted : wanted.test(line);
}
