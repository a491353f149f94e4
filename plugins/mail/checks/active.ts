import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic } from "../../../core/plugin.ts";
import type { HtmlElement, Span } from "./html/document.ts";
import type { MailSubject } from "./subject.ts";

/** Types of scripts that are data: https://developers.google.com/workspace/gmail/markup/getting-started */
const DATA = /^application\/(?:ld\+)?json$/;

/** Content that email clients remove because it would run, or load a page. */
export const activeTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.active_content",
      level: "warning",
      about:
        "The HTML has a script, a frame, or an attribute that runs a script: email clients remove it",
      source:
        "https://help.goacoustic.com/hc/en-us/articles/360043608773-Email-limitations-and-restrictions",
    },
  ],
  *find({ html }) {
    for (const element of html?.elements ?? []) {
      for (const [what, place] of activeIn(element)) {
        yield {
          id: "mail.active_content",
          message: `${what} is removed by email clients`,
          where: () => placeIn("html", html!.source, place),
        };
      }
    }
  },
};

function* activeIn(element: HtmlElement): Generator<readonly [what: string, place: Span]> {
  const { tag, attributes } = element;
  const type = attributes.get("type")?.value.trim().toLowerCase() ?? "";
  if (tag === "script" ? !DATA.test(type) : tag === "iframe" || tag === "frame") {
    yield [`<${tag}>`, element];
  }
  for (const [name, attribute] of attributes) {
    if (/^on[a-z]{3,30}$/.test(name)) yield [name, attribute];
  }
}
