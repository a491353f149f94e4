/** Decoders of the checks and of formatted texts, for `fuzz_targets.ts`. */
import { assert } from "@std/assert";
import { fromLatin1 } from "../../core/bytes/latin1.ts";
import { runToEnd } from "../../core/bytes/steps.ts";
import { attempt } from "../../core/result.ts";
import { parseEdi } from "../../plugins/as2/codec/edi.ts";
import { readFormatted } from "../../plugins/chat/chat4/formats.ts";
import { parseKey } from "../../plugins/mail/checks/dkim/key.ts";
import { fieldsOf, verifySignature } from "../../plugins/mail/checks/dkim/verify.ts";
import { findFeatures } from "../../plugins/mail/checks/html/compatibility.ts";
import { readDocument } from "../../plugins/mail/checks/html/document.ts";
import { readLooks } from "../../plugins/mail/checks/html/look.ts";
import { loadSupport } from "../../plugins/mail/checks/html/support.ts";
import { parseReport } from "../../plugins/mail/checks/spam/spamc.ts";
import { RFC8463_KEYS, RFC8463_MESSAGE } from "./dkim.ts";

const SUPPORT = await loadSupport();
const ISA =
  "ISA*00*          *00*          *ZZ*S              *ZZ*R              *260131*1200*U*00401*000000001*0*P*>~GS*PO~";
const EDIFACT = "UNA:+.? 'UNB+UNOC:3+S+R+260131:1200+1'BGM+220+O?'1+9'UNZ+1+1'";
const HTML =
  "<style>@media (x){.a>b:has(c){d:var(--e) !important}}</style><p style='f:1px;g:h(i' class=j>k</p>";
const SPAMD = "SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.3 / 5.0\r\n\r\n" +
  "---- ----------------------\n 2.7 MISSING_DATE           Missing Date: header\n";
const DKIM_KEY = parseKey(RFC8463_KEYS["brisbane._domainkey.football.example.com"]);
const latin1 = new TextDecoder("latin1");

/** By name. */
export const CHECK_TARGETS = [
  {
    name: "chat-formats",
    seeds: ["*b* _i_ [l](https://e.example) `c` ||p||", '<b>x</b> <a href="x">&lt;</a>']
      .map(fromLatin1),
    run(bytes: Uint8Array): void {
      const source = latin1.decode(bytes);
      for (const mode of ["HTML", "MarkdownV2", "Markdown"]) {
        const read = attempt(() => readFormatted(source, mode));
        if (!read.ok) continue;
        const { text, entities } = read.value;
        for (const { offset, length } of entities) assert(offset + length <= text.length);
      }
    },
  },
  {
    name: "edi",
    seeds: [ISA, EDIFACT].map(fromLatin1),
    run(bytes: Uint8Array): void {
      const text = latin1.decode(bytes);
      for (const { start, end } of parseEdi(text)?.segments ?? []) {
        assert(start < end && end <= text.length);
      }
    },
  },
  {
    name: "mail-html",
    seeds: [HTML].map(fromLatin1),
    run(bytes: Uint8Array): void {
      const source = latin1.decode(bytes);
      const document = runToEnd(readDocument(source));
      assert(runToEnd(readLooks(document)).size === document.elements.length);
      for (const { place } of runToEnd(findFeatures(document, SUPPORT))) {
        assert(place.start < place.end && place.start < source.length);
      }
    },
  },
  {
    name: "spamd-answer",
    seeds: [SPAMD].map(fromLatin1),
    run(bytes: Uint8Array): void {
      const report = parseReport(latin1.decode(bytes));
      if (!report.ok) return;
      const { points, required, rules } = report.value;
      for (const number of [points, required, ...rules.map((rule) => rule.points)]) {
        assert(Number.isFinite(number));
      }
    },
  },
  {
    name: "dkim-signature",
    seeds: [RFC8463_MESSAGE].map(fromLatin1),
    run(bytes: Uint8Array): void {
      const [header = "", ...body] = latin1.decode(bytes).split("\r\n\r\n");
      const fields = fieldsOf(header);
      const message = { fields, body: fromLatin1(body.join("\r\n\r\n")) };
      for (const field of fields.slice(0, 10)) {
        const keyOf = () => DKIM_KEY.ok ? DKIM_KEY.value : undefined;
        runToEnd(verifySignature(message, field, { keyOf, nowMs: 0 }));
      }
    },
  },
  {
    name: "dkim-key",
    seeds: Object.values(RFC8463_KEYS).map(fromLatin1),
    run(bytes: Uint8Array): void {
      parseKey(latin1.decode(bytes));
    },
  },
];
