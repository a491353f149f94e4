/** The vendor's refusals: https://www.twilio.com/docs/usage/twilios-response and https://www.twilio.com/docs/api/errors */

/** One refusal; `more_info` is made from the code. */
export interface Fault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly detail?: string;
}

/** Something was read, or the vendor's answer to what could not be. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

/** Longest value quoted in a message, in characters. */
const QUOTE = 64;

/** Refusals that say the same every time. */
export const FAULTS = {
  wrongToken: {
    status: 401,
    code: 20003,
    message: "Authenticate",
    detail: "Your AccountSid or AuthToken was incorrect.",
  },
  wrongUser: { status: 401, code: 20003, message: "Authentication Error - invalid username" },
  noCredentials: {
    status: 401,
    code: 20003,
    message: "Authentication Error - No credentials provided",
  },
  noTo: { status: 400, code: 21604, message: "A 'To' phone number is required." },
  noFrom: { status: 400, code: 21603, message: "A 'From' phone number is required." },
  noBody: { status: 400, code: 21602, message: "Message body is required." },
  longBody: {
    status: 400,
    code: 21617,
    message: "The concatenated message body exceeds the 1600 character limit.",
  },
  manyMedia: {
    status: 400,
    code: 21623,
    message: "Number of media files exceeds allowed limit.",
  },
  fullStore: {
    status: 413,
    code: 11751,
    message: "Media exceeds the space left for stored bytes.",
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** A recipient that is no number. */
export function badTo(value: string): Fault {
  return {
    status: 400,
    code: 21211,
    message: `The 'To' number ${quote(value)} is not a valid phone number.`,
  };
}

/** A sender that is neither number nor sender id. */
export function badFrom(value: string): Fault {
  return {
    status: 400,
    code: 21212,
    message: `The 'From' number ${
      quote(value)
    } is not a valid phone number, shortcode, or alphanumeric sender ID.`,
  };
}

/** A media link that is none. */
export function badMedia(link: string): Fault {
  return { status: 400, code: 21620, message: `Invalid media URL(s): ${quote(link)}` };
}

/** A parameter of another kind than expected. */
export function badParameter(name: string, detail: string): Fault {
  return { status: 400, code: 20001, message: `Invalid parameter ${name}: ${detail}` };
}

/** A resource that does not exist. */
export function notFound(path: string): Fault {
  return { status: 404, code: 20404, message: `The requested resource ${path} was not found` };
}

function quote(value: string): string {
  return value.length > QUOTE ? `${value.slice(0, QUOTE)}…` : value;
}
