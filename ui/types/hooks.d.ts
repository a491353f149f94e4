/** What the user interface uses of preact/hooks 11. */

/** Keeps a value as long as the component is shown. */
export function useState<S>(first: S | (() => S)): [S, (next: S | ((last: S) => S)) => void];

/** Keeps a value whose change draws nothing. */
export function useRef<T>(first: T): { current: T };

/** Runs after drawing when one of `on` changed; what it returns undoes it. */
export function useEffect(run: () => unknown, on?: readonly unknown[]): void;

/** Runs before the browser paints. */
export function useLayoutEffect(run: () => unknown, on?: readonly unknown[]): void;

/** Keeps a computed value until one of `on` changes. */
export function useMemo<T>(compute: () => T, on: readonly unknown[]): T;

/** What a component below threw while it was drawn, and how to try again. */
export function useErrorBoundary(): [error: unknown, retry: () => void];

/** An id that is the only one of its kind on the page. */
export function useId(): string;
