/**
 * What conversations of commands have in common, SMTP (RFC 5321) and FTP (RFC 959) among them: a line is a verb with an
 * argument, and gets a reply with a code of three digits.
 *
 * @module
 */

/** A command as its line says it. */
export interface LineCommand {
  /** In upper case; empty for a line that could not be read. */
  readonly verb: string;
  readonly argument: string;
}

/** What a command is answered. */
export interface LineReply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** What the journal keeps of a refused command. */
export interface RefusedCommand {
  readonly reason: string;
  readonly status: number;
  /** Its verb, at most 20 characters. */
  readonly method?: string;
  /** Its argument, at most 1000 characters. */
  readonly path?: string;
}

/** What a reply says of the command: an error counts towards the end of the conversation, one that is good forgives. */
export type Verdict = "good" | "error" | "neither";

/** A line that could not be read as a command. */
export const NO_COMMAND: LineCommand = { verb: "", argument: "" };

/** The reply after which a connection is closed, in both protocols. */
const CLOSING = 421;
const MAX_VERB = 20;
const MAX_ARGUMENT = 1000;

/** One conversation, command by command. The protocol says how lines are read, run and answered. */
export abstract class LineSession<R extends LineReply> {
  /** Set by what ends the conversation behind its reply. */
  ended = false;
  readonly #maxErrors: number;
  #errors = 0;

  /** A client that makes more than `maxErrors` errors in a row makes no sense any more. */
  constructor({ maxErrors }: { readonly maxErrors: number }) {
    this.#maxErrors = maxErrors;
  }

  /** The next line, the reply to one that cannot be taken, or `undefined` at the end of the stream. */
  abstract readLine(): Promise<Uint8Array | R | undefined>;
  /** The command of a line; `undefined` for one that says nothing, and gets no reply. Throws what `replyTo` takes. */
  abstract decode(line: Uint8Array): LineCommand | undefined;
  /** Does what a command asks for; nothing where the reply was sent already. */
  abstract run(command: LineCommand): R | undefined | Promise<R | undefined>;
  /** The reply to what went wrong with a command; throws what ends the conversation. */
  abstract replyTo(error: unknown, command: LineCommand): R;
  /** Sends a reply. */
  abstract send(reply: R): Promise<void>;
  /** How a reply counts. */
  abstract verdictOf(reply: R | undefined): Verdict;
  /** Whether the journal keeps a refused command. */
  abstract isNoted(reply: R, command: LineCommand): boolean;
  /** Puts a refused command into the journal. */
  abstract refused(command: RefusedCommand): void;
  /** After the reply to each command. */
  abstract afterReply(about: { readonly tooManyErrors: boolean }): void;

  /** Answers commands; `true` once the conversation was ended, `false` where the client closed its side first. */
  async converse(): Promise<boolean> {
    while (!this.ended) {
      const line = await this.readLine();
      if (line === undefined) return false;
      const reply = line instanceof Uint8Array ? await this.#execute(line) : line;
      if (reply !== undefined) await this.send(reply);
      if (reply?.code === CLOSING) this.ended = true;
      this.afterReply({ tooManyErrors: this.#errors > this.#maxErrors });
    }
    return true;
  }

  /** Counts errors, and notes what was refused for good. */
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
