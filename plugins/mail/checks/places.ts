/** Places of header fields, and of what is missing. */
import { placeIn } from "../../../core/checks/place.ts";
import type { Found } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

type Where = Pick<Found, "where">;

/**
 * Returns the place of the n-th field of a name, from 0, or the end of the header section, where a missing field belongs.
 * Emails of HTTP APIs have no header section.
 */
export function fieldPlace(
  { rawHeader }: Pick<MailSubject, "rawHeader">,
  name: string,
  nth = 0,
): Where {
  if (rawHeader === undefined) return {};
  return {
    where: () => {
      const field = new RegExp(`^${name}[ \\t]*:[^\\n]*(?:\\n[ \\t][^\\n]*)*`, "gim");
      const found = [...rawHeader.matchAll(field)][nth];
      if (found === undefined) return placeAt("headers", rawHeader, rawHeader.trimEnd().length);
      const end = found.index + found[0].trimEnd().length;
      return placeIn("headers", rawHeader, { start: found.index, end });
    },
  };
}

/** The point in a source where something is missing. */
export function placeAt(part: string, source: string, at: number) {
  return placeIn(part, source, { start: at, end: at });
}

/** The subject, from a character on: in the header section, or by itself. */
export function subjectPlace(subject: MailSubject, start = 0): Where {
  const { rawHeader, mail } = subject;
  if (rawHeader !== undefined) return fieldPlace(subject, "Subject");
  const text = mail.subject ?? "";
  return { where: () => placeIn("subject", text, { start, end: text.length }) };
}

/** An attachment by its position. */
export function attachmentPlace(at: number, filename: string | undefined): Where {
  return {
    where: {
      part: "attachments",
      path: `attachments[${at}]`,
      ...(filename === undefined ? {} : { marked: filename.slice(-100) }),
    },
  };
}
