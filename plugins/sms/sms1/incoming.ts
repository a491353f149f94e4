/** Incoming messages, and the responses of the application. */
import { compact } from "../../../core/compact.ts";
import { unknownName } from "../../../core/options/suggest.ts";
import type { CallAnswer, CapturedEvent, OutgoingCall } from "../../../core/plugin.ts";
import { captureSms } from "../capture.ts";
import type { SmsEvent } from "../views.ts";
import { encodeMessageSid } from "./ids.ts";
import { readMediaLink } from "./media_link.ts";
import { messageSid } from "./reply.ts";
import { readTwiml } from "./twiml.ts";
import { accountSidOf, type Context, type Fields, toCall } from "./vendor_call.ts";

/** Fields that an incoming message may set; the others are generated here. */
const INCOMING_FIELDS = ["From", "To", "Body", "MediaUrl0", "MediaContentType0"];

/** Parses the payload of a request. Throws `RangeError` for an invalid one. */
export function readIncoming(payload: Readonly<Record<string, unknown>>): Record<string, string> {
  for (const [name, value] of Object.entries(payload)) {
    if (!INCOMING_FIELDS.includes(name)) {
      throw new RangeError(
        `Cannot send an inbound message: ${unknownName("field", name, INCOMING_FIELDS)}`,
      );
    }
    if (typeof value !== "string") {
      throw new RangeError(`Cannot send an inbound message: expected ${name} as text`);
    }
  }
  const given = payload as Record<string, string>;
  for (const name of ["From", "To"]) {
    if (given[name] === undefined) {
      throw new RangeError(`Cannot send an inbound message: "${name}" is missing`);
    }
  }
  return given;
}

function addressOf({ inbound }: Context): string {
  if (inbound !== undefined) return inbound;
  throw new RangeError(
    "Cannot send an inbound message: set [callbacks.inbound] sms1 (--callbacks-inbound-sms1)",
  );
}

/** Captures the incoming message. */
export async function captureIncoming(
  given: Record<string, string>,
  context: Context,
): Promise<SmsEvent> {
  addressOf(context);
  const { From: from = "", To: to = "", Body: body = "", MediaUrl0: link } = given;
  const media = link === undefined ? undefined : readMediaLink(link);
  if (link !== undefined && media === undefined) {
    throw new RangeError(`Cannot send an inbound message: "${link}" is not a media address`);
  }
  return await captureSms(context.env, {
    to,
    from,
    body,
    media: media === undefined ? [] : [media],
    direction: "inbound",
    status: "received",
  }, {
    raw: {
      transport: "http",
      text: true,
      body: new TextEncoder().encode(new URLSearchParams(given).toString()),
    },
    meta: { account_sid: accountSidOf(context) },
    metaFromId: (id) => ({ sid: encodeMessageSid(id, media !== undefined) }),
  });
}

/** Returns the vendor's call for it. */
export function incoming(
  given: Record<string, string>,
  context: Context,
  event: SmsEvent,
): OutgoingCall {
  const hasMedia = given.MediaUrl0 !== undefined;
  const sid = messageSid(event);
  const fields: Fields = [
    ["ToCountry", "US"],
    ["SmsMessageSid", sid],
    ["NumMedia", hasMedia ? "1" : "0"],
    ["SmsSid", sid],
    ["SmsStatus", "received"],
    ["Body", ""],
    ["FromCountry", "US"],
    ["NumSegments", "1"],
    ["MessageSid", sid],
    ["AccountSid", accountSidOf(context)],
    ["ApiVersion", "2010-04-01"],
  ];
  const all = new Map([...fields, ...Object.entries(given)]);
  return toCall("received", {
    url: addressOf(context),
    fields: [...all],
    note: { incoming: event.id },
  });
}

/** Captures the replies in the application's response. */
export async function answered(
  { note, url }: OutgoingCall,
  answer: CallAnswer,
  { env }: Context,
): Promise<readonly CapturedEvent[]> {
  if (note?.incoming === undefined) return [];
  const text = new TextDecoder().decode(answer.body);
  const messages = readTwiml(text, answer.headers["content-type"] ?? "");
  const { From: from, To: to, AccountSid: account } = Object.fromEntries(note.fields as Fields);
  const captured: CapturedEvent[] = [];
  for (const message of messages) {
    const media = message.media.flatMap((link) => {
      const absolute = URL.parse(link, url)?.href;
      return (absolute === undefined ? undefined : readMediaLink(absolute)) ?? [];
    });
    captured.push(
      await captureSms(env, {
        to: message.to ?? from ?? "",
        from: message.from ?? to,
        body: message.body,
        media,
      }, {
        raw: { transport: "http", text: true, body: answer.body },
        meta: {
          account_sid: account,
          ...compact({
            in_reply_to: note.incoming,
            status_callback: message.statusCallback === undefined
              ? undefined
              : URL.parse(message.statusCallback, url)?.href,
          }),
        },
        metaFromId: (id) => ({ sid: encodeMessageSid(id, media.length > 0) }),
      }),
    );
  }
  return captured;
}
