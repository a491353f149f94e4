/** Errors that a caller may want to distinguish; any other error is a bug of this program. */

/**
 * Invalid settings. Lists every problem found, each with the setting, its value and what is valid.
 */
export class ConfigError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "ConfigError";
  /** The problems, one sentence each. */
  readonly problems: readonly string[];

  /** Takes one problem or several. */
  constructor(problems: string | readonly string[]) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(list.join("\n"));
    this.problems = list;
  }
}

/** An error of a read-back route, answered with `{ "error": message }` and this status. */
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

/** It is unknown whether a change was stored. */
export class LogOutcomeError extends LogWriteError {
  override name = "LogOutcomeError";
}

/** Callbacks are off. */
export class CallbacksOffError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "CallbacksOffError";
  /** Says how to turn them on. */
  override message: string =
    "Cannot call the application: callbacks are off; set [callbacks] enabled " +
    "(--callbacks)";
}

/** The blob store has no room for these bytes unless it drops blobs that are still named. */
export class StoreFullError extends Error {
  override name = "StoreFullError";
}

/** The program has reached its memory limit; there may be room a moment later. */
export class MemoryFullError extends StoreFullError {
  override name = "MemoryFullError";
}

/** Returns the message of an error, without its name. Errors of Web Crypto have none. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === "" ? "the operation failed" : text;
}
