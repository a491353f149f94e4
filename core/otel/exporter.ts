/**
 * Sends spans to a collector by OTLP/HTTP, in batches and one request at a time:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp. Adding a span never blocks, whatever the
 * collector does, and the queue is limited.
 *
 * @module
 */
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Attribute, OtlpSpan } from "./span.ts";

/** Response of the collector. */
export interface OtlpAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Why spans were dropped. */
export type SpanDrop = "queue_full" | "refused" | "unreachable" | "stopped";

/** Counts since the start. */
export interface SpanCounts {
  /** Spans that the collector accepted. */
  readonly sent: number;
  /** Dropped spans, by reason. */
  readonly dropped: ReadonlyMap<SpanDrop, number>;
  /** Spans that are queued or being sent. */
  readonly queued: number;
}

/** Parts of an exporter. */
export interface ExporterOptions {
  /** Resource attributes of the spans. */
  readonly resource: readonly Attribute[];
  /** Version of the program, as the instrumentation scope. */
  readonly version: string;
  /** Posts a JSON request. Rejects without a complete response in time. */
  send(body: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<OtlpAnswer>;
  readonly log: Logger;
  /** Random number from 0 to 1, for the jitter of delays. */
  random(): number;
  /** Factor of all waits, for tests. */
  readonly pace?: number;
}

/** The defaults of the SDKs' batch processor: https://opentelemetry.io/docs/specs/otel/trace/sdk/#batching-processor. */
const MAX_QUEUE = 2048;
const MAX_BATCH = 512;
/**
 * Delay before a batch that is not full is sent; shorter than the default, so that spans appear
 * quickly.
 */
const GATHER_MS = 500;
/** Maximum wait for a response: https://opentelemetry.io/docs/specs/otel/protocol/exporter/. */
const TIMEOUT_MS = 10_000;
/** The same for the last batches when the service stops. */
const LAST_TIMEOUT_MS = 2000;
/** Waits before the second attempt and, doubled each time, before later ones. */
const BACKOFF_MS = { first: 1000, longest: 30_000 };
/** Longest `Retry-After` that is honoured. */
const MAX_RETRY_AFTER_MS = 300_000;
/** Attempts for a batch. */
const MAX_ATTEMPTS = 8;
/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Outcome of an attempt. */
type Outcome =
  | { readonly kind: "done"; readonly rejected: number; readonly message: string | undefined }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "again"; readonly reason: string; readonly afterMs: number | undefined };

