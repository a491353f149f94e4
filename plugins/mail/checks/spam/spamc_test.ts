import { assertEquals } from "@std/assert";
import { encodeReportRequest, parseReport } from "./spamc.ts";

const REPORT = `Content preview:  1.0 NOT_A_RULE  in the preview

Content analysis details:   (6.0 points, 5.0 required)

 pts rule name              description
---- ---------------------- --------------------------------------------------
-0.0 NO_RELAYS              Informational: message was not relayed via SMTP
1000 GTUBE                  BODY: Generic Test for Unsolicited Bulk Email
 2.7 LONG_WORDS             A description that
                            [score: 0.5]

 9.9 AFTER_THE_TABLE        text of the mail
`;

const answer = (report: string, head = "Spam: True ; 6.0 / 5.0") =>
  `SPAMD/1.1 0 EX_OK\r\nContent-length: ${report.length}\r\n${head}\r\n\r\n${report}`;

Deno.test("a request has its version, its length and the message", () => {
  assertEquals(
    new TextDecoder().decode(encodeReportRequest(new TextEncoder().encode("a: b\r\n\r\nc"))),
    "REPORT SPAMC/1.5\r\nContent-length: 9\r\n\r\na: b\r\n\r\nc",
  );
});

Deno.test("the rules are those of the table, each with its points and words", () => {
  assertEquals(parseReport(answer(REPORT)), {
    ok: true,
    value: {
      isSpam: true,
      points: 6,
      required: 5,
      rules: [
        {
          name: "NO_RELAYS",
          points: -0,
          about: "Informational: message was not relayed via SMTP",
        },
        { name: "GTUBE", points: 1000, about: "BODY: Generic Test for Unsolicited Bulk Email" },
        { name: "LONG_WORDS", points: 2.7, about: "A description that [score: 0.5]" },
      ],
    },
  });
});

Deno.test("an answer that is an error or of another protocol is a refusal", () => {
  for (
    const [text, says] of [
      ["HTTP/1.1 400 Bad Request\r\n\r\n", "it does not use the protocol of spamd"],
      ["", "it does not use the protocol of spamd"],
      [
        "SPAMD/1.0 79 Timeout: (30 second timeout)\r\n",
        "it answered 79 Timeout: (30 second timeout)",
      ],
      [answer("", "Score: 5"), "its response has no Spam field"],
      ["SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.0 / 5.0", "its response has no Spam field"],
    ] as const
  ) {
    assertEquals(parseReport(text), { ok: false, refusal: says });
  }
});
