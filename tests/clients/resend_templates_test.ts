/** Templates, domains, keys and contacts of Resend, with its own clients. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Resend } from "npm:resend@6.38.0";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

const UNKNOWN = "5262504e-8ed7-4fac-bd16-0d4be94bc9f2";

async function start() {
  const service = await startService({ plugins: [mail] });
  const resend = new Resend("re_test", { baseUrl: service.ingress.url });
  return { service, resend, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** A result of the SDK that must not be an error. */
function good<T>(result: { data: T | null; error: unknown }): T {
  assertEquals(result.error, null);
  assert(result.data !== null);
  return result.data;
}

/** Status, name and message of a result that must be an error. */
function refusal({ error }: {
  error: { statusCode: number | null; name: string; message: string } | null;
}): readonly unknown[] {
  return [error?.statusCode, error?.name, error?.message];
}

Deno.test("resend creates, publishes and sends a template, and changes take effect once published", async () => {
  await using running = await start();
  const { service, resend } = running;
  const { id } = good(
    await resend.templates.create({
      name: "Order",
      alias: "order",
      from: "Store <store@example.com>",
      subject: "Order of {{{PRODUCT}}}",
      replyTo: "help@example.com",
      html: "<p>{{{PRODUCT}}}: {{{ PRICE }}}</p>",
      variables: [
        { key: "PRODUCT", type: "string", fallbackValue: "item" },
        { key: "PRICE", type: "number" },
      ],
    }),
  );
  const email = { to: "a@example.com", template: { id: "order", variables: { PRICE: 20 } } };
  assertEquals(refusal(await resend.emails.send(email)), [
    422,
    "validation_error",
    "The template must be published before it can be used.",
  ]);
  good(await resend.templates.publish("order"));
  good(await resend.emails.send(email));
  good(
    await resend.emails.send({
      ...email,
      from: "own@example.com",
      subject: "Own",
      replyTo: "r@example.com",
      template: { id, variables: { PRODUCT: "Mac & Co", PRICE: 499.5 } },
    }),
  );
  const [first, second] = capturedBy(service, "mail3").map(({ payload }) => payload);
  assertEquals(first, {
    from: { email: "store@example.com", name: "Store" },
    to: [{ email: "a@example.com" }],
    reply_to: [{ email: "help@example.com" }],
    subject: "Order of item",
    html: "<p>item: 20</p>",
    text: "item: 20",
  });
  assertEquals([second!.from.email, second!.subject, second!.html, second!.reply_to], [
    "own@example.com",
    "Own",
    "<p>Mac & Co: 499.5</p>",
    [{ email: "r@example.com" }],
  ]);
  good(await resend.templates.update(id, { html: "<b>{{{PRICE}}}</b>", text: "{{{PRICE}}}!" }));
  const changed = good(await resend.templates.get("order"));
  assertEquals(
    [changed.status, changed.has_unpublished_versions, changed.variables?.[0]?.fallback_value],
    ["published", true, "item"],
  );
  const batch = good(await resend.batch.send([email, email]));
  good(await resend.templates.publish(id));
  good(await resend.emails.send(email));
  const events = capturedBy(service, "mail3");
  assertEquals([batch.data.length, events.slice(2).map(({ payload }) => payload.html)], [2, [
    "<p>item: 20</p>",
    "<p>item: 20</p>",
    "<b>20</b>",
  ]]);
  assertEquals(events.at(-1)!.payload.text, "20!");
});

Deno.test("resend reads what is wrong with a template, and that one is unknown", async () => {
  await using running = await start();
  const { service, resend } = running;
  const send = (variables: Record<string, string | number>, id = "t") =>
    resend.emails.send({
      from: "s@example.com",
      to: "a@example.com",
      subject: "Hi",
      template: { id, variables },
    });
  good(await send({ A: 1 }, "editor"));
  const [event] = capturedBy(service, "mail3");
  assertEquals([event!.payload.html, event!.meta.template, event!.meta.parse_warnings], [
    undefined,
    { id: "editor", variables: { A: 1 } },
    ['the template "editor" is not known here'],
  ]);
  const html = "{{{A}}}";
  assertEquals(refusal(await resend.templates.create({ name: "T", html })), [
    422,
    "validation_error",
    "Variable 'A' is used in the template but not defined in the variables list",
  ]);
  const variables = [{ key: "A", type: "string" as const }];
  const { id } = good(
    await resend.templates.create({ name: "T", alias: "t", html, variables }).publish(),
  );
  assertEquals(refusal(await resend.templates.create({ name: "U", alias: "t", html, variables })), [
    422,
    "validation_error",
    "A template with the alias 't' already exists",
  ]);
  assertEquals(refusal(await send({}, "editor")), [404, "not_found", "Template not found"]);
  assertEquals(refusal(await send({}))[2], "Missing value for the template variable 'A'");
  assertEquals(refusal(await send({ A: 1 }))[2], "The template variable 'A' must be a string");
  const noFrom = await resend.emails.send({
    to: "a@example.com",
    template: { id, variables: { A: "x" } },
  });
  assertEquals(refusal(noFrom).slice(1), ["missing_required_field", "Missing `from` field."]);
  const copy = good(await resend.templates.duplicate(id));
  const page = good(await resend.templates.list({ limit: 1 }));
  assertEquals([page.data[0]?.name, page.data[0]?.status, page.has_more], [
    "T (Copy)",
    "draft",
    true,
  ]);
  const rest = good(await resend.templates.list({ after: copy.id }));
  assertEquals([rest.data.map(({ alias }) => alias), rest.has_more], [["t"], false]);
  assertEquals(good(await resend.templates.remove("t")), { object: "template", id, deleted: true });
  assertEquals(refusal(await resend.templates.get(id)), [404, "not_found", "Template not found"]);
  assertEquals(capturedBy(service, "mail3").length, 1);
});

