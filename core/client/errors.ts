import type { Verdict } from "./model.ts";

/** The service refused a request; the message is the service's own. */
export class RequestError extends Error {
  /** Name of its kind. */
  override name = "RequestError";
  /** HTTP status. */
  readonly status: number;

  /** `status` as answered. */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What was waited for did not come about in time; the message lists what was captured instead. */
export class WaitError extends RequestError {
  /** Name of its kind. */
  override name = "WaitError";
}

/** An expectation was not met; the message says what differs from the closest event. */
export class ExpectationError extends RequestError {
  /** Name of its kind. */
  override name = "ExpectationError";
  /** What it came to. */
  readonly verdict: Verdict;

  /** `verdict` as answered. */
  constructor(status: number, verdict: Verdict) {
    super(status, verdict.error ?? "The expectation was not met");
    this.verdict = verdict;
  }
}
