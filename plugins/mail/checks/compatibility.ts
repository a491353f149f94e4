import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic } from "../../../core/plugin.ts";
import { countOf, findFeatures, type UsedFeature } from "./html/compatibility.ts";
import type { MailSubject } from "./subject.ts";

/** Features whose absence is invisible. */
const HARMLESS = /^(html-(body|doctype|lang|comments|role|aria-.*|base|target)|css-comments)$/;
/** Programs named in a message. */
const NAMED = 6;

/** Checks of HTML and CSS that email clients do not support. */
export const compatibilityTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.client_support",
      level: "warning",
      about:
        "HTML or CSS that email clients do not support, according to caniemail.com: a warning if most of the tested clients " +
        "do not, otherwise a note",
      source: "https://www.caniemail.com",
    },
  ],
  *find({ html, support }) {
    if (html === undefined) return;
    for (const feature of yield* findFeatures(html, support)) {
      const lacking = countOf(feature, "n");
      if (lacking === 0 || HARMLESS.test(feature.id)) continue;
      const known = feature.support.length - countOf(feature, "u");
      yield {
        id: "mail.client_support",
        level: 2 * lacking > known ? "warning" : "info",
        message: `${feature.title}: not supported by ${lacking} of ${known} clients, among them ${
          familiesWithout(feature, support.clients).join(", ")
        }`,
        where: () => placeIn("html", html.source, feature.place),
        source: `${support.source}/features/${feature.id}/`,
      };
    }
  },
};

/** Email clients that lack a feature, widely used ones first. */
function familiesWithout(
  { support }: UsedFeature,
  clients: readonly { readonly family: string }[],
): readonly string[] {
  const families = new Set(
    clients.filter((_, column) => support[column] === "n").map(({ family }) => family),
  );
  const rank = (family: string) => {
    const at = ["Gmail", "Outlook", "Apple Mail", "Yahoo! Mail", "Samsung Email"].indexOf(family);
    return at === -1 ? Infinity : at;
  };
  return [...families].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, NAMED);
}
