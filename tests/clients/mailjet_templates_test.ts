/** Templates and contacts of Mailjet, with its own clients. */
import { assertEquals, assertRejects } from "@std/assert";
import sdk from "npm:node-mailjet@6.0.11";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService, type TestService } from "../support/service.ts";

// By default, the SDK always uses TLS.
Object.assign(sdk.Request, { protocol: "http://" });

type Method = "get" | "post" | "put" | "delete";
/** Results that the SDK types as `any`. */
type Body = Awaited<ReturnType<typeof JSON.parse>>;

function connect({ ingress }: TestService, apiKey = "key") {
  const mailjet = new sdk.Client({
    apiKey,
    apiSecret: "secret",
    config: { host: `${ingress.hostname}:${ingress.port}` },
  });
  /** `resource`, or `resource id`, or `resource id action`. */
  const call = async (method: Method, what: string, body: object = {}): Promise<Body[]> => {
    const [resource, id, action] = what.split(" ");
    let request: Body = mailjet[method](resource!, { version: "v3" });
    if (id !== undefined) request = request.id(id);
    if (action !== undefined) request = request.action(action);
    const answer = await (method === "get" ? request.request({}, body) : request.request(body));
    return answer.body?.Data;
  };
  const send = async (message: object): Promise<Body> => {
    const To = [{ Email: "a@example.com" }];
    const answer = await mailjet.post("send", { version: "v3.1" })
      .request({ Messages: [{ To, ...message }] });
    return (answer.body as Body).Messages[0];
  };
  return { call, send };
}

/** Status and texts of the error that a promise rejects with. */
async function refusalOf(work: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await assertRejects(() => work) as Body;
  const { Messages, ErrorMessage } = error.response.data;
  const refusal = Messages?.[0].Errors[0];
  return [
    error.statusCode,
    ...(refusal ? [refusal.ErrorCode] : []),
    refusal?.ErrorMessage ?? ErrorMessage,
  ];
}

Deno.test("node-mailjet stores a template, and a message that uses it is rendered", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call, send } = connect(service);
  const [template] = await call("post", "template", { Name: "Order", Locale: "fr_FR" });
  assertEquals([template.Name, template.Locale, template.Purposes], [
    "Order",
    "fr_FR",
    ["transactional"],
  ]);
  const id = template.ID;
  await call("post", `template ${id} detailcontent`, {
    Headers: {
      From: '"Pilot, Inc" <pilot@example.com>',
      Subject: "Order {{var:order.id}}",
      "Reply-To": "help@example.com",
    },
    "Html-part": '{% if var:step == "sent" %}<b>{{var:name:"friend"}}</b>' +
      "{% else %}no{% endif %}{% for item in var:order.items %}<p>{{item}}</p>{% endfor %}",
    "Text-part": "Dear {{var:name:friend}}",
  });
  const Variables = { step: "sent", order: { id: 7, items: ["Cup", "Pen"] } };
  const sent = await send({ TemplateID: id, TemplateLanguage: true, Variables });
  assertEquals(sent.Status, "success");
  await send({
    TemplateID: id,
    TemplateLanguage: true,
    Variables: { ...Variables, name: "Ada", nick: "Countess" },
    From: { Email: "own@example.com" },
    Subject: "Own",
  });
  await send({ TemplateID: id, Subject: "raw" });
  assertEquals(capturedBy(service, "mail1").map(({ meta }) => meta.template_unused), [
    undefined,
    ["nick"],
    undefined,
  ]);
  const [first, second, raw] = capturedBy(service, "mail1").map(({ payload }) => payload);
  assertEquals(first, {
    from: { email: "pilot@example.com", name: "Pilot, Inc" },
    to: [{ email: "a@example.com" }],
    reply_to: [{ email: "help@example.com" }],
    subject: "Order 7",
    html: "<b>friend</b><p>Cup</p><p>Pen</p>",
    text: "Dear friend",
  });
  assertEquals([second!.from.email, second!.subject, second!.text], [
    "own@example.com",
    "Own",
    "Dear Ada",
  ]);
  assertEquals(raw!.text, "Dear {{var:name:friend}}");
  await call("put", `template ${id} detailcontent`, { "Text-part": "Hi {{var:none}}" });
  const [content] = await call("get", `template ${id} detailcontent`);
  assertEquals([content["Text-part"], content.Headers.Subject], [
    "Hi {{var:none}}",
    "Order {{var:order.id}}",
  ]);
  await send({ TemplateID: id, TemplateLanguage: true, Variables });
  const last = capturedBy(service, "mail1").at(-1)!;
  assertEquals([last.meta.rendering_failure, last.payload.text], [
    'The variable "var:none" has no value',
    "Hi {{var:none}}",
  ]);
});

