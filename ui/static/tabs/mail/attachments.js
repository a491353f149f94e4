/** Attachments of a message. */
import { html } from "../../lib/dom.js";
import { formatSize } from "../../lib/format.js";
import { Chip } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { Attachment, MailView } from "../../lib/types.d.ts" */

/** Picture formats that cannot contain scripts. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp)$/;
/** Larger pictures are not shown. */
const MAX_PREVIEW = 8_000_000;

/**
 * Returns whether an attachment is part of the message's layout.
 * @param {Attachment} attachment
 */
export function isInline({ inline, content_id: cid, content_type: type = "" }) {
  return inline || (cid !== undefined && type.startsWith("image/"));
}

/** @param {{ mail: MailView, inline: boolean }} props which of the two kinds */
export function Attachments({ mail, inline }) {
  const links = mail.links.attachments ?? [];
  return html`<ul class="attachments">
    ${
    (mail.message.attachments ?? []).map((attachment, i) =>
      isInline(attachment) === inline &&
      html`<${Item} key=${i} attachment=${attachment} link=${links[i] ?? ""} />`
    )
  }
  </ul>`;
}

/** @param {{ attachment: Attachment, link: string }} props */
function Item({ attachment, link }) {
  const type =
    (attachment.content_type ?? "application/octet-stream").split(";")[0]?.trim().toLowerCase() ??
      "";
  const isPicture = PICTURES.test(type) && attachment.size <= MAX_PREVIEW;
  const name = attachment.filename || "(no name)";
  return html`
    <li class="attachment">
      <a class="attachment-preview" href=${`${link}?inline=1`} target="_blank" rel="noopener noreferrer"
        aria-label=${`Open ${name}`}>
          ${isPicture
            ? html`<img src=${`${link}?inline=1`} alt="" loading="lazy" decoding="async" />`
            : html`<${Icon} name=${iconOf(type)} size=${30} />`}
        </a>
      <div class="attachment-about">
        <${Captured} class="attachment-name" text=${name} />
        <span class="attachment-facts">${formatSize(
          attachment.size,
        )} · <${Captured} text=${type} /></span>
        <span class="attachment-tags">
            ${attachment.inline && html`<${Chip}>inline<//>`}
            ${attachment.content_id &&
              html`<${Chip} title="Content-ID">cid:<${Captured} text=${attachment.content_id} /><//>`}
          </span>
      </div>
      <a class="icon-button" href=${`${link}?download=1`} download title="Download"
        aria-label=${`Download ${name}`}><${Icon} name="download" /></a>
    </li>
  `;
}

/** @param {string} type */
function iconOf(type) {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("audio/") || type.startsWith("video/")) return "audio";
  if (type === "text/calendar") return "calendar";
  if (/zip|tar|gzip|compressed|7z|rar/.test(type)) return "archive";
  if (/json|xml|javascript|html|css/.test(type)) return "code";
  if (type === "message/rfc822") return "mail";
  return "file";
}
