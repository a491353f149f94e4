import { assertEquals } from "@std/assert";
import { parseTraceparent, traceOf } from "./trace_context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${PARENT}-01`;

Deno.test("a traceparent is read by its version, and an invalid one is ignored", () => {
  const read = { traceId: TRACE, parentId: PARENT, sampled: true };
  const rows: readonly (readonly [string, typeof read | undefined])[] = [
    [VALID, read],
    [` ${VALID} `, read],
    [`00-${TRACE}-${PARENT}-00`, { ...read, sampled: false }],
    [`00-${TRACE}-${PARENT}-02`, { ...read, sampled: false }],
    [`00-${TRACE}-${PARENT}-ff`, read],
    // A later version may have more fields.
    [`cc-${TRACE}-${PARENT}-01-what-else`, read],
    [`cc-${TRACE}-${PARENT}-01-`, read],
    [`cc-${TRACE}-${PARENT}-01.what`, undefined],
    [`00-${TRACE}-${PARENT}-01-more`, undefined],
    [`ff-${TRACE}-${PARENT}-01`, undefined],
    [`00-${"0".repeat(32)}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
    [`00-${TRACE}-${PARENT}-1`, undefined],
    [`00-${TRACE.slice(1)}-${PARENT}-01`, undefined],
    [`${VALID}, ${VALID}`, undefined],
    ["", undefined],
    ["00", undefined],
  ];
  for (const [text, expected] of rows) assertEquals(parseTraceparent(text), expected, text);
});

Deno.test("a trace is found in any case of the name, and two of them count as none", () => {
  assertEquals(traceOf([["Host", "x"], ["TraceParent", VALID]])?.traceId, TRACE);
  assertEquals(traceOf([["traceparent", VALID], ["traceparent", VALID]]), undefined);
  assertEquals(traceOf([["tracestate", VALID]]), undefined);
  assertEquals(traceOf(undefined), undefined);
});
