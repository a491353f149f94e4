/** Templates, contacts and account of SendGrid, with its own clients. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Client } from "npm:@sendgrid/client@8.1.6";
import { MailService } from "npm:@sendgrid/mail@8.1.6";
import type { Finding } from "../../mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService, type TestService } from "../support/service.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** Results that the SDK types as `any`. */
type Body = Awaited<ReturnType<typeof JSON.parse>>;

function connect(service: TestService) {
  const client = new Client();
  client.setApiKey("SG.manage");
  client.setDefaultRequest("baseUrl", service.ingress.url);
  const call = async (method: Method, url: string, body?: object): Promise<Body> => {
    const [{ body: answer }] = await client.request({ method, url, ...(body && { body }) });
    return answer;
  };
  const sendgrid = new MailService();
  const sender = new Client();
  sendgrid.setClient(sender);
  sendgrid.setApiKey("SG.send");
  sender.setDefaultRequest("baseUrl", service.ingress.url);
  return { call, sendgrid };
}

/** Status and messages of the error that a promise rejects with. */
async function refusalOf(work: Promise<unknown>): Promise<[number, string[]]> {
  const error = await assertRejects(() => work) as unknown as {
    code: number;
    response: { body: { errors: { message: string }[] } };
  };
  return [error.code, error.response.body.errors.map(({ message }) => message)];
}

Deno.test("@sendgrid/client stores a dynamic template, and @sendgrid/mail sends it rendered", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call, sendgrid } = connect(service);
  const { id, generation, versions } = await call("POST", "/v3/templates", {
    name: "Receipt",
    generation: "dynamic",
  });
  assertMatch(id, /^d-[0-9a-f]{32}$/);
  assertEquals([generation, versions], ["dynamic", []]);
  const first = await call("POST", `/v3/templates/${id}/versions`, {
    name: "First",
    subject: "Order {{order}} of {{{name}}}",
    html_content: "<h1>Hi {{insert name 'default=friend'}}</h1>{{#each items}}<p>{{title}}" +
      '{{#greaterThan amount 1}} × {{amount}}{{/greaterThan}}</p>{{/each}}{{formatDate at "DD/MM/YYYY"}}',
  });
  assertEquals([first.active, first.plain_content.split("\n")[0]], [
    1,
    "Hi {{insert name 'default=friend'}}",
  ]);
  const message = { to: "a@example.com", from: "s@example.com", templateId: id };
  const [response] = await sendgrid.send({
    ...message,
    dynamicTemplateData: {
      order: 7,
      name: "Ada & Bob",
      at: "2026-03-01T10:00:00Z",
      items: [{ title: "Cup", amount: 2 }, { title: "Pen", amount: 1 }],
    },
  });
  await sendgrid.send({
    ...message,
    personalizations: [
      { to: "b@example.com", dynamicTemplateData: { order: 8, name: "Cy" } },
      { to: "c@example.com", dynamicTemplateData: { order: 9 } },
    ],
  });
  const [one, two, three] = capturedBy(service, "mail2");
  assertEquals([response.statusCode, response.headers["x-message-id"]], [202, one!.id]);
  assertEquals([one!.payload.subject, one!.payload.html, one!.payload.text], [
    "Order 7 of Ada & Bob",
    "<h1>Hi Ada &amp; Bob</h1><p>Cup × 2</p><p>Pen</p>01/03/2026",
    "Hi Ada & Bob\nCup × 2\nPen\n01/03/2026",
  ]);
  assertEquals([one!.meta.template_id, one!.meta.rendering_failure], [id, undefined]);
  assertEquals([two, three].map((event) => event!.payload.subject), [
    "Order 8 of Cy",
    "Order 9 of",
  ]);
  assertEquals(three!.payload.html, "<h1>Hi friend</h1>");
  assertEquals([one, two, three].map((event) => event!.meta.template_missing), [
    undefined,
    ["at"],
    ["at", "name"],
  ]);

  const second = await call("POST", `/v3/templates/${id}/versions`, {
    name: "Second",
    subject: "",
    html_content: "<b>{{x}}</b>",
    plain_content: "{{x}}!",
    generate_plain_content: false,
  });
  assertEquals(second.active, 0);
  await call("POST", `/v3/templates/${id}/versions/${second.id}/activate`);
  const whole = await call("GET", `/v3/templates/${id}`);
  assertEquals(whole.versions.map((version: Body) => [version.name, version.active]), [
    ["First", 0],
    ["Second", 1],
  ]);
  await sendgrid.send({ ...message, subject: "Own", dynamicTemplateData: { x: "<>", y: 1 } });
  const { payload: last, meta, id: lastId } = capturedBy(service, "mail2").at(-1)!;
  assertEquals([meta.template_missing, meta.template_unused], [undefined, ["y"]]);
  const { checks } = await service.getJson<{ checks: Finding[] }>(`/events/${lastId}/checks`);
  assertEquals(
    checks.find((one) => one.id === "mail.template_unused")?.message,
    'The template does not read "y"',
  );
  assertEquals([last.subject, last.html, last.text], ["Own", "<b>&lt;&gt;</b>", "<>!"]);
});

