/** Checks shared by all plugins with readable text. */
import { findLinks } from "../extract/links.ts";
import type { CheckTopic, Found } from "./check.ts";
import { placeIn } from "./place.ts";
import { findPlaceholders } from "./placeholders.ts";
import { privateHostOf } from "./private_host.ts";

/** A text of an item, with the name of its part. */
export interface CheckedText {
  readonly part: string;
  readonly text: string;
}

/** Returns the checks of placeholders and links in texts; `plugin` begins their ids. */
export function textTopic<S>(
  plugin: string,
  textsOf: (subject: S) => readonly CheckedText[],
): CheckTopic<S> {
  const ids = { placeholder: `${plugin}.placeholder`, privateLink: `${plugin}.private_link` };
  return {
    checks: [
      {
        id: ids.placeholder,
        level: "error",
        about: "A placeholder of a template was not filled in, or a missing value was printed",
      },
      {
        id: ids.privateLink,
        level: "warning",
        about: "A link points to a host that only the sender's machine or network can reach",
        source: "https://www.rfc-editor.org/rfc/rfc6761",
      },
    ],
    *find(subject) {
      for (const text of textsOf(subject)) {
        yield* placeholders(ids.placeholder, text);
        yield;
        yield* privateLinks(ids.privateLink, text);
        yield;
      }
    },
  };
}

function* placeholders(id: string, { part, text }: CheckedText): Generator<Found> {
  for (const span of findPlaceholders(text)) {
    const shown = text.slice(span.start, span.end);
    yield {
      id,
      message: `${JSON.stringify(shown)} looks like a placeholder that was not filled in`,
      where: () => placeIn(part, text, span),
    };
  }
}

function* privateLinks(id: string, { part, text }: CheckedText): Generator<Found> {
  for (const link of findLinks(text)) {
    const host = privateHostOf(link);
    if (host === undefined) continue;
    yield {
      id,
      message: `The link points to ${host}, which other readers cannot reach`,
      where: () => {
        const start = text.indexOf(link);
        return placeIn(part, text, { start, end: start + link.length });
      },
    };
  }
}
