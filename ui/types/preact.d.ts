/**
 * The part of preact 11 that the user interface uses. The package's own declarations would pull the
 * DOM library into the type check of the server.
 */

/** A virtual node. */
export interface VNode {
  readonly type: unknown;
  readonly props: unknown;
}

/** Children of an element; false, null and undefined render nothing. */
export type ComponentChildren =
  | VNode
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly ComponentChildren[];

/** A function component. */
export type ComponentType<P> = (props: P) => VNode | null;

/** Creates a virtual node; called only by the template tag. */
export function h(type: unknown, props: unknown, ...children: unknown[]): VNode;

/**
 * Renders into an element, whose type is not named because the server is checked without DOM types.
 */
export function render(node: ComponentChildren, into: unknown): void;
