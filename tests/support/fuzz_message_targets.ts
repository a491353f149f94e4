/** Decoders of text messages, pushes and version 3 traps, for `fuzz_targets.ts`. */
import { decryptAes128gcm } from "../../plugins/push/push3/encryption.ts";
import { readParams } from "../../plugins/push/push3/headers.ts";
import { decodeToken, makeKeys } from "../../plugins/push/push3/subscription.ts";
import { countSegments } from "../../plugins/sms/codec/segments.ts";
import { decodeScoped, decodeV3 } from "../../plugins/snmp/trap/codec/message_v3.ts";
import type { FuzzTarget } from "./fuzz_targets.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** By name. */
export const MESSAGE_TARGETS: readonly FuzzTarget[] = [
  {
    name: "web-push",
    seeds: [
      text("dh=BCVx;keyid=p256dh,p256ecdsa=BAS7"),
      text("st1-AAAA"),
      Uint8Array.fromHex(`${"00".repeat(18)}100041${"04".repeat(65)}${"00".repeat(30)}`),
    ],
    run(bytes) {
      const words = new TextDecoder().decode(bytes);
      readParams(words);
      decodeToken(words);
      decryptAes128gcm(bytes, makeKeys(() => bytes));
    },
  },
  {
    name: "sms-segments",
    seeds: [text("Hello {x} €"), text("Grüße \u{1f600}".repeat(20))],
    run: (bytes) => void countSegments(new TextDecoder().decode(bytes)),
  },
  {
    name: "snmp-v3",
    // A discovery request: noAuthNoPriv, reportable, and an empty GetRequest.
    seeds: [Uint8Array.fromHex(
      "303e020103301102040c1d2e3f020300ffe3040104020103041030" +
        "0e0400020100020100040004000400301404000400a00e0204000000010201000201003000",
    )],
    run(bytes) {
      decodeScoped(decodeV3(bytes).data);
    },
  },
];
