/**
 * The HTML body in a frame without permissions: no scripts, forms or windows, and an opaque origin.
 * The policy of the framed page loads nothing either.
 */
import { html, useState } from "../../lib/dom.js";
import { hasRemoteImages } from "../../lib/text.js";
import { readPref, writePref } from "../../lib/prefs.js";
import { IconButton } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";

/** @import { MailView } from "../../lib/types.d.ts" */

const WIDTH_PREF = "mail.width";

/** @param {{ mail: MailView }} props */
export function HtmlBody({ mail }) {
  const [width, setWidth] = useState(readPref(WIDTH_PREF) === "mobile" ? "mobile" : "desktop");
  const [images, setImages] = useState(false);
  const remote = hasRemoteImages(mail.message.html ?? "");
  /** @param {string} value */
  const pickWidth = (value) => {
    setWidth(value);
    writePref(WIDTH_PREF, value);
  };
  return html`
    <div class="html-bar">
          ${remote && html`<p class="html-remote"><${Icon} name="image" size=${14} />
          ${
            images ? html`<span>Remote images are loaded from their servers.</span>` : html`
              <span>Remote images are not loaded.</span>
              <button type="button" class="link-button" onClick=${() =>
                setImages(true)}>Load remote images</button>
            `
          }</p>`}
          <span class="pane-bar-space"></span>
          <span class="html-width" role="group" aria-label="Width">
            <${IconButton} icon="desktop" label="Full width" pressed=${width ===
              "desktop"} onClick=${() => pickWidth("desktop")} />
            <${IconButton} icon="mobile" label="Phone width" pressed=${width ===
              "mobile"} onClick=${() => pickWidth("mobile")} />
          </span>
        </div>
    <div class=${`html-ground ${width}`}>
      <iframe
        sandbox=""
        referrerpolicy="no-referrer"
        title="HTML body"
        key=${images ? "with" : "without"}
        src=${`${mail.links.html}?cid=1${images ? "&images=1" : ""}`}
      ></iframe>
    </div>
  `;
}
