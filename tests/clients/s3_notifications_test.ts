/** Event notifications of a bucket, configured with boto3 and received by an application. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  DeleteObjectCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { type Received, startReceiver } from "../support/receiver.ts";
import { startStore } from "../support/s3.ts";
import { connectSdk, runBoto3 } from "../support/s3_clients.ts";

/** A message about an event, as an application parses it. */
interface S3Record {
  readonly eventVersion: string;
  readonly eventSource: string;
  readonly awsRegion: string;
  readonly eventTime: string;
  readonly eventName: string;
  readonly userIdentity: { readonly principalId: string };
  readonly requestParameters: { readonly sourceIPAddress: string };
  readonly responseElements: Readonly<Record<string, string>>;
  readonly s3: {
    readonly s3SchemaVersion: string;
    readonly configurationId: string;
    readonly bucket: { readonly name: string; readonly arn: string };
    readonly object: {
      readonly key: string;
      readonly size?: number;
      readonly eTag?: string;
      readonly versionId?: string;
      readonly sequencer?: string;
    };
  };
}

const recordOf = ({ body }: Received): S3Record => JSON.parse(body).Records[0];
const arnOf = ({ headers }: Received): string => headers.get("x-service-arn")!;
const notifying = (url: string) => ({ callbacks: { enabled: true, webhooks: { s3: url } } });

Deno.test("boto3 configures notifications, and the application gets what S3 documents", async (t) => {
  await using app = startReceiver();
  await using store = await startStore({ min_part_bytes: 0 }, notifying(`${app.url}/s3`));
  const { service } = store;
  const seen = await runBoto3(t, "s3_notification_calls.py", service.endpoint("http").url);
  if (seen === undefined) return;
  const printed = seen.printed as Record<string, unknown>;
  assertEquals([printed.refused, printed.named], ["InvalidArgument", true]);
  const ids = service.events.list({ plugin: "s3" }).map(({ id }) => id).reverse();
  for (const id of ids) await service.getJson(`/events/${id}/callbacks?wait=true`);

  const tests = app.received.filter(({ body }) => body.includes("s3:TestEvent"));
  assertEquals(tests.map(arnOf).sort(), [
    "arn:aws:sns:us-east-1:123456789012:texts",
    "arn:aws:sqs:us-east-1:123456789012:images",
  ]);
  const { Service, Bucket, RequestId } = JSON.parse(tests[0]!.body);
  assertEquals([Service, Bucket], ["Amazon S3", "box"]);
  assertMatch(RequestId, /^[0-9A-F]{16}$/);

  const others = app.received.filter((one) => !tests.includes(one));
  const records = others.map(recordOf);
  const flower = "in/red+flower+%C3%BC.jpg";
  assertEquals(
    records.map(({ eventName, eventVersion, s3: { object } }) =>
      `${eventName} ${eventVersion} ${object.key} ${object.size ?? "-"}`
    ).sort(),
    [
      "ObjectCreated:CompleteMultipartUpload 2.1 in/large.jpg 5",
      "ObjectCreated:Copy 2.1 out 12",
      `ObjectCreated:Put 2.1 ${flower} 5`,
      `ObjectRemoved:Delete 2.1 ${flower} -`,
      `ObjectTagging:Delete 2.3 ${flower} 5`,
      `ObjectTagging:Put 2.3 ${flower} 5`,
    ],
  );
  const find = (name: string) => records.find(({ eventName }) => eventName === name)!;
  const put = find("ObjectCreated:Put");
  const { eventTime, s3: { object: { sequencer = "", ...object }, ...s3 }, ...head } = put;
  assertEquals([head, s3, object], [
    {
      eventVersion: "2.1",
      eventSource: "aws:s3",
      awsRegion: "us-east-1",
      eventName: "ObjectCreated:Put",
      userIdentity: { principalId: "any" },
      requestParameters: { sourceIPAddress: "127.0.0.1" },
      responseElements: { "x-amz-request-id": printed.request_id, "x-amz-id-2": "c3RhbmRpbg==" },
    },
    {
      s3SchemaVersion: "1.0",
      configurationId: "images",
      bucket: {
        name: "box",
        ownerIdentity: { principalId: "standin" },
        arn: "arn:aws:s3:::box",
      },
    },
    { key: flower, size: 5, eTag: printed.etag },
  ]);
  assertEquals(new Date(eventTime).toISOString(), eventTime);
  assert(sequencer < find("ObjectRemoved:Delete").s3.object.sequencer!);
  assertEquals(find("ObjectTagging:Put").s3.object.sequencer, undefined);

  const event = service.events.list({ type: "s3.object.put" })
    .find(({ payload }) => (payload as { key: string }).key.endsWith("ü.jpg"))!;
  const calls = service.callbacks(event);
  assertEquals(calls.map(({ name, state }) => [name, state]), [["ObjectCreated:Put", "done"]]);
  const [again] = await service.callback(event, "notify");
  assertEquals(recordOf(app.received.at(-1)!), put);
  assertEquals(again?.state, "done");
});