/** Holds spans until the collector has accepted them. */
export class SpanExporter implements AsyncDisposable {
  readonly #options: ExporterOptions;
  readonly #dropped = new Map<SpanDrop, number>();
  /** Ends waits. */
  readonly #stopping = new AbortController();
  /** Aborts the current request a moment after the stop. */
  readonly #cutting = new AbortController();
  #queue: OtlpSpan[] = [];
  /** Spans of the batch that is being sent. */
  #active = 0;
  #sent = 0;
  #running: Promise<void> | undefined;
  #wake = (): void => {};
  /** Whether the collector was unreachable at the last attempt. */
  #isFailing = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  get counts(): SpanCounts {
    return {
      sent: this.#sent,
      dropped: this.#dropped,
      queued: this.#queue.length + this.#active,
    };
  }

  /** Queues a span without blocking; drops it if the queue is full. */
  add(span: OtlpSpan): void {
    if (this.#stopping.signal.aborted) return this.#drop("stopped", 1);
    if (this.#queue.length + this.#active >= MAX_QUEUE) return this.#drop("queue_full", 1);
    this.#queue.push(span);
    if (this.#running === undefined) this.#running = this.#run();
    else if (this.#queue.length >= MAX_BATCH && this.#active === 0) this.#wake();
  }

  /** Sends the queued spans, unless the collector was unreachable. Takes a few seconds at most. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    const timer = setTimeout(() => this.#cutting.abort(), LAST_TIMEOUT_MS);
    await this.#running;
    clearTimeout(timer);
    while (this.#queue.length > 0 && !this.#isFailing) {
      const batch = this.#queue.splice(0, MAX_BATCH);
      const outcome = await this.#attempt(batch, {
        timeoutMs: LAST_TIMEOUT_MS,
        // Ended by its own timeout.
        signal: new AbortController().signal,
      });
      if (outcome.kind === "again") this.#isFailing = true;
      this.#conclude(batch, outcome.kind === "again" ? "stopped" : outcome);
    }
    this.#drop("stopped", this.#queue.splice(0).length);
  }

  /** Sends batches until the queue is empty; never rejects. */
  async #run(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stopping.signal.aborted) {
      if (this.#queue.length < MAX_BATCH) await this.#sleep(GATHER_MS);
      if (this.#stopping.signal.aborted) break;
      const batch = this.#queue.splice(0, MAX_BATCH);
      this.#active = batch.length;
      const outcome = await this.#deliver(batch);
      this.#active = 0;
      if (outcome === undefined) this.#queue = [...batch, ...this.#queue];
      else this.#conclude(batch, outcome);
    }
    this.#running = undefined;
  }

  /** Retries a batch until it succeeds or is dropped; `undefined` if the service stops meanwhile. */
  async #deliver(batch: readonly OtlpSpan[]): Promise<Outcome | "unreachable" | undefined> {
    const { signal: stopped } = this.#stopping;
    const { signal } = this.#cutting;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const outcome = await this.#attempt(batch, { timeoutMs: TIMEOUT_MS, signal });
      if (outcome.kind !== "again") return outcome;
      this.#tellFailure(outcome.reason);
      if (stopped.aborted) return undefined;
      if (attempt === MAX_ATTEMPTS) break;
      const backoffMs = Math.min(BACKOFF_MS.first * 2 ** (attempt - 1), BACKOFF_MS.longest);
      // Up to half of it is random: https://opentelemetry.io/docs/specs/otlp/#otlphttp-connection
      await this.#sleep(outcome.afterMs ?? backoffMs * (0.5 + this.#options.random() / 2));
      if (stopped.aborted) return undefined;
    }
    return "unreachable";
  }

  async #attempt(
    batch: readonly OtlpSpan[],
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome> {
    const { resource, version } = this.#options;
    const scopeSpans = [{ scope: { name: "standin", version }, spans: batch }];
    const body = JSON.stringify({
      resourceSpans: [{ resource: { attributes: resource }, scopeSpans }],
    });
    try {
      return toOutcome(await this.#options.send(body, options));
    } catch (error) {
      return { kind: "again", reason: reasonOf(error), afterMs: undefined };
    }
  }

  #conclude(batch: readonly OtlpSpan[], outcome: Outcome | "unreachable" | "stopped"): void {
    if (typeof outcome === "string") return this.#drop(outcome, batch.length);
    const { log } = this.#options;
    if (outcome.kind === "refused") {
      log.warn("The collector refuses spans", { spans: batch.length, reason: outcome.reason });
      return this.#drop("refused", batch.length);
    }
    if (outcome.kind === "again") return;
    const rejected = Math.min(outcome.rejected, batch.length);
    if (outcome.message !== undefined) {
      log.warn("The collector did not accept all of the spans", {
        spans: rejected,
        reason: outcome.message,
      });
    }
    if (this.#isFailing) log.info("The collector accepts spans again");
    this.#isFailing = false;
    this.#sent += batch.length - rejected;
    this.#drop("refused", rejected);
  }

  /** Logged once, until it is reachable again. */
  #tellFailure(reason: string): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.log.warn("Cannot send spans to the collector; trying again", { reason });
  }

  #drop(why: SpanDrop, count: number): void {
    if (count > 0) this.#dropped.set(why, (this.#dropped.get(why) ?? 0) + count);
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms * (this.#options.pace ?? 1));
    await promise;
    clearTimeout(timer);
  }
}

function toOutcome({ status, headers, body }: OtlpAnswer): Outcome {
  if (status >= 200 && status < 300) return { kind: "done", ...toPartial(body) };
  const reason = `It answered ${status}`;
  if (!RETRYABLE.has(status)) return { kind: "refused", reason };
  return { kind: "again", reason, afterMs: parseRetryAfter(headers["retry-after"]) };
}

/** https://opentelemetry.io/docs/specs/otlp/#partial-success-1 */
function toPartial(body: Uint8Array): { rejected: number; message: string | undefined } {
  try {
    const { partialSuccess: partial } = JSON.parse(new TextDecoder().decode(body)) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string };
    };
    const rejected = Math.max(0, Math.trunc(Number(partial?.rejectedSpans ?? 0))) || 0;
    const text = partial?.errorMessage;
    const message = typeof text === "string" && text !== "" ? text.slice(0, 500) : undefined;
    return { rejected, message: message ?? (rejected > 0 ? "It gave no reason" : undefined) };
  } catch {
    // An empty response, or one that is not JSON, means that everything was accepted.
    return { rejected: 0, message: undefined };
  }
}

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3), seconds or a date, to milliseconds; `undefined`
 * for neither.
 */
function parseRetryAfter(text: string | undefined, nowMs = Date.now()): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
