import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import * as sns from "npm:@aws-sdk/client-sns@3.1169.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { startService, type TestService } from "../support/service.ts";

const NUMBER = "+447700900123";
const TOPIC = "arn:aws:sns:eu-west-1:000000000000:orders";

async function start(config: Record<string, unknown> = {}) {
  // With Amazon SES, whose older API has the same path.
  const service = await startService({
    plugins: [mail, sms],
    config: { plugins: { sms: { providers: { sms2: config } } } },
  });
  const client = new sns.SNSClient({
    endpoint: service.ingress.url,
    region: "eu-west-1",
    credentials: { accessKeyId: "AKIAANY", secretAccessKey: "secret" },
    maxAttempts: 1,
  });
  return {
    service,
    client,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ provider: "sms2" }) as CapturedEvent<SmsMessage>[]).reverse();
}

/** Name, status and text of the error that a promise rejects with. */
async function refusalOf(work: Promise<unknown>): Promise<[string, number, string]> {
  const error = await assertRejects(() => work) as sns.SNSServiceException;
  return [error.name, error.$metadata.httpStatusCode!, error.message];
}

Deno.test("client-sns publishes to a number, and the event holds all of it", async () => {
  await using running = await start();
  const { service, client } = running;
  const sent = await client.send(
    new sns.PublishCommand({
      PhoneNumber: NUMBER,
      Message: "Your code is 481516 & grüße 👋",
      MessageAttributes: {
        "AWS.SNS.SMS.SenderID": { DataType: "String", StringValue: "LOVELACE" },
        "AWS.SNS.SMS.SMSType": { DataType: "String", StringValue: "Transactional" },
      },
    }),
  );
  const [event] = captured(service);
  assertEquals(event!.payload.body, "Your code is 481516 & grüße 👋");
  assertEquals([event!.payload.to, event!.payload.from], [NUMBER, "LOVELACE"]);
  assertEquals(event!.payload.segments.encoding, "UCS-2");
  assertEquals([event!.meta.message_id, event!.meta.sms_type], [sent.MessageId, "Transactional"]);
  assertEquals([event!.meta.access_key, event!.meta.region], ["AKIAANY", "eu-west-1"]);
  assertMatch(sent.$metadata.requestId!, /^[0-9a-f-]{36}$/);
});

Deno.test("client-sns publishes to topics, one message for each protocol, and in order", async () => {
  await using running = await start();
  const { service, client } = running;
  const { TopicArn } = await client.send(new sns.CreateTopicCommand({ Name: "orders" }));
  assertEquals(TopicArn, TOPIC);
  await client.send(
    new sns.PublishCommand({
      TopicArn,
      Subject: "Order",
      Message: JSON.stringify({ default: "long", sms: "short" }),
      MessageStructure: "json",
    }),
  );
  const ordered = await client.send(
    new sns.PublishCommand({ TopicArn: `${TOPIC}.fifo`, Message: "1st", MessageGroupId: "g" }),
  );
  assertMatch(ordered.SequenceNumber!, /^\d{20}$/);
  const [one, two] = captured(service);
  assertEquals([one!.payload.to, one!.payload.body, one!.meta.subject], [TOPIC, "short", "Order"]);
  assertEquals([two!.payload.body, two!.meta.message_group_id], ["1st", "g"]);
});

Deno.test("client-sns publishes a batch; a refused entry does not affect the others", async () => {
  await using running = await start();
  const { service, client } = running;
  const { Successful, Failed } = await client.send(
    new sns.PublishBatchCommand({
      TopicArn: TOPIC,
      PublishBatchRequestEntries: [
        { Id: "a", Message: "one" },
        { Id: "b", Message: "" },
        {
          Id: "c",
          Message: "three",
          MessageAttributes: { kind: { DataType: "String", StringValue: "late" } },
        },
      ],
    }),
  );
  assertEquals(Successful?.map(({ Id }) => Id), ["a", "c"]);
  assertEquals(Failed, [
    {
      Id: "b",
      Code: "InvalidParameter",
      Message: "Invalid parameter: Empty message",
      SenderFault: true,
    },
  ]);
  const [one, three] = captured(service);
  assertEquals([one!.payload.body, three!.payload.body], ["one", "three"]);
  assertEquals(three!.meta.message_attributes, { kind: "late" });
  const twice = [{ Id: "a", Message: "x" }, { Id: "a", Message: "y" }];
  const batch = (entries: sns.PublishBatchRequestEntry[]) =>
    refusalOf(client.send(
      new sns.PublishBatchCommand({ TopicArn: TOPIC, PublishBatchRequestEntries: entries }),
    ));
  assertEquals((await batch(twice)).slice(0, 2), ["BatchEntryIdsNotDistinctException", 400]);
  assertEquals((await batch([])).slice(0, 2), ["EmptyBatchRequestException", 400]);
  const many = Array.from({ length: 11 }, (_, i) => ({ Id: `${i}`, Message: "x" }));
  assertEquals((await batch(many)).slice(0, 2), ["TooManyEntriesInBatchRequestException", 400]);
});

