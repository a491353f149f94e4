/** The page for an unknown address. */
import { html } from "../lib/dom.js";
import { Empty } from "../components/empty.js";
import { Page } from "../components/page.js";

/**
 * @param {{ title?: string, text?: string }} props
 */
export function NotFoundPage({
  title = "Page not found",
  text = "This page does not exist, or its plugin is not enabled.",
}) {
  return html`
    <${Page} title=${title}>
      <div class="page-scroll">
        <${Empty} icon="search" title=${title}>
          <p>${text}</p>
          <p
            class="empty-actions"><a class="button" href="/ui/events/">All events</a><a class="button" href="/ui/">Overview</a></p>
          <//>
          </div>
          <//>
  `;
}
