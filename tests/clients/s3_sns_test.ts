/** Event notifications through a topic of SNS, verified with Amazon's own validator. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import https from "node:https";
import { createVerify, X509Certificate } from "node:crypto";
import {
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import MessageValidator from "npm:sns-validator@0.3.5";
import { createAuthority, issueCertificate } from "../../core/tls/generate.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { scratch } from "../support/files.ts";
import { type Received, startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { startStore, type Store } from "../support/s3.ts";
import { connectSdk } from "../support/s3_clients.ts";

const Bucket = "box";
const TOPIC = "arn:aws:sns:us-east-1:123456789012:texts";
const ABOUT = { now: new Date(), days: 2 };

/** Stores an object whose bucket notifies the topic, and waits for the calls. */
async function notify({ service }: Pick<Store, "service">): Promise<void> {
  using client = connectSdk(service.endpoint("http").url);
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: {
        TopicConfigurations: [{ Id: "t", TopicArn: TOPIC, Events: ["s3:ObjectCreated:*"] }],
      },
    }),
  );
  await client.send(new PutObjectCommand({ Bucket, Key: "in/ü.txt", Body: "12345" }));
  for (const { id } of service.events.list({ plugin: "s3" })) {
    await service.getJson(`/events/${id}/callbacks?wait=true`);
  }
}

const targetOf = (url: string, version?: number): Readonly<Record<string, unknown>> => ({
  arn: TOPIC,
  url,
  ...(version === undefined ? {} : { signature_version: version }),
});

function startTopic(url: string, version?: number): Promise<Store> {
  const options = { notification_targets: [targetOf(url, version)] };
  return startStore(options, { callbacks: { enabled: true } });
}

const messageOf = ({ body }: Received): Record<string, string> => JSON.parse(body);

/** Runs the validator, which fetches certificates over HTTPS only: it gets that of Standin from a proxy. */
async function validate(message: Record<string, string>): Promise<unknown> {
  const authority = await createAuthority({ ...ABOUT, name: "CA" });
  const tls = await issueCertificate(authority, { ...ABOUT, name: "proxy", hosts: ["localhost"] });
  const { origin, pathname } = new URL(message.SigningCertURL!);
  await using proxy = startReceiver(({ url }) => fetch(`${origin}${new URL(url).pathname}`), {
    tls,
  });
  const { options } = https.globalAgent;
  const { ca } = options;
  options.ca = authority.cert;
  try {
    const validator = new MessageValidator(/^localhost:\d+$/);
    return await new Promise((resolve, reject) =>
      validator.validate(
        { ...message, SigningCertURL: `${proxy.url}${pathname}` },
        (error: Error | null, valid: unknown) => error ? reject(error) : resolve(valid),
      )
    );
  } finally {
    options.ca = ca;
    https.globalAgent.destroy();
  }
}

