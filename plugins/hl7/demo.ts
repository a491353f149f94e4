/** Messages of a hospital's systems about one patient. */
import { WireError } from "../../core/bytes/decoder.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";
import { encodeFrame, FrameDecoder } from "./mllp/codec/frame.ts";

const ANSWER_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;

const PATIENT =
  "PID|1||4711^^^HOSPITAL^MR~85020112345^^^NHS^SS||Lovelace^Ada^King^^Dr.||18151210|F|||" +
  "12 St James's Square^^London^^SW1Y 4JH^GB||^PRN^PH^^44^20^79460000";

/** `YYYYMMDDHHMMSS`, in UTC. */
function stamp(at: Date): string {
  return at.toISOString().replace(/\D/g, "").slice(0, 14);
}

interface Sample {
  readonly what: string;
  /** Returns the frame's content, one segment a line. */
  text(time: string, id: string): readonly string[];
}

const MESSAGES: readonly Sample[] = [
  {
    what: "An admission (ADT^A01) with two identifiers and an allergy",
    text: (time, id) => [
      `MSH|^~\\&|ADMIT|HOSPITAL|EHR|CLINIC|${time}+0000||ADT^A01^ADT_A01|${id}|P|2.5.1|||||GBR|UNICODE UTF-8`,
      `EVN|A01|${time}|||BYRON^Annabella`,
      PATIENT,
      "NK1|1|King^William|SPO^Spouse^HL70063|||||C^Emergency contact^HL70131",
      "PV1|1|I|WARD7^12^B^HOSPITAL||||1234^Babbage^Charles^^^Dr.|||MED||||7|A0||||V20260042",
      "AL1|1|DA|^Penicillin|SV|Hives \\T\\ swelling",
    ],
  },
  {
    what: "Laboratory results (ORU^R01) with one value out of range",
    text: (time, id) => [
      `MSH|^~\\&|LAB|HOSPITAL|EHR|CLINIC|${time}+0000||ORU^R01^ORU_R01|${id}|P|2.5.1|||AL|NE||UNICODE UTF-8`,
      PATIENT,
      `OBR|1|ORD-881^EHR|LAB-5523^LAB|2345-7^Chemistry panel^LN|||${time}|||||||||1234^Babbage^Charles`,
      "OBX|1|NM|2345-7^Glucose^LN||5.4|mmol/L|3.9-5.6|N|||F",
      "OBX|2|NM|2823-3^Potassium^LN||6.1|mmol/L|3.5-5.1|HH|||F",
      "OBX|3|TX|8251-1^Comment^LN||Repeat sample advised.\\.br\\Haemolysis ruled out.||||||F",
      "NTE|1|L|Phoned to ward 7",
    ],
  },
  {
    what: "An order (ORM^O01) with custom separators",
    text: (time, id) => [
      `MSH#*~!%#EHR#CLINIC#RIS#RADIOLOGY#${time}##ORM*O01#${id}#P#2.3`,
      "PID#1##4711**!F!A***HOSPITAL##Lovelace*Ada",
      "ORC#NW#ORD-882",
      `OBR#1#ORD-882##71020*Chest, two views###${time}`,
    ],
  },
  {
    what: "A batch of two appointments (SIU^S12), acknowledged as a batch",
    text: (time, id) => [
      `BHS|^~\\&|SCHED|HOSPITAL|EHR|CLINIC|${time}||||B${id}`,
      ...[1, 2].flatMap((number) => [
        `MSH|^~\\&|SCHED|HOSPITAL|EHR|CLINIC|${time}||SIU^S12|${id}-${number}|P|2.4`,
        `SCH|APP-${number}||||||ROUTINE^Routine|${15 * number}|min`,
        "PID|1||4711^^^HOSPITAL||Lovelace^Ada",
      ]),
      "BTS|2",
    ],
  },
  {
    what: "A message without MSH-2, acknowledged with AE",
    text: (
      time,
      id,
    ) => [`MSH|LEGACY|HOSPITAL|EHR|CLINIC|${time}||ADT^A08|${id}|P|2.1`, "PID|1||4711"],
  },
];

/** Messages of several kinds and ages, and the response to a bad one. */
export const SAMPLES: readonly DemoSample[] = MESSAGES.map(({ what, text }, at) => ({
  provider: "mllp",
  what,
  send: (to) => {
    const time = stamp(to.now);
    return exchange(
      to,
      text(time, `${time.slice(2)}${at + 1}`).map((line) => `${line}\r`).join(""),
    );
  },
}));

/** Sends a frame and waits for the acknowledgement; the message is captured whatever it says. */
async function exchange({ at, net }: DemoTarget, text: string): Promise<void> {
  await using wire = await net.connectTcp({ ...at, idleMs: ANSWER_MS });
  await wire.write(encodeFrame(new TextEncoder().encode(text)));
  const decoder = new FrameDecoder({ maxBytes: MAX_ANSWER_BYTES });
  for (;;) {
    const chunk = await wire.read({ idleMs: ANSWER_MS });
    if (chunk === undefined) {
      throw new WireError("truncated", "it closed without an acknowledgement");
    }
    for (const frame of decoder.push(chunk)) if (frame.kind === "message") return;
  }
}
