/** A value, or a refusal `R` in the words of the vendor or protocol. */
export type Result<T, R> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: R };

/** The value. */
export function success<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

/** The refusal. */
export function failure<R>(refusal: R): Result<never, R> {
  return { ok: false, refusal };
}

/** Thrown by a parser that stops at the first fault; {@link attempt} returns the refusal. */
export class Refused<R> extends Error {
  override name = "Refused";

  constructor(readonly refusal: R) {
    super("Refused");
  }
}

/** Returns the result of `read`, or the refusal that it throws as {@link Refused}. */
export function attempt<T, R>(read: () => T): Result<T, R> {
  try {
    return success(read());
  } catch (error) {
    if (error instanceof Refused) return failure(error.refusal);
    throw error;
  }
}

/** A value or its promise. */
export type MaybePromise<T> = T | Promise<T>;