for (const version of [undefined, 1, 2]) {
  const title = version === undefined ? "by default" : `with signature version ${version}`;
  Deno.test(`a topic gets the signed message of SNS ${title}`, async () => {
    await using app = startReceiver();
    await using store = await startTopic(`${app.url}/sns`, version);
    await notify(store);
    const { service } = store;
    assertEquals(service.callbacks().map(({ name, state }) => [name, state]), [
      ["s3:TestEvent", "done"],
      ["ObjectCreated:Put", "done"],
    ]);
    assertEquals(app.received.map(({ method, url }) => [method, new URL(url).pathname]), [
      ["POST", "/sns"],
      ["POST", "/sns"],
    ]);
    assertEquals(JSON.parse(messageOf(app.received[0]!).Message!).Event, "s3:TestEvent");

    const [, received] = app.received;
    const { MessageId, Timestamp, Signature, SigningCertURL, UnsubscribeURL, Message, ...rest } =
      messageOf(received!);
    assertEquals(rest, {
      Type: "Notification",
      TopicArn: TOPIC,
      Subject: "Amazon S3 Notification",
      SignatureVersion: version === 2 ? "2" : "1",
    });
    const [record, ...others] = JSON.parse(Message!).Records;
    assertEquals([record.eventName, record.s3.object.key, record.s3.configurationId, others], [
      "ObjectCreated:Put",
      "in/%C3%BC.txt",
      "t",
      [],
    ]);
    assertEquals(new Date(Timestamp!).toISOString(), Timestamp);
    assertMatch(MessageId!, /^[0-9a-f-]{36}$/);
    const sent = (name: string) => received!.headers.get(name);
    assertEquals(
      [
        sent("x-amz-sns-message-type"),
        sent("x-amz-sns-message-id"),
        sent("x-amz-sns-topic-arn"),
        sent("content-type"),
        sent("user-agent"),
      ],
      [
        "Notification",
        MessageId!,
        TOPIC,
        "text/plain; charset=UTF-8",
        "Amazon Simple Notification Service Agent",
      ],
    );
    const subscription = sent("x-amz-sns-subscription-arn")!;
    assert(subscription.startsWith(`${TOPIC}:`), subscription);
    const { origin } = new URL(service.endpoint("http").url);
    assertMatch(SigningCertURL!, /\/SimpleNotificationService-[0-9a-f]{32}\.pem$/);
    assertEquals(new URL(SigningCertURL!).origin, origin);
    assertEquals(
      [
        new URL(UnsubscribeURL!).origin,
        new URL(UnsubscribeURL!).searchParams.get("SubscriptionArn"),
      ],
      [origin, subscription],
    );

    for (const one of app.received) await validate(messageOf(one));
    await assertRejects(
      () => validate({ ...messageOf(received!), Message: Message!.replace("box", "fox") }),
      Error,
      "signature is invalid",
    );

    // The documented procedure, without the validator.
    const certificate = await (await fetch(SigningCertURL!)).text();
    const text = `Message\n${Message}\nMessageId\n${MessageId}\nSubject\n${rest.Subject}\n` +
      `Timestamp\n${Timestamp}\nTopicArn\n${TOPIC}\nType\nNotification\n`;
    const verifier = createVerify(version === 2 ? "RSA-SHA256" : "RSA-SHA1").update(text);
    assert(verifier.verify(new X509Certificate(certificate).publicKey, Signature!, "base64"));
  });
}

Deno.test("the key of SNS is kept with the other generated keys, and a broken one is refused", async () => {
  await using folder = await scratch();
  await using app = startReceiver();
  const start = () =>
    startService({
      plugins: [s3],
      configFolder: folder.path,
      config: {
        callbacks: { enabled: true },
        plugins: {
          s3: {
            providers: { http: { buckets: [Bucket], notification_targets: [targetOf(app.url)] } },
          },
        },
      },
    });
  for (const _ of [1, 2]) {
    const service = await start();
    await notify({ service }).finally(() => service.stop());
  }
  const urls = app.received.map((one) => new URL(messageOf(one).SigningCertURL!).pathname);
  assertEquals([urls.length, new Set(urls).size], [4, 1]);
  await Deno.writeTextFile(`${folder.path}/sns_with_key.pem`, "no key");
  await assertRejects(
    start,
    Error,
    "remove the file to generate a new one",
  );
});

Deno.test("the shared address gets the message without the envelope, and nothing is signed", async () => {
  await using app = startReceiver();
  await using store = await startStore({}, {
    callbacks: { enabled: true, webhooks: { s3: app.url } },
  });
  await notify(store);
  const [, received] = app.received;
  assertEquals(JSON.parse(received!.body).Records[0].eventName, "ObjectCreated:Put");
  assertEquals(received!.headers.get("x-service-arn"), TOPIC);
});

Deno.test("only a topic has a signature version, which is 1 or 2", async () => {
  const url = "http://localhost:3000/";
  const cases: readonly [Record<string, unknown>, string][] = [
    [{ arn: TOPIC, url, signature_version: 3 }, "expected signature_version 1 or 2, not 3"],
    [
      { arn: "arn:aws:sqs:us-east-1:1:q", url, signature_version: 1 },
      "only topics have one",
    ],
  ];
  for (const [target, message] of cases) {
    await assertRejects(() => startStore({ notification_targets: [target] }), Error, message);
  }
});
