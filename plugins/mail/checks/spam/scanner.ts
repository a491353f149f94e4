import { join } from "../../../../core/bytes/concat.ts";
import type { CheckContext } from "../../../../core/plugin.ts";
import { reasonOf } from "../../../../core/errors.ts";
import { encodeReportRequest, parseReport, type SpamReport } from "./spamc.ts";

/** Largest message that is sent, in bytes; `spamc` has the same default. */
export const MAX_MESSAGE = 512_000;
/** Largest response that is read, in bytes. */
const MAX_ANSWER = 262_144;
/**
 * Time limits for connecting, and for the whole response, in milliseconds. SpamAssassin may query
 * name servers.
 */
const LIMITS = { connectMs: 3000, answerMs: 30_000 };
/** Messages scanned at a time: spamd has five children by default. */
const AT_A_TIME = 4;
/** Pause after a scan without a response, in milliseconds. */
export const PAUSE_MS = 10_000;

/** Result of a scan. */
export type Scan =
  | { readonly report: SpamReport }
  /** No response; a later scan may succeed. */
  | { readonly failure: string };

/** The parts of the service that a scan uses. */
export type ScanContext = Pick<CheckContext, "connect" | "now">;

/** Scans messages with SpamAssassin, a few at a time. */
export class SpamScanner {
  readonly #limits: typeof LIMITS;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** The last failure, and the time of the next attempt in milliseconds since 1970. */
  #down: { readonly failure: string; readonly untilMs: number } | undefined;

  constructor(limits: typeof LIMITS = LIMITS) {
    this.#limits = limits;
  }

  /** Returns the report on a message; never rejects. */
  async scan(message: Uint8Array, ctx: ScanContext): Promise<Scan> {
    await this.#begin();
    try {
      const nowMs = ctx.now().getTime();
      if (this.#down !== undefined && nowMs < this.#down.untilMs) {
        return { failure: this.#down.failure };
      }
      this.#down = undefined;
      const report = await this.#ask(message, ctx);
      if (report.ok) return { report: report.value };
      return { failure: report.refusal };
    } catch (error) {
      const failure = reasonOf(error);
      this.#down = { failure, untilMs: ctx.now().getTime() + PAUSE_MS };
      return { failure };
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #begin(): Promise<void> {
    while (this.#running >= AT_A_TIME) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running++;
  }

  async #ask(message: Uint8Array, { connect }: ScanContext) {
    const { connectMs, answerMs } = this.#limits;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    try {
      await using wire = await connect("spamassassin", {
        timeoutMs: connectMs,
        signal: late.signal,
      });
      await wire.write(encodeReportRequest(message), { idleMs: answerMs });
      const chunks: Uint8Array[] = [];
      let size = 0;
      for (;;) {
        const chunk = await wire.read({ idleMs: answerMs });
        // spamd closes the connection after its response.
        if (chunk === undefined) break;
        size += chunk.length;
        if (size > MAX_ANSWER) throw new RangeError(`it answered more than ${MAX_ANSWER} bytes`);
        chunks.push(chunk);
      }
      return parseReport(new TextDecoder().decode(join(chunks)));
    } catch (error) {
      if (late.signal.aborted) throw new Error(`no response in ${answerMs} ms`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
