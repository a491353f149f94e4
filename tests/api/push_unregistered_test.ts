/** Tokens reported as unregistered are refused afterwards, as at both gateways. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const start = (): Promise<TestService> =>
  startService({ plugins: [push], config: { callbacks: { enabled: true } } });

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function toAnswer(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.text() };
}

async function sendFcm(
  service: TestService,
  { project = "demo", ...target }: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${service.ingress.url}/v1/projects/${project}/messages:send`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ message: { ...target, notification: { title: "Hi" } } }),
  });
  return await toAnswer(response);
}

async function sendApns(service: TestService, device: string): Promise<Answer> {
  const response = await fetch(`${service.ingress.url}/3/device/${device}`, {
    method: "POST",
    headers: { "apns-topic": "com.example.app", "apns-push-type": "alert" },
    body: JSON.stringify({ aps: { alert: "Hi" } }),
  });
  return await toAnswer(response);
}

const offersOf = async (service: TestService, id: string): Promise<string[]> =>
  (await service.getJson<{ offers: { event: string }[] }>(`/events/${id}/callbacks`)).offers
    .map(({ event }) => event);

Deno.test("FCM answers 404 UNREGISTERED for an unregistered token of the project", async () => {
  await using service = await start();
  assertEquals((await sendFcm(service, { token: "d1" })).status, 200);
  const { id } = await service.waitFor("push.message");
  assertEquals(await offersOf(service, id), ["unregistered"]);
  assertEquals(await service.callback(id, "unregistered"), []);
  assertEquals(await offersOf(service, id), ["registered"]);
  const refused = await sendFcm(service, { token: "d1" });
  assertEquals(refused.status, 404);
  const { error } = JSON.parse(refused.body);
  assertEquals([error.status, error.details[0].errorCode], ["NOT_FOUND", "UNREGISTERED"]);
  assertEquals((await sendFcm(service, { token: "d2" })).status, 200);
  assertEquals((await sendFcm(service, { token: "d1", project: "other" })).status, 200);
  assertEquals(service.events.list({ plugin: "push" }).length, 3);
  await service.callback(id, "registered");
  assertEquals((await sendFcm(service, { token: "d1" })).status, 200);
});

Deno.test("APNs answers 410 with the time when the token became invalid, until a reset", async () => {
  await using service = await start();
  assertEquals((await sendApns(service, "aa")).status, 200);
  const { id } = await service.waitFor("push.message");
  const before = Date.now();
  await service.callback(id, "unregistered");
  const after = Date.now();
  await service.callback(id, "unregistered");
  const refused = await sendApns(service, "aa");
  assertEquals(refused.status, 410);
  const { reason, timestamp } = JSON.parse(refused.body);
  assertEquals(reason, "Unregistered");
  assert(timestamp >= before && timestamp <= after, `${timestamp}`);
  await service.reset();
  assertEquals((await sendApns(service, "aa")).status, 200);
});

Deno.test("only the token of a device can be unregistered", async () => {
  await using service = await start();
  assertEquals((await sendFcm(service, { topic: "news" })).status, 200);
  const { id } = await service.waitFor("push.message");
  assertEquals(await offersOf(service, id), []);
  await assertRejects(() => service.callback(id, "unregistered"), RangeError, "not to a device");
});
