/** Messages for the application's own MLLP port. */
import { unknownName } from "../../../core/options/suggest.ts";
import {
  type CallAnswer,
  defineCallbacks,
  type OutgoingCall,
  type Transport,
} from "../../../core/plugin.ts";
import type { Hl7State } from "../capture.ts";
import { toLines } from "../codec/segment.ts";
import { encodeFrame, FrameDecoder } from "./codec/frame.ts";
import type { OPTIONS } from "./options.ts";

/** HL7 Version 2.5.1, section 2.9.2: original mode of acknowledgment. */
const ACKNOWLEDGMENT = "https://www.hl7.eu/HL7v2x/v251/std251/ch02.html#Heading83";
const ANSWER_MS = 30_000;
/** Longest acknowledgment, in bytes. */
const MAX_ANSWER = 65_536;

export const CALLBACKS = defineCallbacks<typeof OPTIONS, Hl7State>({
  // HL7 has no schedule; messages stay in their order.
  schedule: { delaysMs: [10_000, 30_000, 60_000], timeoutMs: ANSWER_MS, source: ACKNOWLEDGMENT },
  lane: "receiver",
  kinds: {},
  make: () => [],
  inbound: {
    about: "A message in an MLLP frame; AA and CA count as success",
    source: ACKNOWLEDGMENT,
    example: { message: "MSH|^~\\&|LAB|H|APP|H|20260131120000||ORU^R01|7|P|2.5.1\rPID|1||4711" },
    make(payload, { inbound }) {
      const unknown = Object.keys(payload).find((name) => name !== "message");
      if (unknown !== undefined) {
        throw new RangeError(
          `Cannot send a message: ${unknownName("field", unknown, ["message"])}`,
        );
      }
      const { message } = payload;
      if (typeof message !== "string" || !message.startsWith("MSH")) {
        throw new RangeError('Cannot send a message: expected "message" that begins with MSH');
      }
      if (inbound === undefined || !inbound.startsWith("mllp:")) {
        throw new RangeError(
          "Cannot send a message: set [callbacks.inbound] mllp (--callbacks-inbound-mllp) to an " +
            "address such as mllp://localhost:2576",
        );
      }
      const text = `${toLines(message).join("\r")}\r`;
      const call = {
        name: message.split(message.charAt(3))[8] ?? "message",
        url: inbound,
        headers: [],
        body: new TextEncoder().encode(text),
      };
      return { calls: [call] };
    },
  },
  converse,
});

async function converse({ body }: OutgoingCall, wire: Transport): Promise<CallAnswer> {
  await wire.write(encodeFrame(body));
  const decoder = new FrameDecoder({ maxBytes: MAX_ANSWER });
  for (;;) {
    const bytes = await wire.read({ idleMs: ANSWER_MS });
    if (bytes === undefined) {
      throw new Error("The application closed the connection without a response");
    }
    const [frame] = decoder.push(bytes);
    if (frame !== undefined) return toAnswer(frame.bytes);
  }
}

/** Codes of table 0008 as statuses: accepted, error, rejected. */
const STATUSES: Readonly<Record<string, number>> = { A: 200, E: 500, R: 400 };

function toAnswer(body: Uint8Array): CallAnswer {
  const lines = toLines(new TextDecoder().decode(body));
  const separator = lines[0]?.charAt(3) ?? "|";
  const code = lines.find((line) => line.startsWith("MSA"))?.split(separator)[1] ?? "";
  const status = STATUSES[code.charAt(1)] ?? 500;
  const failure = code === ""
    ? "The response has no MSA segment"
    : status === 200
    ? undefined
    : `Acknowledged with ${code}`;
  return {
    status,
    headers: {},
    body,
    cut: false,
    ...(failure === undefined ? {} : { failure }),
  };
}
