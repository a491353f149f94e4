import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

Deno.test("the buttons of a MessageCard post to their targets", async () => {
  await using app = startReceiver(() =>
    new Response(null, { headers: { "card-action-status": "Approved" } })
  );
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true } },
  });
  const target = `${app.url}/approve`;
  const sent = await fetch(`${service.ingress.url}/webhookb2/g@t/IncomingWebhook/i/k`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      "@type": "MessageCard",
      "@context": "https://schema.org/extensions",
      summary: "Approve?",
      text: "Approve?",
      potentialAction: [
        { "@type": "HttpPOST", name: "Approve", target, body: '{"ok":true}' },
        {
          "@type": "ActionCard",
          name: "Comment",
          actions: [{ "@type": "HttpPOST", name: "Send", target }],
        },
      ],
    }),
  });
  await sent.body?.cancel();
  const event = await service.waitFor("chat.message");
  const { offers } = await service.getJson<{ offers: { label: string }[] }>(
    `/events/${event.id}/callbacks`,
  );
  assertEquals(offers.map(({ label }) => label), ["Press “Approve”", "Press “Send”"]);
  const [call] = await service.callback(event, "press", { name: "Approve" });
  assertEquals(call?.attempts[0]?.headers?.["card-action-status"], "Approved");
  assertEquals(app.received.map(({ body }) => body), ['{"ok":true}']);
  const wrong = await assertRejects(() => service.callback(event, "press", { name: "No" }));
  assertStringIncludes(String(wrong), "the HttpPOST actions of the card are Approve, Send");
});

const EVENT_FORM = [
  { "@type": "TextInput", id: "comment", title: "Comment", isMultiline: true, isRequired: true },
  { "@type": "DateInput", id: "due", title: "Due" },
  {
    "@type": "MultichoiceInput",
    id: "tags",
    isMultiSelect: true,
    choices: [{ display: "Red", value: "r" }, { display: "Blue", value: "b" }],
    value: "r",
  },
];

Deno.test("the inputs of an ActionCard are put into the address and the body of its actions", async () => {
  await using app = startReceiver();
  await using service = await startService({
    plugins: [chat],
    config: { callbacks: { enabled: true } },
  });
  const action = (name: string, more: object) => ({
    "@type": "HttpPOST",
    name,
    target: `${app.url}/${name}?due={{due.value}}`,
    ...more,
  });
  const sent = await fetch(`${service.ingress.url}/webhookb2/g@t/IncomingWebhook/i/k`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      "@type": "MessageCard",
      "@context": "https://schema.org/extensions",
      text: "What now?",
      potentialAction: [{
        "@type": "ActionCard",
        name: "Answer",
        inputs: EVENT_FORM,
        actions: [
          action("json", {
            body: '{"text":"{{Comment.value}}","tags":"{{tags.value}}","odd":"{{odd.value}}"}',
            headers: [
              { name: "Authorization", value: "" },
              { name: "X-Kind", value: "card" },
              { name: "Host", value: "elsewhere.example" },
            ],
          }),
          action("form", {
            body: "comment={{comment.value}}",
            bodyContentType: "application/x-www-form-urlencoded",
          }),
        ],
      }],
    }),
  });
  await sent.body?.cancel();
  const event = await service.waitFor("chat.message");
  const { offers } = await service.getJson<{ offers: { label: string; params: Values }[] }>(
    `/events/${event.id}/callbacks`,
  );
  const { comment, due, tags } = offers[0]!.params.values.schema.properties;
  assertEquals([comment!.format, due!.format, tags!.default], ["lines", "date", ["r"]]);
  const text = 'It is "fine" & good\nReally';
  const values = { comment: text, due: "2026-02-01", tags: ["r", "b"] };
  const [call] = await service.callback(event, "press", { name: "json", values });
  assertEquals([call?.state, call?.url], ["done", `${app.url}/json?due=2026-02-01`]);
  await service.callback(event, "press", { name: "form", values: { comment: text } });
  const [json, form] = app.received;
  assertEquals(JSON.parse(json!.body), { text, tags: "r,b", odd: "{{odd.value}}" });
  assertEquals(json!.headers.get("x-kind"), "card");
  assertEquals(json!.headers.get("host"), new URL(app.url).host);
  assertEquals(new URLSearchParams(form!.body).get("comment"), text);
  assertEquals(new URL(form!.url).search, "?due=");
  const rows: [values: Record<string, unknown>, reason: string][] = [
    [{}, 'input "comment" needs a value'],
    [{ comment: "x", due: "soon" }, "expected a date such as 2026-01-31"],
    [{ comment: "x", tags: ["green"] }, '"green" is not a choice; expected one of r, b'],
    [{ comment: ["x"] }, "expected text"],
    [{ remark: "x" }, "expected one of comment, due, tags"],
  ];
  for (const [values, reason] of rows) {
    const wrong = await assertRejects(() =>
      service.callback(event, "press", { name: "json", values })
    );
    assertStringIncludes(String(wrong), reason);
  }
  assertEquals(app.received.length, 2);
});

interface Values {
  readonly values: {
    readonly schema: {
      readonly properties: Readonly<Record<string, { format?: string; default?: unknown }>>;
    };
  };
}
