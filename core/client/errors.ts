import type { Verdict } from "./model.ts";

/** The service refused a request; the message is the service's. */
export class RequestError extends Error {
  /** Name of the error class. */
  override name = "RequestError";
  /** HTTP status. */
  readonly status: number;

  /** `status` of the response. */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The awaited events did not arrive in time; the message lists what was captured instead. */
export class WaitError extends RequestError {
  /** Name of the error class. */
  override name = "WaitError";
}

/** An expectation was not met; the message describes the difference from the closest event. */
export class ExpectationError extends RequestError {
  /** Name of the error class. */
  override name = "ExpectationError";
  /** The verdict of the service. */
  readonly verdict: Verdict;

  /** `verdict` of the response. */
  constructor(status: number, verdict: Verdict) {
    super(status, verdict.error ?? "The expectation was not met");
    this.verdict = verdict;
  }
}