Deno.test("@sendgrid/mail gets no error for a template that cannot be rendered; the event says why", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call, sendgrid } = connect(service);
  const send = async (templateId: string) => {
    const message = { to: "a@example.com", from: "s@example.com", subject: "Hi", templateId };
    assertEquals((await sendgrid.send(message))[0].statusCode, 202);
    return capturedBy(service, "mail2").at(-1)!;
  };
  const before = await send("d-editor");
  assertEquals([before.payload.html, before.meta.rendering_failure, before.meta.parse_warnings], [
    undefined,
    undefined,
    ['the template "d-editor" is not known here'],
  ]);
  const { id } = await call("POST", "/v3/templates", { name: "Broken", generation: "dynamic" });
  assertEquals(
    (await send("d-editor")).meta.rendering_failure,
    "The template id must be a valid template id for your account. You provided d-editor",
  );
  assertEquals((await send(id)).meta.rendering_failure, "The template has no active version");
  const version = await call("POST", `/v3/templates/${id}/versions`, {
    name: "Broken",
    subject: "x",
    html_content: "{{#if a}}",
  });
  assertEquals(version.warnings, [{ message: 'The block "if" is not closed' }]);
  const broken = await send(id);
  assertEquals([broken.meta.rendering_failure, broken.payload.subject], [
    'The block "if" is not closed',
    "Hi",
  ]);
  await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" })
    .then((answer) => answer.body?.cancel());
  assertEquals((await call("GET", "/v3/templates?generations=dynamic&page_size=10")).result, []);
});

Deno.test("@sendgrid/client sends a legacy template with its substitutions, lists, copies and deletes", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call, sendgrid } = connect(service);
  const { id } = await call("POST", "/v3/templates", { name: "Legacy" });
  const { id: versionId } = await call("POST", `/v3/templates/${id}/versions`, {
    name: "One",
    subject: "[News] <%subject%>",
    html_content: "<i>-name-</i><%body%>",
    plain_content: "-name-: <%body%>",
    generate_plain_content: false,
  });
  await sendgrid.send({
    to: "a@example.com",
    from: "s@example.com",
    subject: "Hello -name-",
    text: "plain",
    html: "<b>html</b>",
    templateId: id,
    substitutions: { name: "Ada" },
    substitutionWrappers: ["-", "-"],
  });
  const { payload } = capturedBy(service, "mail2")[0]!;
  assertEquals([payload.subject, payload.html, payload.text], [
    "[News] Hello Ada",
    "<i>Ada</i><b>html</b>",
    "Ada: plain",
  ]);
  const copy = await call("POST", `/v3/templates/${id}`, { name: "Copy" });
  assertEquals([copy.generation, copy.versions.length], ["legacy", 1]);
  assertEquals((await call("PATCH", `/v3/templates/${id}`, { name: "News" })).name, "News");
  const changed = await call("PATCH", `/v3/templates/${id}/versions/${versionId}`, {
    subject: "S",
  });
  assertEquals([changed.subject, changed.name, changed.active], ["S", "One", 1]);
  const page = await call("GET", "/v3/templates?generations=legacy,dynamic&page_size=1");
  assertEquals([page.result.length, page._metadata.count], [1, 2]);
  const next = await call("GET", page._metadata.next.slice(service.ingress.url.length));
  assertEquals(next.result.map(({ name }: Body) => name), ["Copy"]);
  assertEquals((await call("GET", `/v3/templates/${id}/versions/${versionId}`)).subject, "S");
  await call("DELETE", `/v3/templates/${id}/versions/${versionId}`);
  await call("DELETE", `/v3/templates/${id}`);
  assertEquals(await refusalOf(call("GET", `/v3/templates/${id}`)), [404, ["Template not found"]]);
  assertEquals(await refusalOf(call("GET", `/v3/templates/${copy.id}/versions/x`)), [
    404,
    ["Version not found"],
  ]);
  assertEquals(await refusalOf(call("POST", "/v3/templates", { generation: "new" })), [
    400,
    ["name is required", "generation must be legacy or dynamic"],
  ]);
  assertEquals((await refusalOf(call("GET", "/v3/templates?page_size=500")))[0], 400);
  assertEquals(
    await refusalOf(call("POST", `/v3/templates/${copy.id}/versions`, { name: "x", active: 2 })),
    [400, ["subject is required", "active must be 0 or 1"]],
  );
});

