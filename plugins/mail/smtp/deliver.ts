/** The client's side of a conversation that delivers one message: RFC 5321 section 3.3. */
import { DisconnectedError, type Transport } from "../../../core/net/transport.ts";

/** The message and its envelope. */
export interface Delivery {
  /** Empty for a notification: RFC 5321 section 4.5.5. */
  readonly from: string;
  readonly to: string;
  /** Lines end in CRLF. */
  readonly message: Uint8Array;
  readonly idleMs: number;
}

/** Last reply of the server. */
export interface DeliveryReply {
  readonly code: number;
  readonly text: string;
  readonly accepted: boolean;
}

/** Longest reply, in characters. */
const MAX_REPLY = 8192;

/** Delivers a message, and resolves with the reply that decided. Rejects when the server disconnects. */
export async function deliver(
  wire: Transport,
  { from, to, message, idleMs }: Delivery,
): Promise<DeliveryReply> {
  const replies = new ReplyReader(wire, idleMs);
  const steps: readonly (readonly [command: Uint8Array | undefined, expected: number])[] = [
    [undefined, 220],
    [line("EHLO standin"), 250],
    [line(`MAIL FROM:<${from}>`), 250],
    [line(`RCPT TO:<${to}>`), 250],
    [line("DATA"), 354],
    [stuffed(message), 250],
  ];
  let reply: DeliveryReply = { code: 0, text: "", accepted: false };
  for (const [command, expected] of steps) {
    if (command !== undefined) await wire.write(command, { idleMs });
    const { code, text } = await replies.next();
    reply = { code, text, accepted: code === expected };
    if (!reply.accepted) break;
  }
  await wire.write(line("QUIT"), { idleMs });
  return reply;
}

function line(text: string): Uint8Array {
  return new TextEncoder().encode(`${text.replace(/[\r\n]/g, "")}\r\n`);
}

/** Doubles a period at the beginning of a line, and ends the message: RFC 5321 section 4.5.2. */
function stuffed(message: Uint8Array): Uint8Array {
  const text = new TextDecoder("latin1").decode(message).replace(/^\./gm, "..");
  const ended = `${text.endsWith("\r\n") ? text : `${text}\r\n`}.\r\n`;
  return Uint8Array.from(ended, (character) => character.charCodeAt(0));
}

/** Reads replies, which may have several lines: RFC 5321 section 4.2.1. */
class ReplyReader {
  readonly #wire: Transport;
  readonly #idleMs: number;
  #text = "";

  constructor(wire: Transport, idleMs: number) {
    this.#wire = wire;
    this.#idleMs = idleMs;
  }

  async next(): Promise<{ code: number; text: string }> {
    for (;;) {
      const match = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\r?\n/.exec(this.#text);
      if (match !== null) {
        this.#text = this.#text.slice(match[0].length);
        return { code: Number(match[1]), text: match[0].trimEnd() };
      }
      if (this.#text.length > MAX_REPLY) throw new DisconnectedError("The reply is too long");
      const bytes = await this.#wire.read({ idleMs: this.#idleMs });
      if (bytes === undefined) throw new DisconnectedError("The server closed the connection");
      this.#text += new TextDecoder().decode(bytes);
    }
  }
}
