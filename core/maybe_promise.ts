/** A value or its promise. */
export type MaybePromise<T> = T | Promise<T>;
