/** Event notifications to an address of each ARN, in the form of each kind of receiver. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  type NotificationConfiguration,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { startReceiver } from "../support/receiver.ts";
import { startStore, type Store } from "../support/s3.ts";
import { connectSdk } from "../support/s3_clients.ts";

const Bucket = "box";
const SQS = "arn:aws:sqs:us-east-1:123456789012:images";
const LAMBDA = "arn:aws:lambda:us-east-1:123456789012:function:resize";
const MINIO = "arn:minio:sqs::PRIMARY:webhook";
const BUS = "arn:aws:events:us-east-1:123456789012:event-bus/default";

interface Target {
  readonly arn: string;
  readonly url: string;
}

const startWith = (notification_targets: readonly Target[], webhooks = {}): Promise<Store> =>
  startStore({ notification_targets }, { callbacks: { enabled: true, webhooks } });

function configure(
  { service }: Store,
  configuration: NotificationConfiguration,
): Promise<unknown> {
  using client = connectSdk(service.endpoint("http").url);
  return client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: configuration,
    }),
  );
}

/** Waits for the calls about every event. */
async function settle({ service }: Store): Promise<void> {
  for (const { id } of service.events.list({ plugin: "s3" })) {
    await service.getJson(`/events/${id}/callbacks?wait=true`);
  }
}

Deno.test("each ARN has its address, and one without is shown as refused with the reason", async () => {
  await using queue = startReceiver();
  await using lambda = startReceiver();
  await using store = await startWith([
    { arn: SQS, url: `${queue.url}/queue` },
    { arn: LAMBDA, url: lambda.url },
  ]);
  const { service } = store;
  const lost = "arn:aws:sqs:us-east-1:123456789012:lost";
  await configure(store, {
    QueueConfigurations: [
      { QueueArn: SQS, Events: ["s3:ObjectCreated:Put"] },
      { QueueArn: lost, Events: ["s3:ObjectCreated:Copy"] },
    ],
    LambdaFunctionConfigurations: [
      { LambdaFunctionArn: LAMBDA, Events: ["s3:ObjectRemoved:*"] },
    ],
  });
  using client = connectSdk(service.endpoint("http").url);
  await client.send(new PutObjectCommand({ Bucket, Key: "one", Body: "x" }));
  await client.send(new CopyObjectCommand({ Bucket, Key: "two", CopySource: "box/one" }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: "one" }));
  await settle(store);

  const names = (bodies: readonly { body: string }[]) =>
    bodies.map(({ body }) => JSON.parse(body)).map(({ Event, Records }) =>
      Event ?? Records[0].eventName
    );
  assertEquals(names(queue.received), ["s3:TestEvent", "ObjectCreated:Put"]);
  assertEquals(names(lambda.received), ["ObjectRemoved:Delete"]);
  assertEquals(new URL(queue.received[0]!.url).pathname, "/queue");

  const [copied] = service.events.list({ type: "s3.object.copy" });
  const [call, ...others] = service.callbacks(copied!);
  assertEquals(others, []);
  assertEquals([call?.state, call?.url, call?.attempts], ["refused", lost, []]);
  assertEquals(
    call?.reason,
    `Cannot notify "${lost}": it has no address; add a ` +
      "[[plugins.s3.providers.http.notification_targets]] table for it, or set " +
      "[callbacks.webhooks] s3 (--callbacks-webhook-s3)",
  );
  await assertRejects(() => service.callback(copied!, "notify"), Error, "it has no address");
  const [configured] = service.events.list({ type: "s3.bucket.notification" });
  assertEquals(
    service.callbacks(configured!).map(({ url, state }) => [url, state]),
    [[`${queue.url}/queue`, "done"], [lost, "refused"]],
  );
  const [again, ...rest] = await service.callback(configured!, "notify");
  assertEquals([again?.url, again?.state, rest], [`${queue.url}/queue`, "done", []]);
});

Deno.test("the shared address gets the messages of ARNs without an address of their own", async () => {
  await using own = startReceiver();
  await using shared = startReceiver();
  await using store = await startWith([{ arn: SQS, url: own.url }], { s3: shared.url });
  await configure(store, {
    QueueConfigurations: [{ QueueArn: SQS, Events: ["s3:ObjectCreated:*"] }],
    LambdaFunctionConfigurations: [
      { LambdaFunctionArn: LAMBDA, Events: ["s3:ObjectRemoved:*"] },
    ],
  });
  using client = connectSdk(store.service.endpoint("http").url);
  await client.send(new DeleteObjectCommand({ Bucket, Key: "none" }));
  await client.send(new PutObjectCommand({ Bucket, Key: "one", Body: "x" }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: "one" }));
  await settle(store);
  const arns = (all: readonly { headers: Headers }[]) =>
    all.map(({ headers }) => headers.get("x-service-arn"));
  assertEquals(arns(own.received), [SQS, SQS]);
  assertEquals(arns(shared.received), [LAMBDA]);
});

