/** Answers of SendGrid v3 Mail Send. Pure. */
import { helpFor, type Violation } from "./violation.ts";

/** Nothing in the body; 202 when queued, 200 when only checked in sandbox mode. */
export function accepted(messageId: string, options: { readonly sandbox: boolean }): Response {
  return new Response(null, {
    status: options.sandbox ? 200 : 202,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": "0",
      "X-Message-Id": messageId,
    },
  });
}

/** `{"errors":[{"message","field","help"}]}`. */
export function refused(
  status: number,
  violations: readonly Violation[],
  headers: HeadersInit = {},
): Response {
  const errors = violations.map((violation) => ({
    message: violation.message,
    field: violation.field,
    help: helpFor(violation),
  }));
  const all = new Headers(headers);
  all.set("Content-Type", "application/json");
  return new Response(JSON.stringify({ errors }), { status, headers: all });
}

/** A refusal that concerns no property. */
export function refusedWhole(
  status: number,
  message: string,
  headers: HeadersInit = {},
): Response {
  return refused(status, [{ message, field: null }], headers);
}
