/** The part of preact/hooks 11 that the user interface uses. */

/** Keeps a value as long as the component is shown. */
export function useState<S>(first: S | (() => S)): [S, (next: S | ((last: S) => S)) => void];

/** Keeps a value whose change does not trigger rendering. */
export function useRef<T>(first: T): { current: T };

/** Runs after rendering if one of `on` changed; the returned function cleans up. */
export function useEffect(run: () => unknown, on?: readonly unknown[]): void;

/** Runs before the browser paints. */
export function useLayoutEffect(run: () => unknown, on?: readonly unknown[]): void;

/** Keeps a computed value until one of `on` changes. */
export function useMemo<T>(compute: () => T, on: readonly unknown[]): T;

/** Error thrown while rendering a descendant, and a function to retry. */
export function useErrorBoundary(): [error: unknown, retry: () => void];

/** An id that is unique on the page. */
export function useId(): string;
