/**
 * Shared session of command protocols such as SMTP (RFC 5321) and FTP (RFC 959): a line is a verb with an argument, and
 * gets a reply with a three-digit code.
 *
 * @module
 */
import type { Memory } from "../memory/budget.ts";
import { TimeSlice } from "../time_slice.ts";

/** A parsed command line. */
export interface LineCommand {
  /** In upper case; empty for an unreadable line. */
  readonly verb: string;
  readonly argument: string;
}

/** Reply to a command. */
export interface LineReply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** A refused command in the journal. */
export interface RefusedCommand {
  readonly reason: string;
  readonly status: number;
  /** Its verb, at most 20 characters. */
  readonly method?: string;
  /** Its argument, at most 1000 characters. */
  readonly path?: string;
}

/** Effect of a reply: errors count towards the end of the conversation, a good reply resets the count. */
export type Verdict = "good" | "error" | "neither";

/** An unreadable line. */
export const NO_COMMAND: LineCommand = { verb: "", argument: "" };

/** The reply before a close, in both protocols. */
const CLOSING = 421;
/** Pipelined commands (RFC 2920) answered between two turns of the event loop: about a millisecond of work. */
const COMMANDS_A_TURN = 256;
/** Bytes of commands after which their garbage is counted. */
const COUNTED_BYTES = 65_536;
/** Garbage for each byte of a command: its buffers, its text, and the parts of it. */
const GARBAGE_FACTOR = 6;
const MAX_VERB = 20;
const MAX_ARGUMENT = 1000;

/** One conversation, command by command. The protocol reads, runs and answers the lines. */
export abstract class LineSession<R extends LineReply> {
  /** Set to end the conversation after the reply. */
  ended = false;
  /** Budget that the garbage of its commands counts in. */
  readonly memory: Memory;
  readonly #maxErrors: number;
  #errors = 0;
  /** Bytes of commands since their garbage was last counted. */
  #uncounted = 0;

  /** More than `maxErrors` errors in a row end the conversation. */
  constructor({ maxErrors, memory }: { readonly maxErrors: number; readonly memory: Memory }) {
    this.#maxErrors = maxErrors;
    this.memory = memory;
  }

  /** Bytes received that are not read yet. */
  abstract get waitingBytes(): number;
  /** Returns the next line, the reply to one that cannot be taken, or `undefined` at the end of the stream. */
  abstract readLine(): Promise<Uint8Array | R | undefined>;
  /** Parses a line; `undefined` for an empty one, which gets no reply. Throws errors for `replyTo`. */
  abstract decode(line: Uint8Array): LineCommand | undefined;
  /** Runs a command; returns nothing if the reply was sent already. */
  abstract run(command: LineCommand): R | undefined | Promise<R | undefined>;
  /** Returns the reply to an error of a command; throws errors that end the conversation. */
  abstract replyTo(error: unknown, command: LineCommand): R;
  /** Sends a reply. */
  abstract send(reply: R): Promise<void>;
  /** Judges a reply. */
  abstract verdictOf(reply: R | undefined): Verdict;
  /** Returns whether the journal keeps a refused command. */
  abstract isNoted(reply: R, command: LineCommand): boolean;
  /** Adds a refused command to the journal. */
  abstract refused(command: RefusedCommand): void;
  /** Called after the reply to each command. */
  abstract afterReply(about: { readonly tooManyErrors: boolean }): void;

  /** Answers commands. Resolves with `true` once the conversation was ended, `false` if the client closed its side first. */
  async converse(): Promise<boolean> {
    // A client that sends without a pause would keep all others waiting, and fill the memory before its writes block.
    let inTurn = 0;
    while (!this.ended) {
      if (this.waitingBytes === 0) inTurn = 0;
      else if (inTurn++ >= COMMANDS_A_TURN) {
        await new TimeSlice().yieldToEventLoop();
        inTurn = 1;
      }
      const line = await this.readLine();
      if (line === undefined) return false;
      const reply = line instanceof Uint8Array ? await this.#execute(line) : line;
      const counted = line instanceof Uint8Array ? this.#countGarbage(line.length) : undefined;
      if (counted !== undefined) await counted;
      if (reply !== undefined) await this.send(reply);
      if (reply?.code === CLOSING) this.ended = true;
      this.afterReply({ tooManyErrors: this.#errors > this.#maxErrors });
    }
    return true;
  }

  /** Counts errors, and records refused commands. */
  judge(reply: R | undefined, command: LineCommand): void {
    const verdict = this.verdictOf(reply);
    if (verdict === "good") this.#errors = 0;
    if (verdict === "error") this.#errors++;
    if (reply === undefined || !this.isNoted(reply, command)) return;
    const { verb, argument } = command;
    this.refused({
      status: reply.code,
      reason: reply.lines.join(" "),
      ...(verb === ""
        ? {}
        : { method: verb.slice(0, MAX_VERB), path: argument.slice(0, MAX_ARGUMENT) }),
    });
  }

  /** A client that sends without pause waits for a collection when garbage fills the memory. */
  #countGarbage(bytes: number): Promise<void> | undefined {
    this.#uncounted += bytes;
    if (this.#uncounted < COUNTED_BYTES) return undefined;
    const garbage = this.#uncounted * GARBAGE_FACTOR;
    this.#uncounted = 0;
    return this.memory.waste(garbage);
  }

  async #execute(line: Uint8Array): Promise<R | undefined> {
    let command = NO_COMMAND;
    let reply: R | undefined;
    try {
      const decoded = this.decode(line);
      if (decoded === undefined) return undefined;
      command = decoded;
      reply = await this.run(command);
    } catch (error) {
      reply = this.replyTo(error, command);
    }
    this.judge(reply, command);
    return reply;
  }
}
