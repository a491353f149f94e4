/** Callbacks made from captured texts, and responses of applications, that once cost much or were lost. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

type Json = Readonly<Record<string, unknown>>;

/** Posts JSON to the ingress. */
async function post(service: TestService, path: string, body: Json): Promise<void> {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assertEquals(response.status, 200, await response.text());
}

/** Requests a callback; returns the status and the text of the response. */
async function request(service: TestService, id: string, body: Json): Promise<[number, string]> {
  const response = await fetch(`${service.api.url}/api/v1/events/${id}/callbacks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [response.status, (await response.text()).slice(0, 2000)];
}

Deno.test("values of a card do not grow a request without limit", async () => {
  await using app = startReceiver();
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true } },
  });
  const reference = "{{a.value}}";
  const action = (name: string, more: Json) => ({ "@type": "HttpPOST", name, ...more });
  await post(service, "/webhookb2/g@t/IncomingWebhook/i/k", {
    "@type": "MessageCard",
    "@context": "https://schema.org/extensions",
    text: "x",
    potentialAction: [{
      "@type": "ActionCard",
      name: "Answer",
      inputs: [{ "@type": "TextInput", id: "a", maxLength: 1e9 }],
      actions: [
        action("body", { target: app.url, body: reference.repeat(900) }),
        action("target", { target: `${app.url}/${reference.repeat(900)}` }),
        action("once", { target: app.url, body: reference }),
      ],
    }],
  });
  const { id } = await service.waitFor("chat.message");
  for (const name of ["body", "target"]) {
    // Escapes grow sixfold.
    const values = { a: "\u0001".repeat(100_000) };
    const [status, text] = await request(service, id, { event: "press", name, values });
    assertEquals(status, 400, text);
    assertStringIncludes(text, "characters");
  }
  await service.callback(id, "press", { name: "once", values: { a: "x".repeat(100_000) } });
  assertEquals(app.received.map(({ body }) => body.length), [100_000]);
});

const text = (text: string) => ({ type: "plain_text", text });

function modalOf(blocks: readonly Json[]): Json {
  return { type: "modal", title: text("T"), submit: text("Send"), blocks };
}

const input = (block_id: string, element: Json): Json => ({
  type: "input",
  block_id,
  optional: true,
  label: text("Name"),
  element: { action_id: block_id, ...element },
});

Deno.test("errors of a submission that are not texts are reported", async () => {
  let answer = "";
  await using app = startReceiver(() =>
    new Response(answer, { headers: { "content-type": "application/json" } })
  );
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true, inbound: { chat1: app.url } } },
  });
  const view = modalOf([input("name", { type: "plain_text_input" })]);
  await post(service, "/api/views.open", { trigger_id: "1.2", view });
  const { id } = await service.waitFor("chat.view");
  for (const error of [{ toString: "x" }, [[{ toString: 1 }]], null, 7]) {
    answer = JSON.stringify({ response_action: "errors", errors: { name: error } });
    const [call] = await service.callback(id, "submit");
    assertEquals(
      [call?.state, call?.outcome],
      ["done", "Slack would show an error: expected errors with a string for each block"],
    );
  }
  assertEquals(service.log, []);
});

Deno.test("files of a modal may have any name, and are ten at most whatever the modal says", async () => {
  await using app = startReceiver(() => new Response(null));
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true, inbound: { chat1: app.url } } },
  });
  const submit = async (max_files: unknown, filenames: readonly string[]) => {
    const view = modalOf([input("file", { type: "file_input", max_files })]);
    await post(service, "/api/views.open", { trigger_id: "1.2", view });
    const [event] = service.events.list({});
    const file = filenames.map((filename) => ({ filename, content: btoa("x") }));
    return await request(service, event!.id, { event: "submit", values: { file } });
  };
  for (const filename of ["\ud800", "\udc00.png", "../../a", "a\r\nb", "__proto__", "%"]) {
    const [status, text] = await submit(10, [filename]);
    assertEquals([filename, status], [filename, 201], text);
  }
  for (const most of ["many", -1, 0.5, 1e9, null, {}]) {
    assertEquals((await submit(most, Array(10).fill("a")))[0], 201, String(most));
    const [status, text] = await submit(most, Array(11).fill("a"));
    assertEquals([most, status], [most, 400], text);
    assertStringIncludes(text, "expected at most 10 files");
  }
  assertEquals(service.log, []);
});
