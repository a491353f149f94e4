/**
 * What the user interface uses of preact 11. The package's own declarations bring the whole DOM library into every
 * program that holds them, and so into the type check of the server.
 */

/** A description of what to draw. */
export interface VNode {
  readonly type: unknown;
  readonly props: unknown;
}

/** Whatever may stand inside an element; false, null and undefined draw nothing. */
export type ComponentChildren =
  | VNode
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly ComponentChildren[];

/** A function that draws. */
export type ComponentType<P> = (props: P) => VNode | null;

/** Makes a description; called by the template tag only. */
export function h(type: unknown, props: unknown, ...children: unknown[]): VNode;

/** Draws into an element; its type is not named, since the check of the server knows no DOM. */
export function render(node: ComponentChildren, into: unknown): void;