Deno.test("resend adds and verifies a domain, and creates keys", async () => {
  await using running = await start();
  const { resend } = running;
  const domain = good(await resend.domains.create({ name: "Example.com", region: "eu-west-1" }));
  assertEquals([domain.name, domain.status, domain.region, domain.records.length], [
    "example.com",
    "not_started",
    "eu-west-1",
    3,
  ]);
  good(await resend.domains.update({ id: domain.id, openTracking: true }));
  good(await resend.domains.verify(domain.id));
  const verified = good(await resend.domains.get(domain.id));
  assertEquals([verified.status, verified.open_tracking], ["verified", true]);
  assertEquals(good(await resend.domains.list()).data.map(({ name }) => name), ["example.com"]);
  assertEquals(good(await resend.domains.remove(domain.id)).deleted, true);
  assertEquals(refusal(await resend.domains.get(UNKNOWN))[2], "Domain not found");
  assertEquals(refusal(await resend.domains.get("x"))[1], "invalid_parameter");
  assertEquals(refusal(await resend.domains.create({ name: "nowhere" }))[0], 422);
  const key = good(await resend.apiKeys.create({ name: "CI", permission: "sending_access" }));
  assertMatch(key.token, /^re_[0-9a-f]{32}$/);
  assertEquals(good(await resend.apiKeys.list()).data.map(({ name }) => name), ["CI"]);
  good(await resend.apiKeys.remove(key.id));
  assertEquals(refusal(await resend.apiKeys.remove(key.id))[2], "API key not found");
});

Deno.test("resend keeps contacts in segments, by id and by address", async () => {
  await using running = await start();
  const { resend } = running;
  const segment = good(await resend.segments.create({ name: "News" }));
  assertEquals([segment.object, segment.name], ["segment", "News"]);
  const { id } = good(
    await resend.contacts.create({
      email: "Ada@example.com",
      firstName: "Ada",
      segments: [{ id: segment.id }],
    }),
  );
  good(await resend.contacts.create({ email: "bob@example.com", audienceId: segment.id }));
  good(await resend.contacts.update({ email: "ada@example.com", unsubscribed: true }));
  const ada = good(await resend.contacts.get({ id }));
  assertEquals([ada.email, ada.first_name, ada.last_name, ada.unsubscribed], [
    "Ada@example.com",
    "Ada",
    null,
    true,
  ]);
  const members = async () =>
    good(await resend.contacts.list({ segmentId: segment.id })).data.map(({ email }) => email);
  assertEquals(await members(), ["bob@example.com", "Ada@example.com"]);
  good(await resend.contacts.segments.remove({ contactId: id, segmentId: segment.id }));
  assertEquals(await members(), ["bob@example.com"]);
  good(await resend.contacts.segments.add({ contactId: id, segmentId: segment.id }));
  const joined = good(await resend.contacts.segments.list({ contactId: id }));
  assertEquals(joined.data.map(({ name }) => name), ["News"]);
  assertEquals(good(await resend.contacts.remove({ email: "bob@example.com" })).deleted, true);
  assertEquals(good(await resend.contacts.list()).data.length, 1);
  assertEquals(refusal(await resend.contacts.get({ email: "none@example.com" })), [
    404,
    "not_found",
    "Contact not found",
  ]);
  assertEquals(refusal(await resend.contacts.create({ email: "nobody" }))[0], 422);
  good(await resend.segments.remove(segment.id));
  assertEquals(refusal(await resend.segments.get(segment.id))[2], "Segment not found");
});

const PYTHON = `
import json, sys
import resend

resend.api_key = "re_key"
resend.api_url = sys.argv[1]
template = resend.Templates.create({
    "name": "Welcome", "subject": "Hi {{{NAME}}}", "html": "<p>{{{NAME}}}</p>",
    "variables": [{"key": "NAME", "type": "string"}]})
resend.Templates.publish(template["id"])
sent = resend.Emails.send({
    "from": "s@example.com", "to": ["a@example.com"],
    "template": {"id": template["id"], "variables": {"NAME": "Ada"}}})
try:
    resend.Templates.get("none")
except Exception as error:
    refused = str(error)
print(json.dumps([bool(sent["id"]), refused]))
`;

Deno.test("resend for Python stores a template and sends it", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(python, ["-c", PYTHON, service.ingress.url], {
    env: { NO_PROXY: "*" },
  });
  assertEquals(JSON.parse(stdout), [true, "Template not found"]);
  const [event] = capturedBy(service, "mail3");
  assertEquals([event!.payload.subject, event!.payload.html], ["Hi Ada", "<p>Ada</p>"]);
});
