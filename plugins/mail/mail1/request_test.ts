import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import captured from "../../../tests/fixtures/vendors/mail1_mailjet.json" with { type: "json" };
import { type Entry, type Outgoing, readSend } from "./request.ts";

const FROM = { Email: "pilot@example.com", Name: "Pilot" };
const TO = [{ Email: "a@example.com", Name: "A" }];
const PLAIN = { From: FROM, To: TO, Subject: "hello", TextPart: "text" };

type Message = Readonly<Record<string, unknown>>;

function entriesOf(body: unknown): readonly Entry[] {
  const call = readSend(body);
  assert(call.ok, call.ok ? "" : call.refusal.message);
  return call.value.entries;
}

function accepted(body: unknown): Outgoing {
  const [entry] = entriesOf(body);
  assert(entry?.ok, "the message is refused");
  return entry.value;
}

function acceptedMessage(message: Message): Outgoing {
  return accepted({ Messages: [message] });
}

/** `code path,path` of every fault of a single message. */
function faultsOf(message: Message): readonly string[] {
  const [entry] = entriesOf({ Messages: [message] });
  if (entry === undefined || entry.ok) return [];
  return entry.refusal.map(({ code, relatedTo }) => `${code} ${relatedTo.join(",")}`);
}

/** `code path` of a call that is refused as a whole. */
function refusalOf(body: unknown): string | undefined {
  const call = readSend(body);
  if (call.ok) return undefined;
  return `${call.refusal.code} ${call.refusal.relatedTo.join(",")}`;
}

Deno.test("a captured SDK request becomes one message with both attachments", () => {
  const [request] = captured.requests;
  const { draft, customId, meta } = accepted(JSON.parse(request!.body));
  assertEquals(customId, "AppGettingStartedTest");
  assertEquals(meta, { custom_id: "AppGettingStartedTest" });
  assertEquals(draft.from, { email: "pilot@example.com", name: "Pilot" });
  assertEquals(draft.to, [{ email: "a@example.com", name: "A" }]);
  assertEquals([draft.subject, draft.text, draft.html], ["hello", "text", "<p>html</p>"]);
  assertEquals(
    draft.attachments.map(({ bytes, ...rest }) => ({ ...rest, size: bytes.length })),
    [
      { filename: "test.txt", content_type: "text/plain", inline: false, size: 7 },
      {
        filename: "logo.png",
        content_type: "image/png",
        content_id: "id1",
        inline: true,
        size: 6,
      },
    ],
  );
  assertEquals(new TextDecoder().decode(draft.attachments[0]!.bytes), "This is");
});

Deno.test("captured: the Globals of django-anymail reach every message", () => {
  const [, single, batch, partial] = captured.requests.map(({ body }) => JSON.parse(body));
  const one = accepted(single);
  assertEquals([one.draft.subject, one.draft.cc[0]?.email, one.draft.text], [
    "Subject",
    "cc@example.com",
    "text body",
  ]);
  assertEquals(one.meta, {
    event_payload: '{"a": 1}',
    custom_campaign: "tag1",
    track_opens: "enabled",
  });
  // Global merge data is in Globals, that of a recipient in the message; the vendor merges them.
  assertEquals(entriesOf(batch).map((entry) => entry.ok && entry.value.meta.variables), [
    { g: "x", name: "One" },
    { g: "x", name: "Two" },
  ]);
  assertEquals(entriesOf(partial).map(({ ok }) => ok), [true, false]);
});

Deno.test("headers and variables of Globals are overlaid name by name", () => {
  const { draft, meta } = accepted({
    Globals: { ...PLAIN, Headers: { "X-A": "1", "X-B": "2" }, Variables: { a: 1, b: 2 } },
    Messages: [{ Headers: { "x-b": "own" }, Variables: { b: "own" } }],
  });
  assertEquals(draft.headers, [["X-A", "1"], ["x-b", "own"]]);
  assertEquals(meta.variables, { a: 1, b: "own" });
});

