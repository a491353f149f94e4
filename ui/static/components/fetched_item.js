/** A captured item, fetched by the id of its event. */
import { html } from "../lib/dom.js";
import { useFetchedOnce } from "../lib/fetched.js";
import { Problem } from "./page.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { FullEvent } from "../lib/types.d.ts" */

/**
 * @template T
 * @param {{ event: FullEvent, render: (view: T) => Children }} props
 */
export function FetchedItem({ event: { id, plugin }, render }) {
  /** @type {{ value?: T, problem?: string }} */
  const { value, problem } = useFetchedOnce(`/${plugin}/messages/${encodeURIComponent(id)}`);
  return value === undefined ? html`<${Problem} text=${problem} />` : render(value);
}
