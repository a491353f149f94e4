/** Decoders of data from tools, agents, users and other instances, for `fuzz_targets.ts`. */
import { assert } from "@std/assert";
import { checkHeaders } from "../../core/mcp/headers.ts";
import { readMessage, RpcError } from "../../core/mcp/message.ts";
import { decodeMessage } from "../../core/nats/message.ts";
import { readRef } from "../../core/nats/chunks.ts";
import { decodeChanges, decodeNote } from "../../core/nats/shared_message.ts";
import { ConfigError } from "../../core/errors.ts";
import { decodeFrame } from "../../core/peers/frame.ts";
import { parseToml } from "../../core/options/toml.ts";
import { readAnswer } from "../../plugins/webhook/answers.ts";
import { parseProfile } from "../../plugins/hl7/checks/profile.ts";
import { parseTemplate } from "../../plugins/mail/mail1/language.ts";
import { render, TemplateError } from "../../plugins/mail/template.ts";
import { Engine } from "../../plugins/snmp/trap/engine.ts";
import { readDatagram } from "../../plugins/snmp/trap/trap.ts";
import { readUser } from "../../plugins/snmp/trap/usm.ts";
import { asLatin1, asUtf8, hex, texts } from "./fuzz_bytes.ts";
import type { FuzzTarget } from "./fuzz_targets.ts";

type Refusal = abstract new (...args: never[]) => Error;

/** Runs decoders that may refuse their input. */
function refusing(refusals: readonly Refusal[], ...works: readonly (() => void)[]): void {
  for (const work of works) {
    try {
      work();
    } catch (error) {
      if (!refusals.some((refusal) => error instanceof refusal)) throw error;
    }
  }
}

/** A message of the log: the length of its header, the header, and a body. */
function parcel(header: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array([0, 0, 0, 0, ...json, 0x78]);
  new DataView(bytes.buffer).setUint32(0, json.length);
  return bytes;
}

const CAPTURED = {
  format: 1,
  kind: "captured",
  ids: ["01a2070ee1bf00004ee5dc69"],
  ms: [1],
  bodyOf: [0],
  sizes: [1],
  refs: [{ id: "b", size: 1 }],
  events: [{
    plugin: "mail",
    provider: "smtp",
    type: "mail.message",
    received_at: 1e12,
    summary: "a",
    summary_parts: { to: ["b"] },
    meta: {},
    payload: {},
    raw: { transport: "smtp", text: false, headers: [["a", "b"]] },
    blobs: ["b"],
  }],
};

const VARIABLES = { var: { a: "x", list: [{ b: 1 }, { b: 2 }] }, data: { c: "y" } };
const SECONDS = 1e9;
/** Its keys are derived once, because that is slow by design. */
const ENGINE = new Engine({
  users: [readUser({ name: "ada", auth_password: "analytical", priv: "aes" })],
  id: Uint8Array.fromHex("80000000047374616e64696e"),
  now: () => new Date(SECONDS * 1000),
});

/** A message between instances: its length, and JSON. */
function peerFrame(message: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array([0, 0, 0, 0, ...json]);
  new DataView(bytes.buffer).setUint32(0, json.length);
  return bytes;
}

/** By name. */
export const ENGINE_TARGETS: readonly FuzzTarget[] = [
  {
    name: "mcp",
    seeds: texts(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_events","arguments":{}}}',
      '{"jsonrpc":"2.0","method":"a","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    ),
    run(bytes) {
      const text = asLatin1(bytes);
      const headers = { get: (name: string) => name === "mcp-name" ? text : null };
      refusing(
        [RpcError],
        () => checkHeaders({ ...headers, has: () => false } as never, readMessage(bytes)),
      );
    },
  },
  {
    name: "nats-messages",
    seeds: [
      parcel(CAPTURED),
      parcel({ format: 1, kind: "deleted", ids: ["a"] }),
      parcel({ format: 1, kind: "cleared", plugin: "mail" }),
      ...texts(
        '{"format":1,"at":1,"object":"a","size":2,"count":3}',
        '{"format":1,"changes":[{}]}',
      ),
    ],
    run(bytes) {
      refusing(
        [RangeError],
        () => {
          const read = decodeMessage(bytes);
          if (!("events" in read)) return;
          for (const { event } of read.events) {
            assert(event.summary.length >= 0 && event.raw.body.length >= 0);
            event.received_at.toISOString();
          }
        },
        () => decodeChanges(bytes),
        () => decodeNote(bytes),
        () => readRef(asLatin1(bytes)),
      );
    },
  },
  {
    name: "peer-frames",
    seeds: [
      peerFrame({ sealed: "0a".repeat(32) }),
      peerFrame({ serve: { on: "files/ftp", peer: "[::1]:2", home: { port: 4000 } } }),
      peerFrame({ error: "this instance does not serve it" }),
    ],
    run: (bytes) => void decodeFrame(bytes),
  },
  {
    name: "snmp-engine",
    seeds: hex(
      "303e020103301102040c1d2e3f020300ffe3040104020103041030" +
        "0e0400020100020100040004000400301404000400a00e0204000000010201000201003000",
      "3062020103301102040c1d2e3f020300ffe304010102010304283026040c80000000047374616e64696e" +
        "0201010201010403616461040c0000000000000000000000000400" +
        "302004000400a71a02040000000102010002010030",
    ),
    run(bytes) {
      readDatagram(bytes, ENGINE);
    },
  },
  {
    name: "mailjet-templates",
    seeds: texts(
      '{{var:a:"x"}}[[data:c:""]]{% if var:a == "x" and not var:b:false %}{{Upper(var:a)}}{% elseif 1 %}{% endif %}',
      "{% for one in var:list %}{{one.b}}{% else %}{% endfor %}{{var:constructor.__proto__}}",
    ),
    run(bytes) {
      refusing([TemplateError], () => render(parseTemplate(asUtf8(bytes)), VARIABLES));
    },
  },
  {
    name: "toml",
    seeds: texts(
      '[messages."ADT^A01"]\nsegments = ["NK1"]\n[fields."PID-8"]\nvalues = ["F"]\nmax_length = 2\n',
      "a = [1, 2.5, 1979-05-27T07:32:00Z, '''x''']\n[[b]]\nc.d = {e = true}\n",
    ),
    run(bytes) {
      const source = asUtf8(bytes);
      refusing(
        [ConfigError],
        () => parseToml(source, "a.toml"),
        () => parseProfile(source, "a.toml"),
      );
    },
  },
  {
    name: "webhook-answers",
    seeds: texts(
      '{"name":"a","method":"POST","status":202,"headers":{"x-a":"b"},"body":"c","delay":"1ms","times":2}',
      '{"name":"*","json":{"__proto__":1}}',
    ),
    run(bytes) {
      let given: unknown;
      try {
        given = JSON.parse(asUtf8(bytes));
      } catch {
        return;
      }
      if (typeof given !== "object" || given === null || Array.isArray(given)) return;
      refusing([TypeError, RangeError], () => {
        const { status, headers, body } = readAnswer(given as Record<string, unknown>);
        // Accepted input can be sent.
        new Response(body === "" ? null : body, { status, headers });
      });
    },
  },
];
