/** A push as a phone would show it on its lock screen, or a note that it would not. */
import { html } from "../../lib/dom.js";
import { initials } from "../../lib/format.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { Platform, PushAlert, PushView } from "./types.d.ts" */

/** Longest text on a card, in characters; the full text follows below. */
const MAX_TEXT = 600;

/** @param {{ view: PushView, platform: Platform }} props */
export function LockScreen({ view, platform }) {
  const { displays, explain, message, meta, received_at } = view;
  const section = meta?.alert_section;
  const shown = displays && (section === undefined || (section === "apns" && platform === "ios"));
  const time = new Date(received_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return html`<div class=${`phone ${platform} kind-${message.kind}`} aria-label="Lock screen">
    <p class="phone-clock" aria-hidden="true">${time}</p>
    ${
    shown
      ? html`<${platform === "ios" ? AppleCard : AndroidCard} app=${message.app ?? ""} alert=${
        message.alert ?? {}
      } />`
      : html`
        <div class="phone-nothing">
          <${Icon} name="push" size=${22} />
          <strong>Nothing is shown${displays && " here"}</strong>
          <p>
            <${Captured} text=${explain} />
          </p>
        </div>
      `
  }
  </div>`;
}

/** A card of iOS, which has subtitle and badge. @param {{ app: string, alert: PushAlert }} props */
function AppleCard({ app, alert }) {
  const { title, subtitle, body, badge, image, sound, localization: keys = {} } = alert;
  return html`
    <article class="lock-card ios-card">
      <span class="card-tile" aria-hidden="true">${initials(shortName(app))}${badge !== undefined &&
        badge > 0 && html`<span class="card-badge">${badge}</span>`}</span>
      <div class="card-text">
          <p class="card-line"><strong class="card-title"><${Line} text=${title} name=${keys
            .title_key}
            args=${keys.title_args} other=${shortName(
              app,
            )} /></strong><span class="card-time">now</span></p>
          ${(subtitle ?? keys.subtitle_key) !== undefined && html`
            <p class="card-subtitle">
              <${Line}
                text=${subtitle} name=${keys.subtitle_key} args=${keys.subtitle_args} />
            </p>
          `}
          <p class="card-body" dir="auto"><${Line} text=${body} name=${keys.body_key}
            args=${keys.body_args} /></p>
          <${Extras} image=${image} sound=${sound} badge=${badge} />
        </div>
    </article>
  `;
}

/** @param {{ app: string, alert: PushAlert }} props */
function AndroidCard({ app, alert }) {
  const { title, subtitle, body, badge, image, sound, localization: keys = {} } = alert;
  return html`
    <article class="lock-card android-card">
      <p
        class="card-line"><span class="card-dot" aria-hidden="true">${initials(shortName(app))
          .slice(0, 1)}</span><span class="card-app"><${Captured} text=${shortName(
            app,
          )} />${subtitle !== undefined && html`
          · <${Captured} text=${subtitle} />
        `} · now</span></p>
      <p class="card-title"><strong><${Line} text=${title} name=${keys.title_key}
          args=${keys.title_args} /></strong></p>
      <p class="card-body" dir="auto">
        <${Line} text=${body} name=${keys.body_key}
          args=${keys.body_args} />
      </p>
      <${Extras} image=${image} sound=${sound} badge=${badge} />
    </article>
  `;
}

/** A text, or the key of a text in the app. @param {{ text?: string, name?: string, args?: readonly string[], other?: string }} props */
function Line({ text, name, args = [], other = "" }) {
  if (text === undefined && name !== undefined) {
    return html`<code title="The app looks up this text by its key"><${Captured} text=${
      [name, ...args].join(" · ")
    } /></code>`;
  }
  const whole = text ?? other;
  return html`<${Captured} text=${
    whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole
  } />`;
}

/**
 * Sound, badge and picture; a picture is shown as its URL. @param {Pick<PushAlert, "image" | "sound" | "badge">} props
 */
function Extras({ image, sound, badge }) {
  if (image === undefined && sound === undefined && badge === undefined) return null;
  return html`<ul class="card-extras">
    ${
    image !== undefined && html`
      <li title="Never fetched">
        <${Icon} name="image" size=${14} />
        <${Captured}
          class="card-image" text=${image} />
      </li>
    `
  }
    ${
    sound !== undefined && html`
      <li title="Sound">
        <${Icon} name="audio" size=${14} />
        <${Captured}
          text=${sound} />
      </li>
    `
  }
    ${
    badge !== undefined && html`<li title="Number on the app's icon"><${Icon} name="push"
          size=${14} />${badge === 0 ? "clears the badge" : `badge ${badge}`}</li>`
  }
  </ul>`;
}

/** Returns the last part of a bundle id, or the name of a project. @param {string} app */
function shortName(app) {
  return app.split(".").at(-1) || app || "App";
}
