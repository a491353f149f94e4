import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { HtmlElement } from "./html/document.ts";
import { attachmentPlace } from "./places.ts";
import type { MailSubject } from "./subject.ts";

/** Checks of pictures: description, size, and reachability. */
export const imagesTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.image_alt",
      level: "warning",
      about:
        "An image has no `alt`: screen readers, and readers with images turned off, get nothing",
      source: "https://www.w3.org/WAI/tutorials/images/",
    },
    {
      id: "mail.image_width",
      level: "info",
      about:
        "An image has no width: Outlook on Windows shows it in full size, and text moves when it loads",
      source: "https://www.caniemail.com/features/html-width/",
    },
    {
      id: "mail.image_data",
      level: "warning",
      about: "An image is embedded as a data URI, which Gmail and Outlook do not show",
      source: "https://www.caniemail.com/features/image-base64/",
    },
    {
      id: "mail.image_missing",
      level: "error",
      about: "An image refers to an attachment that the email does not have",
      source: "https://www.rfc-editor.org/rfc/rfc2392",
    },
    {
      id: "mail.image_unused",
      level: "info",
      about: "An inline attachment is not used by the HTML",
      source: "https://www.rfc-editor.org/rfc/rfc2392",
    },
    {
      id: "mail.image_relative",
      level: "error",
      about: "An image has a relative URL: an email has no base to resolve it against",
    },
  ],
  *find({ html, mail }) {
    if (html === undefined) return;
    const { source } = html;
    const attached = new Set((mail.attachments ?? []).flatMap(({ content_id: id }) => id ?? []));
    for (const element of html.elements) {
      if (element.tag !== "img") continue;
      yield* findIn(element, attached, source);
    }
    for (const [at, { inline, content_id: id, filename }] of (mail.attachments ?? []).entries()) {
      if (!inline || id === undefined) continue;
      if (
        source.includes(`cid:${id}`) ||
        source.includes(`cid:${encodeURIComponent(id.toWellFormed())}`)
      ) {
        continue;
      }
      yield {
        id: "mail.image_unused",
        message: `The inline attachment ${
          filename ?? id
        } is not used by the HTML; some clients list it as a file`,
        ...attachmentPlace(at, filename),
      };
    }
  },
};

function* findIn(
  element: HtmlElement,
  attached: ReadonlySet<string>,
  source: string,
): Generator<Found> {
  const { attributes } = element;
  const where = () => placeIn("html", source, element);
  const src = attributes.get("src")?.value.trim() ?? "";
  if (!attributes.has("alt")) {
    yield {
      id: "mail.image_alt",
      message: 'An image without alt; alt="" marks it as decoration',
      where,
    };
  }
  const style = attributes.get("style")?.value ?? "";
  if (!attributes.has("width") && !/(^|[;\s])(max-)?width\s*:/i.test(style)) {
    yield { id: "mail.image_width", message: "A picture without width", where };
  }
  if (/^data:/i.test(src)) {
    yield {
      id: "mail.image_data",
      message: "A data URI; attach the image, or link to it",
      where,
    };
  }
  const cid = /^cid:(.*)$/is.exec(src)?.[1];
  if (cid !== undefined && !attached.has(cid) && !attached.has(unescaped(cid))) {
    yield { id: "mail.image_missing", message: `No attachment has the Content-ID ${cid}`, where };
  }
  if (src !== "" && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(src) && !/^\{\{/.test(src)) {
    yield {
      id: "mail.image_relative",
      message: `${JSON.stringify(src.slice(0, 100))} is not an absolute URL`,
      where,
    };
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
