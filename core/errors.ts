/** The errors a caller may want to tell apart; everything else is a fault of ours. */

/** Settings that cannot be used. Carries every problem found, each naming the setting, its value and what is valid. */
export class ConfigError extends Error {
  /** Tells the class by name, also across module copies. */
  override name = "ConfigError";
  /** Every problem, a sentence each. */
  readonly problems: readonly string[];

  /** Takes one problem or all that were found. */
  constructor(problems: string | readonly string[]) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(list.join("\n"));
    this.problems = list;
  }
}

/** A read-back request that is answered with `{ "error": message }` and this status. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(readonly status: number, message: string, readonly headers: HeadersInit = {}) {
    super(message);
  }
}

/** A capture or deletion could not be stored. It is not acknowledged, and the client may try again. */
export class LogWriteError extends ApiError {
  override name = "LogWriteError";

  constructor(message: string) {
    super(503, message);
  }
}

/** It is not known whether a change was stored: it may still be. */
export class LogOutcomeError extends LogWriteError {
  override name = "LogOutcomeError";
}

/** Callbacks are off. */
export class CallbacksOffError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "CallbacksOffError";
  /** How to turn them on. */
  override message: string =
    "Cannot call the application: callbacks are off; set [callbacks] enabled " +
    "(--callbacks)";
}

/** The blob store cannot take these bytes without dropping some that are still named. */
export class StoreFullError extends Error {
  override name = "StoreFullError";
}

/** The program holds as many bytes as it may; a moment later there can be room. */
export class MemoryFullError extends StoreFullError {
  override name = "MemoryFullError";
}

/** Why something went wrong, without the name of the error. Errors of Web Crypto have no text. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === "" ? "the operation failed" : text;
}
