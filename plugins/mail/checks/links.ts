import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { HtmlElement } from "./html/document.ts";
import type { MailSubject } from "./subject.ts";

/** Checks of links in HTML: they have a target, and it matches their text. */
export const linksTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.link_empty",
      level: "warning",
      about: "A link leads nowhere: its URL is empty, `#` or a script",
    },
    {
      id: "mail.link_relative",
      level: "error",
      about: "A link has a relative URL: an email has no base to resolve it against",
    },
    {
      id: "mail.link_http",
      level: "info",
      about: "A link uses http, which browsers warn about and networks can change",
    },
    {
      id: "mail.link_mismatch",
      level: "warning",
      about:
        "The text of a link shows a different host than its URL: filters treat that as phishing",
      source: "https://support.google.com/mail/answer/8253",
    },
    {
      id: "mail.link_text",
      level: "info",
      about: "A link has no text, or one that says nothing by itself, such as `click here`",
      source: "https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context.html",
    },
  ],
  *find({ html }) {
    for (const element of html?.elements ?? []) {
      if (element.tag !== "a" || !element.attributes.has("href")) continue;
      yield* findIn(element, html!.source);
    }
  },
};

function* findIn(element: HtmlElement, source: string): Generator<Found> {
  const href = element.attributes.get("href")!.value.trim();
  const text = element.text.trim();
  const where = () => placeIn("html", source, element);
  if (href === "" || href === "#" || /^javascript:/i.test(href)) {
    yield { id: "mail.link_empty", message: `${JSON.stringify(href)} leads nowhere`, where };
    return;
  }
  const isTemplate = /^(\{\{|\*\||\[\[|<%|%)/.test(href);
  if (!isTemplate && !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) {
    yield {
      id: "mail.link_relative",
      message: `${JSON.stringify(href.slice(0, 100))} is not an absolute URL`,
      where,
    };
  }
  if (/^http:\/\//i.test(href)) {
    yield { id: "mail.link_http", message: "The link uses http; use https", where };
  }
  const [shown, real] = [hostOf(text), hostOf(href)];
  if (shown !== undefined && real !== undefined && !isSameSite(shown, real)) {
    yield {
      id: "mail.link_mismatch",
      message: `The text shows ${shown}, but the link points to ${real}`,
      where,
    };
  }
  const isEmpty = text === "" && element.attributes.get("aria-label") === undefined &&
    element.attributes.get("title") === undefined;
  if (isEmpty || /^(click )?(here|this|more|link|read more)[.!…]?$/i.test(text)) {
    yield {
      id: "mail.link_text",
      message: isEmpty
        ? "A link without text"
        : `"${text}" does not describe the target of the link`,
      where,
    };
  }
}

/** Returns the host of a text that is an address; `undefined` for any other text. */
function hostOf(text: string): string | undefined {
  const [, host] = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,24})(?:[:/?#]\S*)?$/iu
    .exec(text.slice(0, 2000)) ?? [];
  return host?.toLowerCase();
}

/** Equal, or one is a part of the other. */
function isSameSite(a: string, b: string): boolean {
  const [x, y] = [a.replace(/^www\./, ""), b.replace(/^www\./, "")];
  return x === y || x.endsWith(`.${y}`) || y.endsWith(`.${x}`);
}
