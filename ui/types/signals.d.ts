/** The part of @preact/signals 2 that the user interface uses. */

/** A value whose readers render again when it changes. */
export interface Signal<T> {
  /** Reading it inside a component or computed value subscribes to it. */
  value: T;
  /** Reads without subscribing. */
  peek(): T;
}

/** A computed value. */
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
}

/** Makes a signal. */
export function signal<T>(value: T): Signal<T>;

/** Creates a computed value. */
export function computed<T>(compute: () => T): ReadonlySignal<T>;

/** Creates a computed value with the lifetime of the component. */
export function useComputed<T>(compute: () => T): ReadonlySignal<T>;

/** Changes several signals at once. */
export function batch(run: () => void): void;
