/**
 * Responses of an application to an incoming message: TwiML (https://www.twilio.com/docs/messaging/twiml), or plain
 * text, which is sent unchanged.
 */
import { Parser } from "htmlparser2";

/** A message of a response. */
export interface TwimlMessage {
  readonly to?: string;
  readonly from?: string;
  /** `statusCallback`, or `action`, which it replaces. */
  readonly statusCallback?: string;
  readonly body: string;
  readonly media: readonly string[];
}

/** Maximum number of messages of one response. */
const MAX_MESSAGES = 100;

/**
 * Reads the messages of a response. Throws `RangeError` for TwiML that is malformed, or has a verb other than `Message`.
 */
export function readTwiml(text: string, contentType: string): readonly TwimlMessage[] {
  if (text.trim() === "") return [];
  if (/^text\/plain\b/i.test(contentType)) return [{ body: text, media: [] }];
  if (!/[/+]xml\b|^text\/html\b/i.test(contentType)) {
    throw new RangeError(`Cannot read a response of type "${contentType}": expected text/xml`);
  }
  const messages: Mutable[] = [];
  const path: string[] = [];
  let problem: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      path.push(name);
      const at = path.join("/");
      if (at === "Response/Message" && messages.length < MAX_MESSAGES) {
        const { to, from, statusCallback = attributes.action } = attributes;
        messages.push({ to, from, statusCallback, own: "", body: undefined, media: [] });
      } else if (at === "Response/Message/Body") messages.at(-1)!.body = "";
      else if (at === "Response/Message/Media") messages.at(-1)!.media.push("");
      else if (at !== "Response") problem ??= `<${name}> is not understood there`;
    },
    ontext(text) {
      const message = messages.at(-1);
      const at = path.join("/");
      if (message === undefined) return;
      if (at === "Response/Message") message.own += text;
      else if (at === "Response/Message/Body") message.body += text;
      else if (at === "Response/Message/Media") message.media[message.media.length - 1] += text;
    },
    onclosetag(_name, isImplied) {
      path.pop();
      if (isImplied) problem ??= "an element is not closed";
    },
  }, { xmlMode: true });
  parser.end(text);
  if (problem !== undefined) throw new RangeError(`Cannot read the TwiML: ${problem}`);
  return messages.map(({ to, from, statusCallback, own, body, media }) => ({
    ...(to === undefined ? {} : { to }),
    ...(from === undefined ? {} : { from }),
    ...(statusCallback === undefined ? {} : { statusCallback }),
    body: body ?? own.trim(),
    media: media.map((url) => url.trim()),
  }));
}

interface Mutable {
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly statusCallback: string | undefined;
  /** Text of the element itself, which counts without a `Body`. */
  own: string;
  body: string | undefined;
  readonly media: string[];
}