Deno.test("node-mailjet reports unknown, unusable and invalid templates", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call, send } = connect(service);
  const From = { Email: "s@example.com" };
  await send({ From, TemplateID: 99, Variables: { a: 1 } });
  const [event] = capturedBy(service, "mail1");
  assertEquals([event!.payload.html, event!.meta.variables, event!.meta.parse_warnings], [
    undefined,
    { a: 1 },
    ["the template 99 is not known here"],
  ]);
  const [{ ID }] = await call("post", "template", { Name: "T" }) as [Body];
  const unknown = (id: number) => [
    400,
    "send-0010",
    `Template ID "${id}" doesn't exist for your account.`,
  ];
  assertEquals(await refusalOf(send({ From, TemplateID: 99 })), unknown(99));
  assertEquals(await refusalOf(send({ From, TemplateID: ID })), unknown(ID));
  await call("post", `template ${ID} detailcontent`, { "Html-part": "x" });
  assertEquals((await refusalOf(send({ From, TemplateID: ID, HTMLPart: "y" })))[1], "send-0004");
  assertEquals((await refusalOf(send({ TemplateID: ID })))[1], "mj-0003");
  await connect(service, "other").send({ From, TemplateID: ID });
  assertEquals(capturedBy(service, "mail1").length, 2);
  assertEquals(await refusalOf(call("post", "template", { Name: "T" })), [
    400,
    'A template with the name "T" already exists.',
  ]);
  assertEquals(await refusalOf(call("post", "template", { Name: "U", Colour: 1 })), [
    400,
    'Invalid key/value pair for property "Colour".',
  ]);
  await call("put", `template ${ID}`, { Name: "V" });
  assertEquals((await call("get", "template", { Limit: 1 })).map(({ Name }) => Name), ["V"]);
  await call("delete", `template ${ID}`);
  assertEquals(await refusalOf(call("get", `template ${ID}`)), [404, "Object not found"]);
});

Deno.test("node-mailjet keeps contacts and their lists", async () => {
  await using service = await startService({ plugins: [mail] });
  const { call } = connect(service);
  const [ada] = await call("post", "contact", { Email: "ada@example.com", Name: "Ada" });
  assertEquals(await refusalOf(call("post", "contact", { Email: "ada@example.com" })), [
    400,
    'MJ18 A Contact resource with value "ada@example.com" for Email already exists.',
  ]);
  assertEquals((await refusalOf(call("post", "contact", { Email: "nobody" })))[0], 400);
  const [list] = await call("post", "contactslist", { Name: "News" });
  const manage = (Email: string, Action: string) =>
    call("post", `contactslist ${list.ID} managecontact`, { Email, Action });
  await manage("ada@example.com", "addforce");
  const [bob] = await manage("bob@example.com", "addnoforce");
  await manage("bob@example.com", "unsub");
  await manage("bob@example.com", "addnoforce");
  const count = async () => (await call("get", `contactslist ${list.ID}`))[0].SubscriberCount;
  assertEquals(await count(), 1);
  await manage("bob@example.com", "addforce");
  assertEquals(await count(), 2);
  const lists = await call("get", `contact ${bob.ContactID} getcontactslists`);
  assertEquals(lists.map(({ ListID, IsUnsub }) => [ListID, IsUnsub]), [[list.ID, false]]);
  await manage("ada@example.com", "remove");
  assertEquals(await count(), 1);
  assertEquals((await refusalOf(manage("ada@example.com", "add")))[0], 400);
  await call("put", `contact ${ada.ID}`, { Name: "Ada L" });
  assertEquals((await call("get", "contact ada@example.com"))[0].Name, "Ada L");
  assertEquals((await call("get", "contact")).length, 2);
  await call("delete", `contactslist ${list.ID}`);
  assertEquals(await call("get", "contactslist"), []);
});

const PYTHON = `
import json, sys
from mailjet_rest import Client

auth = ("key", "secret")
rest = Client(auth=auth, api_url=sys.argv[1], version="v3")
template = rest.template.create(data={"Name": "Welcome"})
id = template.json()["Data"][0]["ID"]
content = rest.template_detailcontent.create(id=id, data={
    "Headers": {"Subject": "Hi {{var:name}}"}, "Html-part": "<p>{{var:name}}</p>"})
sent = Client(auth=auth, api_url=sys.argv[1], version="v3.1").send.create(data={"Messages": [{
    "From": {"Email": "s@example.com"}, "To": [{"Email": "a@example.com"}],
    "TemplateID": id, "TemplateLanguage": True, "Variables": {"name": "Ada"}}]})
print(json.dumps([template.status_code, content.status_code, sent.status_code]))
`;

Deno.test("mailjet_rest stores a template and sends it", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { stdout } = await runOk(python, ["-c", PYTHON, `${service.ingress.url}/`]);
  assertEquals(JSON.parse(stdout), [201, 201, 200]);
  const [event] = capturedBy(service, "mail1");
  assertEquals([event!.payload.subject, event!.payload.html], ["Hi Ada", "<p>Ada</p>"]);
});
