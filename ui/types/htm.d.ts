/** The part of htm 3 that the user interface uses. */
import type { VNode } from "./preact.d.ts";

declare const htm: {
  /** A template tag that builds nodes with `create`. */
  bind(
    create: (type: unknown, props: unknown, ...children: unknown[]) => VNode,
  ): (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
};
export { htm as default };