Deno.test("client-sns reports refusals as the vendor's errors, and nothing is captured", async () => {
  await using running = await start({ access_key: "AKIAOTHER", opted_out: [NUMBER] });
  const { service, client } = running;
  const publish = (to: string) =>
    refusalOf(client.send(new sns.PublishCommand({ PhoneNumber: to, Message: "x" })));
  assertEquals(await publish(NUMBER), [
    "InvalidClientTokenId",
    403,
    "The security token included in the request is invalid.",
  ]);
  assertEquals(service.rejected.list({ provider: "sms2" }).length, 1);
  await using open = await start({ opted_out: [NUMBER] });
  const asked = await open.client.send(
    new sns.CheckIfPhoneNumberIsOptedOutCommand({ phoneNumber: NUMBER }),
  );
  assertEquals(asked.isOptedOut, true);
  const send = (input: sns.PublishCommandInput) =>
    refusalOf(open.client.send(new sns.PublishCommand(input)));
  assertEquals((await send({ PhoneNumber: NUMBER, Message: "x" }))[1], 403);
  assertEquals(await send({ PhoneNumber: "nobody", Message: "x" }), [
    "InvalidParameterException",
    400,
    "Invalid parameter: PhoneNumber Reason: nobody is not valid to publish to",
  ]);
  assertEquals(await refusalOf(open.client.send(new sns.ListTopicsCommand())), [
    "InvalidAction",
    400,
    "Could not find operation ListTopics for version 2010-03-31",
  ]);
  assertEquals(open.service.events.count(), 0);
});

Deno.test("client-sns reports subjects and attributes that the vendor refuses", async () => {
  await using running = await start();
  const { service, client } = running;
  const publish = (input: Omit<sns.PublishCommandInput, "TopicArn" | "Message">) =>
    refusalOf(client.send(new sns.PublishCommand({ TopicArn: TOPIC, Message: "x", ...input })));
  const subject = ["InvalidParameterException", 400, "Invalid parameter: Subject"];
  assertEquals(await publish({ Subject: "a".repeat(101) }), subject);
  assertEquals(await publish({ Subject: "two\nlines" }), subject);
  const attribute = (name: string, value: sns.MessageAttributeValue) =>
    publish({ MessageAttributes: { [name]: value } });
  assertEquals(await attribute("tenant", { DataType: "String", StringValue: "" }), [
    "InvalidParameterValueException",
    400,
    "The message attribute 'tenant' must contain non-empty message attribute value for message " +
    "attribute type 'String'.",
  ]);
  assertEquals(
    (await attribute("paid", { DataType: "Boolean", StringValue: "true" })).slice(0, 2),
    ["InvalidParameterValueException", 400],
  );
  assertEquals(
    (await attribute("two words", { DataType: "String", StringValue: "x" })).slice(0, 2),
    ["InvalidParameterValueException", 400],
  );
  assertEquals(service.events.count(), 0);
  const number = { DataType: "Number", StringValue: "7" };
  const bytes = { DataType: "Binary", BinaryValue: new Uint8Array([0, 255]) };
  await client.send(
    new sns.PublishCommand({
      TopicArn: TOPIC,
      Message: "x",
      Subject: "a".repeat(100),
      MessageAttributes: { number, bytes },
    }),
  );
  assertEquals(captured(service)[0]!.meta.message_attributes, { number: "7", bytes: "AP8=" });
});
