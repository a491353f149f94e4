import { assertEquals, assertStringIncludes } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { requireGo, requireMaven, requirePython, runOk, runProgram } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { startService, type TestService } from "../support/service.ts";

const TOPIC = "arn:aws:sns:eu-west-1:000000000000:orders";
const NOBODY = "Invalid parameter: PhoneNumber Reason: nobody is not valid to publish to";

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ provider: "sms2" }) as CapturedEvent<SmsMessage>[]).reverse();
}

Deno.test("boto3 publishes to numbers and topics, and reads refusals", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail, sms] });
  const script = new URL("python/sns_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], { env: { NO_PROXY: "*" } });
  const [one, two] = captured(service);
  assertEquals(JSON.parse(stdout), {
    sent: one!.meta.message_id,
    topic: TOPIC,
    batch: ["a", "InvalidParameter"],
    refused: NOBODY,
    unknown: "InvalidAction",
  });
  assertEquals([one!.payload.body, one!.meta.access_key], ["Grüße aus Python & €", "AKIAPYTHON"]);
  assertEquals([two!.payload.to, two!.payload.body], [TOPIC, "one"]);
});

Deno.test("the aws CLI publishes, and prints refusals", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail, sms] });
  const aws = (...args: string[]) =>
    runProgram(python, ["-m", "awscli", "sns", ...args, "--endpoint-url", service.ingress.url], {
      env: {
        AWS_ACCESS_KEY_ID: "AKIACLI",
        AWS_SECRET_ACCESS_KEY: "secret",
        AWS_DEFAULT_REGION: "eu-west-1",
        AWS_PAGER: "",
        NO_PROXY: "*",
      },
    });
  const sent = await aws("publish", "--phone-number", "+447700900123", "--message", "Hi & bye");
  const [event] = captured(service);
  assertEquals(JSON.parse(sent.stdout).MessageId, event!.meta.message_id);
  assertEquals(event!.payload.body, "Hi & bye");
  const refused = await aws("publish", "--phone-number", "nobody", "--message", "x");
  assertStringIncludes(refused.stderr, `(InvalidParameter)`);
  assertStringIncludes(refused.stderr, NOBODY);
});

Deno.test("the AWS SDK for Java publishes, and throws refusals", async (t) => {
  const project = await requireMaven(t, "sns");
  if (project === undefined) return;
  await using service = await startService({ plugins: [mail, sms] });
  const seen = await javaCalls<readonly string[]>(project, [service.ingress.url]);
  const [one, two] = captured(service);
  assertEquals(seen, [
    String(one!.meta.message_id),
    TOPIC,
    ...["a", "InvalidParameter"],
    NOBODY,
  ]);
  assertEquals([one!.payload.body, two!.payload.to], ["Grüße & €", TOPIC]);
});

Deno.test("the AWS SDK for Go publishes, and returns refusals", async (t) => {
  const program = await requireGo(t, "sns");
  if (program === undefined) return;
  await using service = await startService({ plugins: [mail, sms] });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  const [one] = captured(service);
  assertEquals(JSON.parse(stdout), {
    sent: one!.meta.message_id,
    topic: TOPIC,
    batch: ["a", "b", "InvalidParameter"],
    refused: NOBODY,
  });
  assertEquals(one!.payload.body, "Grüße aus Go & €");
});
