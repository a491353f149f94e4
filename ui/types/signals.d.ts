/** What the user interface uses of @preact/signals 2. */

/** A value whose readers are drawn again when it changes. */
export interface Signal<T> {
  /** Reading it inside a component or a computation makes that depend on it. */
  value: T;
  /** Reads without depending on it. */
  peek(): T;
}

/** A value computed from others. */
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
}

/** Makes a signal. */
export function signal<T>(value: T): Signal<T>;

/** Makes a computed value. */
export function computed<T>(compute: () => T): ReadonlySignal<T>;

/** Makes a computed value that lives as long as the component. */
export function useComputed<T>(compute: () => T): ReadonlySignal<T>;

/** Changes several signals at once. */
export function batch(run: () => void): void;
