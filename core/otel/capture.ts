import type { CapturedEvent } from "../events/event.ts";
import type { Logger } from "../log.ts";
import type { SpanCounts } from "./exporter.ts";

/** Sends a span for each capture. */
export interface CaptureSpans extends AsyncDisposable {
  /** Takes no time. */
  capture(event: CapturedEvent): void;
  readonly counts: SpanCounts;
}

/** Context of spans, besides the event. */
export interface SpanContext {
  readonly log: Logger;
  now(): Date;
  /** Absolute address of an event's page. */
  eventUrl(id: string): string;
}
