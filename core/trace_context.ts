/**
 * The trace context of a request: W3C Trace Context, https://www.w3.org/TR/trace-context/.
 *
 * @module
 */
import type { HeaderPairs } from "./events/event.ts";

/** Content of a valid `traceparent`. */
export interface TraceContext {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** `parent-id`: the span of the sender, 16 lower-case hex digits, not all zero. */
  readonly parentId: string;
  /** Whether the sender may have recorded its span. */
  readonly sampled: boolean;
}

/** Section 3.2.2. A version after 00 may add fields behind a dash; `ff` is no version. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;

/**
 * Parses a `traceparent`; `undefined` for an invalid one, which receivers must ignore (section
 * 4.3).
 */
export function parseTraceparent(text: string): TraceContext | undefined {
  const { version, trace, parent, flags, more } = TRACEPARENT.exec(text.trim())?.groups ?? {};
  if (trace === undefined || parent === undefined) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  // Section 3.2.2.5: the lowest bit is `sampled`.
  return { traceId: trace, parentId: parent, sampled: (parseInt(flags!, 16) & 1) === 1 };
}

/**
 * Returns the trace in header fields; `undefined` without one, and for several, which are all
 * ignored.
 */
export function traceOf(headers: HeaderPairs | undefined): TraceContext | undefined {
  let found: string | undefined;
  for (const [name, value] of headers ?? []) {
    if (name.length !== TRACE_HEADER.length || name.toLowerCase() !== TRACE_HEADER) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found === undefined ? undefined : parseTraceparent(found);
}

/** Section 3.2.1. */
const TRACE_HEADER = "traceparent";