Deno.test("every documented property is stored", () => {
  const { draft, meta, customId } = accepted({
    SandboxMode: true,
    AdvanceErrorHandling: true,
    Messages: [{
      ...PLAIN,
      Sender: { Email: "s@example.com" },
      Cc: [{ Email: "c@example.com" }],
      Bcc: [{ Email: "b@example.com", Name: "B" }],
      ReplyTo: { Email: "r@example.com", Name: "R" },
      HTMLPart: "<p>",
      TemplateID: 7,
      TemplateLanguage: true,
      TemplateErrorReporting: { Email: "err@example.com" },
      TemplateErrorDeliver: false,
      Priority: 2,
      CustomCampaign: "campaign",
      DeduplicateCampaign: true,
      MonitoringCategory: "category",
      CustomID: "id",
      EventPayload: "payload",
      StatisticsContactsListID: 12,
      TrackOpens: "enabled",
      TrackClicks: "disabled",
      URLTags: "a=b",
      Headers: { "X-One": "1", "X-Two": "2" },
      Variables: { day: "Monday" },
    }],
  });
  assertEquals(customId, "id");
  assertEquals(draft.cc, [{ email: "c@example.com" }]);
  assertEquals(draft.bcc, [{ email: "b@example.com", name: "B" }]);
  assertEquals(draft.reply_to, [{ email: "r@example.com", name: "R" }]);
  assertEquals(draft.headers, [["X-One", "1"], ["X-Two", "2"]]);
  assertEquals(meta, {
    custom_id: "id",
    event_payload: "payload",
    custom_campaign: "campaign",
    template_id: 7,
    template_language: true,
    template_error_reporting: { email: "err@example.com" },
    template_error_deliver: false,
    variables: { day: "Monday" },
    priority: 2,
    track_opens: "enabled",
    track_clicks: "disabled",
    url_tags: "a=b",
    monitoring_category: "category",
    deduplicate_campaign: true,
    statistics_contacts_list_id: 12,
    sender: { email: "s@example.com" },
    advance_error_handling: true,
    sandbox_mode: true,
  });
});

Deno.test("Globals apply to every message, and their attachments are shared", () => {
  const entries = entriesOf({
    Globals: {
      From: FROM,
      Subject: "global",
      TextPart: "text",
      Attachments: [{ ContentType: "text/plain", Filename: "a", Base64Content: "YQ==" }],
    },
    Messages: [{ To: TO }, { To: [{ Email: "b@example.com" }], Subject: "own" }],
  });
  const drafts = entries.map((entry) => entry.ok ? entry.value.draft : undefined);
  assertEquals(drafts.map((draft) => draft?.subject), ["global", "own"]);
  assertEquals(drafts.map((draft) => draft?.from.email), [FROM.Email, FROM.Email]);
  assert(drafts[0]?.attachments[0] !== undefined);
  assert(drafts[0].attachments[0] === drafts[1]?.attachments[0]);
});

Deno.test("property names are matched in any case", () => {
  const { draft, meta } = accepted({
    messages: [{
      from: { email: "pilot@example.com", NAME: "Pilot" },
      TO: [{ EMail: "a@example.com" }],
      HtmlPart: "<p>",
      customid: "c",
      INLINEDATTACHMENTS: [{
        contenttype: "image/png",
        FileName: "a.png",
        base64content: "YQ==",
      }],
    }],
    SandBoxMode: "true",
  });
  assertEquals([draft.from.name, draft.html, meta.custom_id], ["Pilot", "<p>", "c"]);
  assertEquals(meta.sandbox_mode, true);
  // Without a content id, HTML refers to an inlined file by name.
  assertEquals(draft.attachments[0]?.content_id, "a.png");
});

Deno.test("null counts as absent", () => {
  assertEquals(acceptedMessage({ ...PLAIN, HTMLPart: null, Cc: null }).draft.cc, []);
  assertEquals(faultsOf({ ...PLAIN, From: null }), ["mj-0003 From"]);
  assertEquals(refusalOf({ Messages: null }), "mj-0003 Messages");
});

Deno.test("a template needs neither sender nor content; an event payload may be an object", () => {
  const { draft, meta } = acceptedMessage({ To: TO, TemplateID: 1, EventPayload: { a: 1 } });
  assertEquals([draft.from.email, draft.text], ["", ""]);
  assertEquals(meta, { template_id: 1, event_payload: { a: 1 } });
});

Deno.test("an empty PHP array is an empty map", () => {
  const { draft, meta } = acceptedMessage({ ...PLAIN, Headers: [], Variables: [] });
  assertEquals([draft.headers, meta.variables], [[], {}]);
});

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ["no object", [PLAIN], "mj-0002 "],
  ["null", null, "mj-0002 "],
  ["no Messages", {}, "mj-0003 Messages"],
  ["Messages of another type", { Messages: {} }, "mj-0004 Messages"],
  ["a message of another type", { Messages: ["x"] }, "mj-0004 Messages"],
  ["no message", { Messages: [] }, "mj-0007 Messages"],
  ["51 messages", { Messages: Array(51).fill(PLAIN) }, "mj-0008 Messages"],
  ["SandboxMode as a number", { Messages: [PLAIN], SandboxMode: 1 }, "mj-0004 SandboxMode"],
  ["Globals as text", { Messages: [PLAIN], Globals: "" }, "mj-0004 Globals"],
  [
    "10 001 headers",
    {
      Messages: [{
        ...PLAIN,
        Headers: Object.fromEntries(Array(10_001).entries().map(([i]) => [`X-${i}`, ""])),
      }],
    },
    "mj-0008 Messages.Headers",
  ],
  [
    "a wrong type in Globals",
    { Messages: [PLAIN], Globals: { Subject: 1 } },
    "mj-0004 Globals.Subject",
  ],
];
for (const [title, body, expected] of REFUSED) {
  Deno.test(`the call is refused for ${title}`, () => assertEquals(refusalOf(body), expected));
}

