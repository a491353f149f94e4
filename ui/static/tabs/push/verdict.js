/** The effect of a push in one word. */
import { html } from "../../lib/dom.js";

/** @import { PushMessage } from "./types.d.ts" */

/** The word and its tone. @type {Readonly<Record<PushMessage["kind"], readonly [string, string]>>} */
const VERDICTS = {
  notification: ["shown", "good"],
  silent: ["silent", ""],
  empty: ["empty", "warn"],
};

/**
 * The word on its background.
 * @param {{ kind: PushMessage["kind"], explain: string }} props
 */
export function Verdict({ kind, explain }) {
  const [word, tone] = VERDICTS[kind];
  return html`
    <span class=${`outcome push-verdict ${tone} kind-${kind}`} title=${explain}>${word}</span>
  `;
}
