import { assertEquals } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import { startService, type TestService } from "../support/service.ts";

async function sendFcm(service: TestService, message: unknown, project = "demo"): Promise<void> {
  const response = await fetch(`${service.ingress.url}/v1/projects/${project}/messages:send`, {
    method: "POST",
    body: JSON.stringify({ message }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

async function sendApns(
  service: TestService,
  device: string,
  init: { body: string; headers?: Record<string, string> },
): Promise<void> {
  const response = await fetch(`${service.ingress.url}/3/device/${device}`, {
    method: "POST",
    headers: { "apns-topic": "com.example.app", ...init.headers },
    body: init.body,
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

Deno.test("every filter of the list works, alone and combined", async () => {
  await using service = await startService({ plugins: [push] });
  await sendFcm(service, { token: "Reg-1", notification: { title: "one" } });
  await sendFcm(service, { topic: "news", data: { userId: "5" }, android: { priority: "high" } });
  await sendFcm(service, {
    condition: "'a' in topics",
    notification: { title: "three" },
    android: { priority: "NORMAL" },
  }, "other");
  await sendApns(service, "dev-4", {
    body: '{"aps":{"content-available":1}}',
    headers: { "apns-push-type": "background", "apns-priority": "5" },
  });
  await sendApns(service, "dev-5", { body: "{}", headers: { "apns-priority": "1" } });
  const found = async (query: string): Promise<string> => {
    const list = await service.getJson<PushEnvelope[]>(`/push/messages?${query}`);
    return list.map(({ message }) => message.target.value).join(" ");
  };
  const all = "dev-5 dev-4 'a' in topics news Reg-1";
  assertEquals(await found(""), all);
  assertEquals(await found("displays=1"), "'a' in topics Reg-1");
  assertEquals(await found("displays=false"), "dev-5 dev-4 news");
  assertEquals(await found("kind=notification"), "'a' in topics Reg-1");
  assertEquals(await found("kind=alert"), "'a' in topics Reg-1");
  assertEquals(await found("kind=silent"), "dev-4 news");
  assertEquals(await found("kind=background"), "dev-4 news");
  assertEquals(await found("kind=empty"), "dev-5");
  assertEquals(await found("target_kind=device"), "dev-5 dev-4 Reg-1");
  assertEquals(await found("target_kind=token"), "dev-5 dev-4 Reg-1");
  assertEquals(await found("target_kind=topic"), "news");
  assertEquals(await found("target_kind=condition"), "'a' in topics");
  assertEquals(await found("target=reg"), "Reg-1");
  assertEquals(await found("app=demo"), "news Reg-1");
  assertEquals(await found("app=dem"), "");
  assertEquals(await found("app=com.example.app"), "dev-5 dev-4");
  assertEquals(await found("push_type=background"), "dev-4");
  assertEquals(await found("priority=high"), "news");
  assertEquals(await found("priority=normal"), "dev-4 'a' in topics");
  assertEquals(await found("priority=low"), "dev-5");
  assertEquals(await found("priority=NORMAL"), "dev-4 'a' in topics");
  assertEquals(await found("priority=5"), "dev-4");
  assertEquals(await found("data_key=userId"), "news");
  assertEquals(await found("data_key=userid"), "");
  assertEquals(await found("provider=push2"), "dev-5 dev-4");
  assertEquals(await found("type=push.message&search=three"), "'a' in topics");
  assertEquals(await found("plugin=push"), all);
  assertEquals(await found("plugin=mail"), "");
  assertEquals(await found("displays=0&limit=1&offset=1"), "dev-4");
  assertEquals(await found("since=5m&kind=&target="), all);
  for (const bad of ["displays=perhaps", "kind=loud", "target_kind=x", "limit=-1", "since=x"]) {
    await service.getJson(`/push/messages?${bad}`, 400);
  }
});

Deno.test("a push is read by id, and its body as received", async () => {
  await using service = await startService({ plugins: [push] });
  const body = '{"aps" : {"alert":"<b>é</b>"}}';
  await sendApns(service, "dev", { body });
  const [listed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(await service.getJson(`/push/messages/${listed!.id}`), listed);
  const raw = await fetch(`${service.api.url}${listed!.raw_url}`);
  assertEquals(await raw.text(), body);
  assertEquals(raw.headers.get("content-type"), "text/plain; charset=utf-8");
  assertEquals(raw.headers.get("x-content-type-options"), "nosniff");
  assertEquals(raw.headers.get("content-security-policy"), "sandbox; default-src 'none'");
  const part = await fetch(`${service.api.url}${listed!.raw_url}`, {
    headers: { range: "bytes=2-4" },
  });
  assertEquals([part.status, await part.text()], [206, "aps"]);
  for (const path of ["unknown", "unknown/raw"]) {
    await service.getJson(`/push/messages/${path}`, 404);
  }
});

Deno.test("the generic event has the push and a summary", async () => {
  await using service = await startService({ plugins: [push] });
  await sendFcm(service, { topic: "news", notification: { title: "Goal!", body: "2:1" } });
  const [event] = await service.getJson<Record<string, unknown>[]>("/events");
  assertEquals([event!.plugin, event!.provider, event!.type], ["push", "push1", "push.message"]);
  assertEquals(event!.summary, "notification demo -> news: Goal!");
  assertEquals(event!.summary_parts, {
    from: "demo",
    to: ["news"],
    title: "Goal!",
    snippet: "Shows text",
  });
  const [listed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(event!.payload, listed!.message);
  await sendApns(service, "dev", { body: '{"aps":{"content-available":1}}' });
  const [silent] = await service.getJson<Record<string, unknown>[]>("/events");
  assertEquals(silent!.summary, "silent com.example.app -> dev");
});

Deno.test("pushes can be deleted one by one or cleared together", async () => {
  await using service = await startService({ plugins: [push] });
  for (const token of ["a", "b", "c"]) await sendFcm(service, { token });
  const [newest] = await service.getJson<PushEnvelope[]>("/push/messages");
  const remove = async (path: string): Promise<number> => {
    const response = await fetch(`${service.api.url}/api/v1/push${path}`, { method: "DELETE" });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await remove(`/messages/${newest!.id}`), 204);
  assertEquals(await remove(`/messages/${newest!.id}`), 404);
  assertEquals((await service.getJson<PushEnvelope[]>("/push/messages")).length, 2);
  assertEquals(await remove("/messages"), 204);
  assertEquals(await service.getJson("/push/messages"), []);
});