const WRONG_TYPES: readonly (readonly [string, unknown, string])[] = [
  ["From", "pilot@example.com", "From"],
  ["From", [FROM], "From"],
  ["From", { Email: 1 }, "From.Email"],
  ["ReplyTo", [FROM], "ReplyTo"],
  ["To", { Email: "a@example.com" }, "To"],
  ["To", ["a@example.com"], "To"],
  ["Cc", [{ Email: "a@example.com", Name: 1 }], "Cc.Name"],
  ["Subject", 1, "Subject"],
  ["TemplateID", "7", "TemplateID"],
  ["TemplateID", 1.5, "TemplateID"],
  ["TemplateLanguage", "true", "TemplateLanguage"],
  ["TemplateErrorReporting", "a@example.com", "TemplateErrorReporting"],
  ["Attachments", {}, "Attachments"],
  ["Attachments", ["x"], "Attachments"],
  ["Attachments", [{ Filename: 1 }], "Attachments.Filename"],
  ["InlinedAttachments", [{ Base64Content: "$" }], "InlinedAttachments.Base64Content"],
  ["Headers", ["x"], "Headers"],
  ["Headers", { "X-One": 1 }, "Headers"],
  ["Variables", "x", "Variables"],
  ["CustomID", 1, "CustomID"],
];
for (const [property, value, path] of WRONG_TYPES) {
  Deno.test(`${property} as ${JSON.stringify(value)} refuses the whole call`, () => {
    const body = { Messages: [PLAIN, { ...PLAIN, [property]: value }] };
    assertEquals(refusalOf(body), `mj-0004 Messages.${path}`);
  });
}

const FILE = { ContentType: "text/plain", Filename: "a.txt", Base64Content: "YQ==" };
const without = (property: string) =>
  Object.fromEntries(Object.entries(PLAIN).filter(([name]) => name !== property));
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Email: `a${index}@example.com` }));
const FAULTS: readonly (readonly [string, Message, readonly string[]])[] = [
  ["no From", without("From"), ["mj-0003 From"]],
  ["From without an address", { ...PLAIN, From: {} }, ["mj-0003 From.Email"]],
  ["From with an empty address", { ...PLAIN, From: { Email: "" } }, ["mj-0012 From.Email"]],
  ["From with a bad address", { ...PLAIN, From: { Email: "x" } }, ["mj-0013 From.Email"]],
  ["no To", without("To"), ["mj-0003 To"]],
  ["an empty To", { ...PLAIN, To: [] }, ["mj-0007 To"]],
  ["bad recipients", { ...PLAIN, To: [...TO, { Email: "foo@test" }], Bcc: [{}] }, [
    "mj-0013 To[1].Email",
    "mj-0003 Bcc[0].Email",
  ]],
  ["51 recipients", { ...PLAIN, To: many(50), Cc: [{ Email: "c@example.com" }] }, [
    "send-0015 To,CC,Bcc",
  ]],
  ["a bad Sender and ReplyTo", { ...PLAIN, Sender: { Email: "x" }, ReplyTo: { Email: "y" } }, [
    "mj-0013 Sender.Email",
    "mj-0013 ReplyTo.Email",
  ]],
  ["a long Subject", { ...PLAIN, Subject: "é".repeat(256) }, ["mj-0006 Subject"]],
  ["no content", { From: FROM, To: TO, Subject: "x", TextPart: "" }, [
    "send-0003 HTMLPart,TextPart,TemplateID",
  ]],
  ["long URLTags", { ...PLAIN, URLTags: "x".repeat(257) }, ["mj-0006 URLTags"]],
  ["error reports without TemplateLanguage", { ...PLAIN, TemplateErrorDeliver: true }, [
    "send-0016 TemplateLanguage",
  ]],
  ["an empty attachment", { ...PLAIN, Attachments: [FILE, {}] }, [
    "mj-0003 Attachments[1].ContentType",
    "mj-0003 Attachments[1].Filename",
    "mj-0003 Attachments[1].Base64Content",
  ]],
  ["empty texts in an attachment", {
    ...PLAIN,
    InlinedAttachments: [{ ContentType: "", Filename: "", Base64Content: "" }],
  }, [
    "mj-0012 InlinedAttachments[0].ContentType",
    "mj-0012 InlinedAttachments[0].Filename",
    "mj-0012 InlinedAttachments[0].Base64Content",
  ]],
  ["attachments over 15 MB together", {
    ...PLAIN,
    Attachments: [{ ...FILE, Base64Content: "AAAA".repeat(8 * 1024 ** 2 / 3) }],
    InlinedAttachments: [{ ...FILE, Base64Content: "AAAA".repeat(8 * 1024 ** 2 / 3) }],
  }, ["mj-0011 Attachments,InlinedAttachments"]],
  ["an unknown Priority", { ...PLAIN, Priority: 9 }, ["mj-0005 Priority"]],
  ["unknown tracking", { ...PLAIN, TrackOpens: "yes", TrackClicks: "no" }, [
    "mj-0005 TrackOpens",
    "mj-0005 TrackClicks",
  ]],
  ["deduplication without a campaign", { ...PLAIN, DeduplicateCampaign: true }, [
    "send-0012 CustomCampaign,DeduplicateCampaign",
  ]],
  ["reserved headers", { ...PLAIN, Headers: { subject: "x", "X-MJ-CustomID": "y", "X-A": "z" } }, [
    'send-0011 Headers["subject"]',
    'send-0011 Headers["X-MJ-CustomID"]',
  ]],
];
for (const [title, message, expected] of FAULTS) {
  Deno.test(`a message is refused for ${title}`, () => assertEquals(faultsOf(message), expected));
}

