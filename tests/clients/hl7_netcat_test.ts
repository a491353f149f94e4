/** HL7 by hand: frames typed into netcat. */
import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/** Sends the input, ends its side, and prints the response. */
async function type(nc: string, service: TestService, stdin: string): Promise<string> {
  const { hostname, port } = service.endpoint("mllp");
  return (await runOk(nc, ["-N", "-w", "5", hostname, `${port}`], { stdin })).stdout;
}

const messages = (service: TestService): Hl7Message[] =>
  (service.events.list({ plugin: "hl7" }) as CapturedEvent<Hl7Message>[])
    .map(({ payload }) => payload).reverse();

clientTest(
  "netcat types two messages and reads both answers, each in its frame",
  ["nc"],
  async ({ nc }) => {
    await using service = await startService({ plugins: [hl7] });
    const one = (id: number): string =>
      `\v${`MSH|^~\\&|NC|HAND|EHR|CLINIC|20260131||ADT^A01|${id}|P|2.5\rPID|1||4711\r`}\x1c\r`;
    const answers = await type(nc, service, one(1) + one(2));
    const [first = "", second = "", end] = answers.split("\x1c\r");
    assertMatch(first, /^\vMSH\|\^~\\&\|EHR\|CLINIC\|NC\|HAND\|[^\v]*\rMSA\|AA\|1\r$/);
    assertMatch(second, /^\vMSH[^\v]*\rMSA\|AA\|2\r$/);
    assertEquals(end, "");
    assertEquals(messages(service).map(({ header }) => header.control_id), ["1", "2"]);
    assertEquals(messages(service).map(({ issues }) => issues), [undefined, undefined]);
  },
);

clientTest("common typing mistakes are still answered", ["nc"], async ({ nc }) => {
  await using service = await startService({ plugins: [hl7] });
  // Line feeds of a terminal, no CR after the end, and nothing after the last field.
  assertMatch(
    await type(nc, service, "\n\vMSH|^~\\&|NC|||||ADT^A01|7|P|2.5\nPID|1||4711\n\x1c\n"),
    /\rMSA\|A[AE]\|/,
  );
  assertMatch(await type(nc, service, "\vhello\x1c\r"), /\rMSA\|AR\|\r/);
  assertEquals(await type(nc, service, "MSH|^~\\&|no frame at all\r"), "");
  assertEquals(messages(service).length, 2);
  assertMatch(service.rejected.list()[0]?.reason ?? "", /0x0B before a message/);
});
