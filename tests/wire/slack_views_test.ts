/** Effect of each response to a submission on its modal. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

const text = (text: string) => ({ type: "plain_text", text });
const MODAL = {
  type: "modal",
  title: text("Order"),
  submit: text("Send"),
  blocks: [{
    type: "input",
    block_id: "name",
    optional: true,
    label: text("Name"),
    element: { type: "plain_text_input", action_id: "name" },
  }],
};

async function call(service: TestService, method: string, body: object): Promise<unknown> {
  const response = await fetch(`${service.ingress.url}/api/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

/** Starts the service, with an app whose next response is `answer.body`. */
async function start(): Promise<
  AsyncDisposable & { service: TestService; answer: { body: string; status: number } }
> {
  const answer = { body: "", status: 200 };
  const app = startReceiver(() =>
    new Response(answer.body, {
      status: answer.status,
      headers: { "content-type": "application/json" },
    })
  );
  const service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true, inbound: { chat1: app.url } } },
  });
  return {
    service,
    answer,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await app[Symbol.asyncDispose]();
    },
  };
}

Deno.test("answers to a submission that Slack would not accept are reported, and the modal stays open", async () => {
  await using running = await start();
  const { service, answer } = running;
  await call(service, "views.open", { trigger_id: "1.2", view: MODAL });
  const event = await service.waitFor("chat.view");
  const rows: [body: string, outcome: string][] = [
    ["not JSON", "the response is not a JSON object"],
    ["[]", "the response is not a JSON object"],
    ['{"response_action":"close"}', "response_action is not one of errors, update, push, clear"],
    ['{"response_action":"errors"}', "expected errors with a string for each block"],
    ['{"response_action":"errors","errors":{}}', "expected errors with a string for each block"],
    [
      '{"response_action":"errors","errors":{"__proto__":"x"}}',
      '"__proto__" is not the block_id of an input block',
    ],
    ['{"response_action":"update"}', "invalid_arguments, must be valid JSON"],
    [
      '{"response_action":"push","view":{"type":"modal","blocks":[]}}',
      "invalid_arguments, missing required field: title",
    ],
  ];
  for (const [body, outcome] of rows) {
    answer.body = body;
    const [sent] = await service.callback(event, "submit");
    assertEquals(sent!.state, "done", body);
    assertStringIncludes(sent!.outcome ?? "", `Slack would show an error: ${outcome}`);
    assertEquals(sent!.captured, undefined);
  }
  answer.status = 500;
  const [failed] = await service.callback(event, "submit");
  assertEquals([failed!.state, failed!.attempts.length, failed!.outcome], [
    "failed",
    1,
    undefined,
  ]);
});

Deno.test("modals are pushed up to three, and closed one by one or at once", async () => {
  await using running = await start();
  const { service, answer } = running;
  await call(service, "views.open", { trigger_id: "1.2", view: MODAL });
  const first = await service.waitFor("chat.view");
  const submit = async (id: string) => (await service.callback(id, "submit"))[0]!;
  answer.body = JSON.stringify({ response_action: "push", view: MODAL });
  const second = (await submit(first.id)).captured![0]!;
  const third = (await submit(second)).captured![0]!;
  const { outcome } = await submit(third);
  assertEquals(outcome, "Slack would show an error: push_limit_reached");
  assertEquals(await service.callback(third, "close"), []);
  const closed = await service.callback(third, "close").catch(String);
  assertStringIncludes(String(closed), "Cannot answer the view: it was closed");
  const idOf = (id: string) => service.events.get(id)!.meta.view_id;
  assertEquals(
    await call(service, "views.update", { view_id: idOf(third), view: MODAL }),
    { ok: false, error: "not_found" },
  );
  answer.body = JSON.stringify({ response_action: "clear" });
  assertEquals((await submit(second)).outcome, "All modals are closed");
  const { offers } = await service.getJson<{ offers: unknown[] }>(`/events/${first.id}/callbacks`);
  assertEquals(offers, []);
});

Deno.test("a home tab has buttons, and can be neither submitted nor closed", async () => {
  await using running = await start();
  const { service } = running;
  const blocks = [{
    type: "section",
    text: text("Size"),
    accessory: { type: "overflow", action_id: "more", options: [{ text: text("A"), value: "a" }] },
  }];
  await call(service, "views.publish", { user_id: "U1", view: { type: "home", blocks } });
  const event = await service.waitFor("chat.view");
  const { offers } = await service.getJson<{ offers: { label: string }[] }>(
    `/events/${event.id}/callbacks`,
  );
  assertEquals(offers.map(({ label }) => label), ["Fill in “Size”"]);
  const [chosen] = await service.callback(event, "choose", { action_id: "more", value: "a" });
  const payload = JSON.parse(new URLSearchParams(chosen!.body).get("payload")!);
  assertEquals([payload.container, payload.message, payload.view.state.values], [
    { type: "view", view_id: event.meta.view_id },
    undefined,
    {},
  ]);
  const rows: [string, object, string][] = [
    ["submit", {}, "expected a modal with a submit button"],
    ["close", {}, "it is not a modal"],
    ["press", {}, "the view has no buttons"],
    ["choose", { action_id: "les" }, 'Cannot find element "les": expected one of more'],
    ["choose", { action_id: "more", value: "b" }, '"b" is not an option'],
    ["submit", { values: [] }, 'expected an object such as {"action_id": "value"}'],
  ];
  for (const [name, params, problem] of rows) {
    const refused = await service.callback(event, name, params as Record<string, unknown>)
      .catch(String);
    assertStringIncludes(String(refused), problem);
  }
});