const ALLOWED: readonly (readonly [string, Message])[] = [
  ["255 characters of Subject, beyond the basic plane", { ...PLAIN, Subject: "😀".repeat(255) }],
  ["50 recipients, one of them twice", {
    ...PLAIN,
    To: many(50),
    Cc: [{ Email: "A1@example.com" }],
  }],
  ["15 MB of attachments", {
    ...PLAIN,
    Attachments: [{ ...FILE, Base64Content: "AAAA".repeat(15 * 1024 ** 2 / 3) }],
  }],
];
for (const [title, message] of ALLOWED) {
  Deno.test(`a message may have ${title}`, () => assertEquals(faultsOf(message), []));
}

Deno.test("a faulty message does not affect the others, or their order", () => {
  const entries = entriesOf({ Messages: [PLAIN, { ...PLAIN, To: [] }, PLAIN] });
  assertEquals(entries.map(({ ok }) => ok), [true, false, true]);
});

Deno.test("at most a hundred faults of a message are reported", () => {
  assertEquals(faultsOf({ ...PLAIN, To: Array(5000).fill({}) }).length, 100);
});

Deno.test("errors have the vendor's messages", () => {
  const call = readSend({
    Messages: [{ From: FROM, To: [{ Email: 'b"ad' }], Subject: "x".repeat(300), Priority: 7 }],
  });
  assert(call.ok);
  const [entry] = call.value.entries;
  assert(entry !== undefined && !entry.ok);
  assertEquals(entry.refusal.map(({ message }) => message), [
    '"b"ad" is an invalid email address.',
    "Characters limit exceeded for the property. Max allowed - 255.",
    'At least "HTMLPart", "TextPart" or "TemplateID" must be provided.',
    'Value "7" is invalid. Allowed values are: 0, 1, 2, 3.',
  ]);
  const refused = readSend({ Messages: [{ ...PLAIN, From: [FROM] }] });
  assert(!refused.ok);
  assertEquals(refused.refusal.message, 'Type mismatch. Expected type "emailIn".');
});

/** JSON that often uses the vendor's names, so that it gets past the first check. */
const vendorish = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, -1, 1.5, "", "x", "a@example.com", "YQ==", "__proto__"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        "Messages",
        "Globals",
        "From",
        "To",
        "Cc",
        "Email",
        "Name",
        "Subject",
        "TextPart",
        "Attachments",
        "Base64Content",
        "Headers",
        "Variables",
        "Priority",
        "TrackOpens",
        "toString",
        "__proto__",
      ),
      tie("value"),
      { maxKeys: 6 },
    ),
  ),
})).value;

Deno.test("readSend() returns entries or a refusal for any JSON", () => {
  fc.assert(
    fc.property(fc.oneof(vendorish, fc.jsonValue(), messages()), (body) => {
      const call = readSend(body);
      const refusals = call.ok
        ? call.value.entries.flatMap((entry) => entry.ok ? [] : entry.refusal)
        : [call.refusal];
      for (const { code = "", status } of refusals) {
        assert(/^(mj|send)-00\d\d$/.test(code), code);
        assertEquals(status, 400);
      }
      if (call.ok) JSON.stringify(call.value.entries);
    }),
    fuzzed(1000),
  );
});

function messages(): fc.Arbitrary<unknown> {
  const member = fc.dictionary(
    fc.constantFrom("From", "To", "Subject", "TextPart", "Headers", "Attachments"),
    vendorish,
  );
  return fc.record({ Messages: fc.array(member, { maxLength: 3 }), Globals: member });
}