Deno.test("@sendgrid/client stores and searches contacts, validates addresses and reads its account", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call } = connect(service);
  const contacts = "/v3/marketing/contacts";
  const { job_id } = await call("PUT", contacts, {
    list_ids: ["l1"],
    contacts: [
      { email: "Ada@example.com", first_name: "Ada", custom_fields: { e1_T: "o'hara" } },
      { email: "bob@example.org", last_name: "B" },
    ],
  });
  assertMatch(job_id, /^[0-9a-f-]{36}$/);
  await call("PUT", contacts, { contacts: [{ email: "ada@example.com", city: "London" }] });
  const search = async (query: string) =>
    (await call("POST", `${contacts}/search`, { query })).result.map(({ email }: Body) => email);
  assertEquals(await search("email LIKE '%@example.com' AND first_name = 'Ada'"), [
    "ada@example.com",
  ]);
  assertEquals(await search("last_name = 'B' OR e1_T = 'o''hara'"), [
    "ada@example.com",
    "bob@example.org",
  ]);
  assertEquals(await search("email IN ('bob@example.org', 'x') AND CONTAINS(list_ids, 'l1')"), [
    "bob@example.org",
  ]);
  assertEquals(await refusalOf(search("DROP TABLE")), [400, ["invalid query: DROP TABLE"]]);
  const { result } = await call("POST", `${contacts}/search/emails`, {
    emails: ["ada@example.com", "none@example.com"],
  });
  const ada = result["ada@example.com"].contact;
  assertEquals([ada.first_name, ada.city, ada.list_ids], ["Ada", "London", ["l1"]]);
  assertEquals(result["none@example.com"], { error: "contact not found" });
  assertEquals((await call("GET", `${contacts}/${ada.id}`)).email, "ada@example.com");
  assertEquals((await call("GET", `${contacts}/count`)).contact_count, 2);
  await call("DELETE", `${contacts}?ids=${ada.id}`);
  assertEquals((await call("GET", contacts)).contact_count, 1);
  assertEquals(
    await refusalOf(call("PUT", contacts, { contacts: [{ email: "nobody", nick: "x" }] })),
    [400, ["valid email is required", "unknown field nick"]],
  );
  const validated = async (email: string) =>
    (await call("POST", "/v3/validations/email", { email, source: "signup" })).result;
  const good = await validated("info@example.com");
  assertEquals([good.verdict, good.host, good.checks.local_part.is_suspected_role_address], [
    "Valid",
    "example.com",
    true,
  ]);
  assertEquals((await validated("info@")).verdict, "Invalid");
  assertEquals((await call("GET", "/v3/user/profile")).company, "Standin");
  assertEquals((await call("GET", "/v3/scopes")).scopes.includes("mail.send"), true);
});

const PYTHON = `
import json, sys
from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Mail

client = SendGridAPIClient("SG.key", host=sys.argv[1])
template = json.loads(client.client.templates.post(
    request_body={"name": "Welcome", "generation": "dynamic"}).body)
version = client.client.templates._(template["id"]).versions.post(
    request_body={"name": "v1", "subject": "Hi {{name}}", "html_content": "<p>{{name}}</p>"})
message = Mail(from_email="s@example.com", to_emails="a@example.com")
message.template_id = template["id"]
message.dynamic_template_data = {"name": "Ada"}
sent = client.send(message)
print(json.dumps([version.status_code, sent.status_code, sent.headers["X-Message-Id"]]))
`;

Deno.test("the Python SDK stores a template and sends it", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(python, ["-c", PYTHON, service.ingress.url]);
  const [event] = capturedBy(service, "mail2");
  assertEquals(JSON.parse(stdout), [201, 202, event!.id]);
  assertEquals([event!.payload.subject, event!.payload.html], ["Hi Ada", "<p>Ada</p>"]);
});
