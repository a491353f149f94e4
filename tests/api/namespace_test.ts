import { assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { ExpectationError } from "../../core/expect/expect.ts";
import { startService, type TestService } from "../support/service.ts";
import { SseReader } from "../support/sse.ts";
import { connectSmtp, GREETED } from "../support/smtp.ts";
import { toy } from "../support/toy.ts";

interface Listed {
  readonly summary: string;
  readonly namespace?: string;
}

async function send(
  { ingress }: TestService,
  namespace: string | undefined,
  body: string,
): Promise<void> {
  const headers = namespace === undefined ? {} : { "x-standin-namespace": namespace };
  const answer = await fetch(`${ingress.url}/toy/send`, { method: "POST", body, headers });
  assertEquals(await answer.text(), "ok");
}

async function startToy(): Promise<TestService> {
  return await startService({ plugins: [toy] });
}

const summaries = (events: readonly Listed[]) => events.map(({ summary }) => summary);

Deno.test("lists, waits and expectations are scoped by namespace", async () => {
  await using service = await startToy();
  await send(service, "red", "r1\nr2");
  await send(service, "blue", "b1");
  await send(service, undefined, "n1");
  const list = async (path: string) => summaries(await service.getJson<Listed[]>(path));
  assertEquals(await list("/events?namespace=red"), ["r2", "r1"]);
  assertEquals(await list("/toy/messages?namespace=blue"), ["b1"]);
  assertEquals(await list("/events"), ["n1", "b1", "r2", "r1"]);
  assertEquals(await list("/events/wait?namespace=red&count=2"), ["r2", "r1"]);
  await service.getJson("/events/wait?namespace=red&count=3&timeout=0", 409);
  assertEquals(await service.getJson("/namespaces"), [
    { name: "blue", events: 1 },
    { name: "red", events: 2 },
  ]);
  const wrong = { namespace: "blue", type: "toy.message", match: { line: "r2" }, timeoutMs: 0 };
  const { verdict } = await assertRejects(() => service.expect(wrong), ExpectationError);
  // Another test's event is closer, but in another namespace.
  assertEquals(verdict.closest?.event.summary, "b1");
  const lost = await assertRejects(
    () => service.expect({ ...wrong, namespace: "green" }),
    ExpectationError,
  );
  assertEquals(lost.verdict.closest?.event.summary, "r2");
  await service.expect({ namespace: "blue", count: 1, match: { namespace: "blue" } });
  assertEquals(summaries(service.list(undefined, { namespace: "blue" })), ["b1"]);
  assertEquals((await service.waitFor("toy.message", { namespace: "blue" })).summary, "b1");
});

Deno.test("clearing one namespace leaves the others and their waits alone", async () => {
  await using service = await startToy();
  await send(service, "red", "r1");
  await send(service, "blue", "b1");
  const both = service.getJson<Listed[]>("/events/wait?namespace=blue&count=2&timeout=30s");
  while (service.events.watchers < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  const clear = async (path: string) => {
    const response = await fetch(`${service.api.url}/api/v1${path}`, { method: "DELETE" });
    assertEquals(response.status, 204);
  };
  await clear("/events?namespace=red");
  assertEquals(summaries(service.list()), ["b1"]);
  await clear("/events?provider=echo&namespace=blue");
  await send(service, "blue", "b2");
  assertEquals(summaries(await both), ["b2", "b1"]);
  assertEquals(service.clear("toy", { namespace: "nobody" }), 0);
  assertEquals(service.clear(undefined, { namespace: "blue" }), 2);
});

Deno.test("streams carry only what concerns their namespace", async () => {
  await using service = await startToy();
  for (const path of ["/api/v1/events/stream?namespace=red", "/ui/stream?namespace=red"]) {
    await using frames = new SseReader(await fetch(service.api.url + path));
    await frames.next();
    await send(service, "blue", "b");
    const [blue] = service.list();
    service.events.delete(blue!.id);
    service.clear(undefined, { namespace: "blue" });
    await send(service, "red", "r");
    const frame = await frames.next();
    assertEquals(JSON.parse(frame.data!).summary, "r");
    if (frame.event !== "captured") continue;
    const [red] = service.list();
    service.events.delete(red!.id);
    assertEquals((await frames.next()).event, "deleted");
    service.clear(undefined, { namespace: "red" });
    assertEquals((await frames.next()).data, '{"namespace":"red"}');
    service.clear();
    assertEquals((await frames.next()).data, "{}");
  }
});

Deno.test("credentials and recipients choose the namespace as configured", async () => {
  await using service = await startService({
    config: {
      namespaces: {
        header: "X-Team",
        credentials: ["team-a=SG.team-a", "sms-{namespace}", "webhooks=/services/T0A/*"],
        recipients: ["*+{namespace}@example.org"],
      },
    },
  });
  const post = async (path: string, headers: HeadersInit, body: BodyInit) => {
    const answer = await fetch(service.ingress.url + path, { method: "POST", headers, body });
    assertEquals(answer.ok, true, await answer.text());
  };
  const mail = JSON.stringify({
    personalizations: [{ to: [{ email: "ada+run9@example.org" }] }],
    from: { email: "shop@example.com" },
    subject: "Hello",
    content: [{ type: "text/plain", value: "Hello" }],
  });
  const type = { "content-type": "application/json" };
  await post("/v3/mail/send", { ...type, authorization: "Bearer SG.team-a" }, mail);
  await post("/v3/mail/send", { ...type, authorization: "Bearer SG.other" }, mail);
  await post("/v3/mail/send", { ...type, authorization: "Bearer SG.other", "x-team": "b" }, mail);
  await post(
    "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json",
    { authorization: `Basic ${btoa("AC00000000000000000000000000000000:sms-run3")}` },
    new URLSearchParams({ To: "+15550100", From: "+15550199", Body: "Hi" }),
  );
  await post("/services/T0A/B0B/xyz", type, JSON.stringify({ text: "Hi" }));
  await using smtp = await connectSmtp(service);
  await smtp.play(GREETED);
  for (const [to, header] of [["bob+run8", "X-Other: c"], ["bob", "X-Team: c"]]) {
    await smtp.play([
      [">", "MAIL FROM:<a@example.com>"],
      ["<", /^250 /],
      [">", `RCPT TO:<${to}@example.org>`],
      ["<", /^250 /],
      [">", "DATA"],
      ["<", /^354 /],
      [">", `${header}\r\n\r\nHello\r\n.`],
      ["<", /^250 /],
    ]);
  }
  assertEquals(service.list().map(({ namespace }) => namespace).reverse(), [
    "team-a",
    "run9",
    "b",
    "run3",
    "webhooks",
    "run8",
    "c",
  ]);
});

Deno.test("an invalid rule stops the start with an error", async () => {
  try {
    await using _service = await startService({
      plugins: [toy],
      config: { namespaces: { recipients: ["nothing"] } },
    });
  } catch (error) {
    assertEquals(error instanceof ConfigError, true);
    assertEquals(String(error).includes("[namespaces] recipients"), true, String(error));
    return;
  }
  throw new Error("It started");
});
