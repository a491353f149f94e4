/** Filters for AS2 messages. */
import { ApiError } from "../../core/errors.ts";
import { text } from "../../core/http/params.ts";
import { type EventFilters, filtersFor, type Param } from "../../core/http/route.ts";
import { Type } from "../../core/shape_type.ts";
import type { As2Message } from "./model.ts";
import type { As2Event } from "./views.ts";
import { securityWords } from "./words.ts";

const SECURITY_WORDS = ["signed", "encrypted", "compressed"];

/** Layers of a message, separated by commas. */
const security: Param<readonly string[] | undefined> = {
  about: "Only messages with all of these layers: signed, encrypted, compressed",
  schema: Type.String({ examples: ["signed", "signed,encrypted"] }),
  read(given, name) {
    const words = given?.toLowerCase().split(/[,+ ]/).filter((word) => word !== "");
    if (words?.every((word) => SECURITY_WORDS.includes(word)) ?? true) return words;
    throw new ApiError(
      400,
      `Cannot read ${name} "${given}": expected some of ${
        SECURITY_WORDS.join(", ")
      }, separated by commas`,
    );
  },
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  "0": false,
  f: false,
  false: false,
};

/** Whether there is an issue, or which one. */
const issue: Param<boolean | string | undefined> = {
  about: "Only messages with or without a recorded problem, or with the problem of this code",
  schema: Type.String({ examples: ["true", "decryption-failed"] }),
  read(given, name) {
    if (given === null) return undefined;
    const word = given.toLowerCase();
    if (Object.hasOwn(BOOLEANS, word)) return BOOLEANS[word];
    if (/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(word)) return word;
    throw new ApiError(
      400,
      `Cannot read ${name} "${given}": expected one of 1, t, true, 0, f, false, or a code such as decryption-failed`,
    );
  },
};

/** Conditions on a message; all must hold. Text is compared whole, in any case. */
export interface As2Filter {
  /** AS2-From. */
  readonly from?: string | undefined;
  /** AS2-To. */
  readonly to?: string | undefined;
  /** With or without its angle brackets. */
  readonly message_id?: string | undefined;
  /** Format of the document: `edifact`, `x12`, `xml`, `json`, `hl7` or `text`. */
  readonly format?: string | undefined;
  /** Layers that it must all have, separated by commas: `signed`, `encrypted`, `compressed`. */
  readonly security?: string | undefined;
  /** Whether there is an issue, or the code of one. */
  readonly issue?: boolean | string | undefined;
}

/** The filter with parsed layers. */
type ReadFilter = Omit<As2Filter, "security"> & {
  readonly security?: readonly string[] | undefined;
};

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<As2Event>()({
  query: {
    from: text("AS2-From, ignoring case"),
    to: text("AS2-To, ignoring case"),
    message_id: text("Message-ID, with or without angle brackets"),
    format: text("Format of the document: edifact, x12, xml, json, hl7 or text"),
    security,
    issue,
  },
  select: (filter) => ({ matches: ({ payload }) => matchesAs2(payload, filter) }),
});

/** Returns whether a message meets the conditions. */
function matchesAs2(message: As2Message, filter: ReadFilter): boolean {
  const words = securityWords(message);
  return equals(message.from, filter.from) && equals(message.to, filter.to) &&
    equals(bare(message.message_id), filter.message_id && bare(filter.message_id)) &&
    equals(message.payload.format, filter.format) &&
    (filter.security ?? []).every((word) => words.includes(word)) &&
    hasIssue(message, filter.issue);
}

function hasIssue({ issues = [] }: As2Message, wanted: boolean | string | undefined): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === "boolean") return wanted === issues.length > 0;
  return issues.some(({ code }) => code === wanted);
}

function bare(id: string | undefined): string {
  return (id ?? "").replace(/^<(.*)>$/, "$1");
}

function equals(text: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || (text ?? "").toLowerCase() === wanted.toLowerCase();
}
