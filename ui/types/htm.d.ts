/** What the user interface uses of htm 3. */
import type { VNode } from "./preact.d.ts";

declare const htm: {
  /** A template tag that makes what `create` makes. */
  bind(
    create: (type: unknown, props: unknown, ...children: unknown[]) => VNode,
  ): (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
};
export { htm as default };