Deno.test("the JavaScript SDK gets notifications of versions, functions get no test event, and failures are retried", async () => {
  await using app = startReceiver((_request, count) =>
    new Response(null, { status: count === 1 ? 500 : 200 })
  );
  await using store = await startStore({}, notifying(app.url));
  const { service } = store;
  using client = connectSdk(service.endpoint("http").url);
  const Bucket = "box";
  await client.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }),
  );
  const LambdaFunctionArn = "arn:aws:lambda:us-east-1:123456789012:function:resize";
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: {
        LambdaFunctionConfigurations: [
          {
            Id: "all",
            LambdaFunctionArn,
            Events: ["s3:ObjectCreated:*", "s3:ObjectRemoved:*", "s3:LifecycleExpiration:*"],
          },
        ],
      },
    }),
  );
  const put = await client.send(new PutObjectCommand({ Bucket, Key: "one", Body: "x" }));
  const created = await service.waitFor("s3.object.put");
  const { calls } = await service.getJson<{ calls: { attempts: { status: number }[] }[] }>(
    `/events/${created.id}/callbacks?wait=true`,
  );
  assertEquals(calls.map(({ attempts }) => attempts.map(({ status }) => status)), [[500, 200]]);
  const marked = await client.send(new DeleteObjectCommand({ Bucket, Key: "one" }));
  await client.send(
    new DeleteObjectCommand({ Bucket, Key: "one", VersionId: marked.VersionId }),
  );
  const base = `${service.ui.url}/api/v1/s3/buckets/box/objects/one`;
  const removed = await fetch(base, { method: "DELETE" });
  await removed.body?.cancel();
  for (const { id } of service.events.list({ type: "s3.object.delete" })) {
    await service.getJson(`/events/${id}/callbacks?wait=true`);
  }
  // Messages may arrive out of order; the sequencer gives their order.
  const inOrder = app.received.map(recordOf).sort((a, b) =>
    a.s3.object.sequencer! < b.s3.object.sequencer! ? -1 : 1
  );
  const told = inOrder.map(({ eventName, s3: { object } }) => [
    eventName,
    object.versionId,
    object.eTag,
  ]);
  const EMPTY = "d41d8cd98f00b204e9800998ecf8427e";
  assertEquals(told.slice(0, 4), [
    ["ObjectCreated:Put", put.VersionId, put.ETag!.replaceAll('"', "")],
    ["ObjectCreated:Put", put.VersionId, put.ETag!.replaceAll('"', "")],
    ["ObjectRemoved:DeleteMarkerCreated", marked.VersionId, EMPTY],
    ["ObjectRemoved:Delete", marked.VersionId, undefined],
  ]);
  // The notification about the change through the API.
  assertEquals([told.length, told[4]![0]], [5, "ObjectRemoved:DeleteMarkerCreated"]);
  assert(app.received.every((one) => arnOf(one) === LambdaFunctionArn));
});

Deno.test("without callbacks a configuration is kept, nothing is called, and no event is added", async () => {
  await using app = startReceiver();
  await using store = await startStore({}, {
    callbacks: { enabled: false, webhooks: { s3: app.url } },
  });
  const { service } = store;
  using client = connectSdk(service.endpoint("http").url);
  const configuration = (QueueArn: string) =>
    new PutBucketNotificationConfigurationCommand({
      Bucket: "box",
      NotificationConfiguration: {
        QueueConfigurations: [{ QueueArn, Events: ["s3:ObjectCreated:*", "s3:ObjectTagging:*"] }],
      },
    });
  await client.send(configuration("arn:aws:sqs:us-east-1:1:q"));
  await client.send(new PutObjectCommand({ Bucket: "box", Key: "one", Body: "x" }));
  assertEquals(await store.code("PUT", "/box/one?tagging", { body: TAGS }), "200");
  assertEquals(service.events.list({ plugin: "s3" }).map(({ type }) => type), ["s3.object.put"]);
  assertEquals([service.callbacks(), app.received], [[], []]);
  await assertRejects(
    () => client.send(configuration("arn:aws:sns:us-east-1:1:t")),
    Error,
    'Cannot notify the queue "arn:aws:sns:us-east-1:1:t": expected an ARN of sqs',
  );
});

Deno.test("only an allowed address is notified, and without one the call is shown as refused", async () => {
  await using store = await startStore({}, notifying("http://192.0.2.1/s3"));
  await using quiet = await startStore({}, { callbacks: { enabled: true } });
  for (const { service } of [store, quiet]) {
    using client = connectSdk(service.endpoint("http").url);
    await client.send(
      new PutBucketNotificationConfigurationCommand({
        Bucket: "box",
        SkipDestinationValidation: true,
        NotificationConfiguration: {
          QueueConfigurations: [
            { QueueArn: "arn:aws:sqs:us-east-1:1:q", Events: ["s3:ObjectCreated:*"] },
          ],
        },
      }),
    );
    await client.send(new PutObjectCommand({ Bucket: "box", Key: "one", Body: "x" }));
  }
  const types = store.service.events.list({ plugin: "s3" }).map(({ type }) => type);
  assertEquals(types, ["s3.object.put"]);
  assertEquals(store.service.callbacks().map(({ state, attempts }) => [state, attempts.length]), [
    ["refused", 0],
  ]);
  const event = quiet.service.events.list({ type: "s3.object.put" })[0]!;
  assertEquals(
    quiet.service.callbacks(event).map(({ state, url, attempts }) => [state, url, attempts.length]),
    [["refused", "arn:aws:sqs:us-east-1:1:q", 0]],
  );
  await assertRejects(
    () => quiet.service.callback(event, "notify"),
    Error,
    "set [callbacks.webhooks] s3",
  );
});

const TAGS = "<Tagging><TagSet><Tag><Key>colour</Key><Value>red</Value></Tag></TagSet></Tagging>";
