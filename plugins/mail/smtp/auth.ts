/** AUTH: RFC 4954, mechanisms PLAIN and LOGIN. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { DisconnectedError } from "../../../core/net/transport.ts";
import { decodeLine } from "./codec/command.ts";
import { encodeReply, type Reply, toReply } from "./codec/reply.ts";
import {
  type Credentials,
  decodeLogin,
  decodePlain,
  decodeResponse,
  LOGIN_PROMPTS,
} from "./codec/sasl.ts";
import { type Conversation, SmtpError } from "./conversation.ts";

export async function runAuth(talk: Conversation, args: string): Promise<Reply> {
  if (talk.credentials !== undefined) {
    return toReply(503, "5.5.1", "Already authenticated");
  }
  if (talk.transaction !== undefined) {
    return toReply(503, "5.5.1", "AUTH is not allowed during a mail transaction");
  }
  const [mechanism = "", initial, ...rest] = args.split(/ +/);
  if (rest.length > 0) return toReply(501, "5.5.4", "Syntax: AUTH mechanism [initial-response]");
  const credentials = await readCredentials(talk, mechanism.toUpperCase(), initial);
  if (!talk.handler.authenticate(credentials)) {
    return toReply(535, "5.7.8", "Authentication credentials invalid");
  }
  talk.credentials = credentials;
  return toReply(235, "2.7.0", "Authentication successful");
}

async function readCredentials(
  talk: Conversation,
  mechanism: string,
  initial: string | undefined,
): Promise<Credentials> {
  switch (mechanism) {
    case "PLAIN":
      return checked(decodePlain, [await response(talk, "", initial)]);
    case "LOGIN": {
      const username = await response(talk, LOGIN_PROMPTS.username, initial);
      const password = await response(talk, LOGIN_PROMPTS.password);
      return checked(decodeLogin, [username, password]);
    }
    case "":
      throw new SmtpError(501, "5.5.4", "Syntax: AUTH mechanism [initial-response]");
    default:
      throw new SmtpError(504, "5.5.4", "Unknown authentication type: PLAIN and LOGIN are offered");
  }
}

/** Returns the initial response, else the response to a challenge. */
async function response(
  talk: Conversation,
  challenge: string,
  initial?: string,
): Promise<Uint8Array> {
  if (initial !== undefined) return checked(decodeResponse, [initial]);
  await talk.wire.write(encodeReply(toReply(334, undefined, challenge)));
  const { maxLineBytes, readIdleMs } = talk.limits;
  const line = await talk.wire.line({ maxBytes: maxLineBytes, idleMs: readIdleMs });
  if (line === undefined) {
    throw new DisconnectedError(`${talk.wire.peer} disconnected during AUTH`);
  }
  talk.note(line);
  const text = checked(decodeLine, [line]);
  if (text === "*") throw new SmtpError(501, "5.7.0", "Authentication cancelled");
  // "=" is an empty message in an initial response only; here that is an empty line.
  return checked(decodeResponse, [text]);
}

function checked<A extends readonly unknown[], T>(decode: (...args: A) => T, args: A): T {
  try {
    return decode(...args);
  } catch (error) {
    if (error instanceof WireError) throw new SmtpError(501, "5.5.2", error.message);
    throw error;
  }
}
