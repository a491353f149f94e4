/** What a push comes to, in one word. */
import { html } from "../../lib/dom.js";

/** @import { PushMessage } from "./types.d.ts" */

/** @type {Readonly<Record<PushMessage["kind"], string>>} */
const VERDICTS = { notification: "shown", silent: "silent", empty: "empty" };

/**
 * The word on its ground.
 * @param {{ kind: PushMessage["kind"], explain: string }} props
 */
export function Verdict({ kind, explain }) {
  return html`<span class=${`push-verdict kind-${kind}`} title=${explain}>${VERDICTS[kind]}</span>`;
}
