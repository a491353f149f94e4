/** The message or request exactly as received. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { getJson, messageOf } from "../../lib/api.js";
import { curlOf } from "../../lib/replay.js";
import { BytesView } from "../../components/bytes_view.js";
import { CopyButton } from "../../components/controls.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";

/** @import { FullEvent, MailView } from "../../lib/types.d.ts" */
/** @import { Pointing } from "../../components/pointing.js" */

/** @param {{ mail: MailView, pointing?: Pointing | undefined }} props */
export function RawMessage({ mail, pointing }) {
  const [event, setEvent] = useState(/** @type {FullEvent | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  useEffect(() => {
    const ended = new AbortController();
    getJson(`/events/${mail.id}`, { signal: ended.signal }).then(setEvent, (error) => {
      if (!ended.signal.aborted) setProblem(messageOf(error));
    });
    return () => ended.abort();
  }, [mail.id]);
  if (event === undefined) return html`<${Problem} text=${problem} />`;
  const { raw } = event;
  return html`
    ${raw.method !== undefined && html`
      <p
        class="raw-line"><span class="method">${raw
          .method}</span><code><${Captured} text=${raw.path ?? ""} /></code>
            <${CopyButton} label="Copy as curl" title="Copy a command that sends the same request again" text=${() =>
              curlOf(event)} /></p>
    `}
        <${BytesView} base64=${raw.body ?? ""} text=${raw.body_text} filename=${`${event.id}.${
          raw.transport === "smtp" ? "eml" : "bin"
        }`} label="the raw message"
      pointing=${pointing} />
  `;
}