Deno.test("a target of MinIO gets the body of its webhook, and no test message", async () => {
  await using app = startReceiver();
  await using store = await startWith([{ arn: MINIO, url: app.url }]);
  const { service } = store;
  await configure(store, {
    QueueConfigurations: [
      { QueueArn: MINIO, Events: ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"] },
    ],
  });
  using client = connectSdk(service.endpoint("http").url);
  const Key = "in/red flower~ü.jpg";
  const put = await client.send(
    new PutObjectCommand({
      Bucket,
      Key,
      Body: "12345",
      ContentType: "image/jpeg",
      Metadata: { "taken-by": "Ada" },
    }),
  );
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
  await settle(store);
  assertEquals(app.received.map(({ method, headers }) => [method, headers.get("content-type")]), [
    ["POST", "application/json"],
    ["POST", "application/json"],
  ]);
  const [created, removed] = app.received.map(({ body }) => JSON.parse(body));
  assertEquals(Object.keys(created), ["EventName", "Key", "Records"]);
  assertEquals([created.EventName, created.Key], ["s3:ObjectCreated:Put", `box/${Key}`]);
  const [record] = created.Records;
  assertEquals(
    [record.eventSource, record.eventVersion, record.eventName, record.awsRegion],
    ["minio:s3", "2.0", "s3:ObjectCreated:Put", ""],
  );
  assertEquals([record.userIdentity.principalId, record.source.host], ["any", "127.0.0.1"]);
  assertMatch(record.source.userAgent, /^aws-sdk-js\//);
  assertEquals(
    record.responseElements["x-minio-origin-endpoint"],
    new URL(service.endpoint("http").url).origin,
  );
  const { sequencer, ...object } = record.s3.object;
  assertEquals(object, {
    key: "in%2Fred+flower~%C3%BC.jpg",
    size: 5,
    eTag: put.ETag!.replaceAll('"', ""),
    contentType: "image/jpeg",
    userMetadata: { "content-type": "image/jpeg", "X-Amz-Meta-Taken-By": "Ada" },
  });
  assertEquals(removed.EventName, "s3:ObjectRemoved:Delete");
  assertEquals(Object.keys(removed.Records[0].s3.object), ["key", "sequencer"]);
  assert(sequencer < removed.Records[0].s3.object.sequencer);
  assertEquals(service.callbacks().map(({ state }) => state), ["done", "done"]);
});

Deno.test("EventBridge gets every change in its own envelope, and needs an address of its own", async () => {
  await using app = startReceiver();
  await using store = await startWith([{ arn: BUS, url: app.url }]);
  await using bare = await startWith([], { s3: app.url });
  for (const one of [store, bare]) {
    await configure(one, { EventBridgeConfiguration: {} });
    using client = connectSdk(one.service.endpoint("http").url);
    await client.send(new PutObjectCommand({ Bucket, Key: "a b/ü", Body: "12345" }));
    if (one === bare) break;
    await client.send(
      new PutObjectTaggingCommand({
        Bucket,
        Key: "a b/ü",
        Tagging: { TagSet: [{ Key: "colour", Value: "red" }] },
      }),
    );
    await client.send(new DeleteObjectCommand({ Bucket, Key: "a b/ü" }));
  }
  await settle(store);
  assertEquals(
    app.received.map(({ headers }) => headers.get("user-agent")),
    Array(3).fill("Amazon/EventBridge/ApiDestinations"),
  );
  const find = (type: string) =>
    app.received.map(({ body }) => JSON.parse(body)).find((one) => one["detail-type"] === type);
  const { id, time, detail: { "request-id": requestId, ...detail }, ...head } = find(
    "Object Created",
  );
  assertMatch(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assertMatch(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertMatch(requestId, /^[0-9A-F]{16}$/);
  assertMatch(detail.object.sequencer, /^[0-9a-z]{16}$/);
  assertEquals(head, {
    version: "0",
    "detail-type": "Object Created",
    source: "aws.s3",
    account: "123456789012",
    region: "us-east-1",
    resources: ["arn:aws:s3:::box"],
  });
  assertEquals(detail, {
    version: "0",
    bucket: { name: "box" },
    object: {
      key: "a b/ü",
      size: 5,
      etag: "827ccb0eea8a706c4c34a16891f84e7b",
      sequencer: detail.object.sequencer,
    },
    requester: "123456789012",
    "source-ip-address": "127.0.0.1",
    reason: "PutObject",
  });
  const deleted = find("Object Deleted").detail;
  assertEquals([deleted.reason, deleted["deletion-type"]], ["DeleteObject", "Permanently Deleted"]);
  assertEquals(find("Object Tags Added").detail.object, {
    key: "a b/ü",
    etag: "827ccb0eea8a706c4c34a16891f84e7b",
  });

  const [call] = bare.service.callbacks();
  assertEquals([call?.state, call?.url], [
    "refused",
    "arn:aws:events:us-east-1::event-bus/default",
  ]);
});

Deno.test("an invalid target is refused at the start, with what is valid", async () => {
  const url = "http://localhost:3000/";
  const cases: readonly [Record<string, unknown>[], string][] = [
    [[{ arn: "arn:aws:s3:::box", url }], 'not "arn:aws:s3:::box"'],
    [[{ arn: "arn:minio:sqs::webhook", url }], "or arn:minio:sqs::ID:webhook"],
    [[{ arn: SQS, url: "localhost:3000" }], `expected url of "${SQS}" such as`],
    [[{ arn: SQS, url: "smtp://localhost:25" }], 'not "smtp://localhost:25"'],
    [[{ arn: SQS }], "not nothing"],
    [[{ arn: SQS, ulr: url }], 'did you mean "url"?'],
    [[{ arn: SQS, url }, { arn: SQS, url }], `not "${SQS}" twice`],
  ];
  for (const [notification_targets, message] of cases) {
    await assertRejects(
      () => startStore({ notification_targets }, { callbacks: { enabled: true } }),
      Error,
      message,
    );
  }
});
