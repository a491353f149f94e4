import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { MailMessage } from "../model.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import {
  acceptedEntry,
  answerEntries,
  answerMessage,
  refuse,
  refusedEntry,
  refuseRest,
} from "./reply.ts";

/** Ids in order of use. */
function numbered(): { newId(): string } {
  let count = 0;
  return { newId: () => `id${++count}` };
}

const ACCEPTED = {
  customId: "custom",
  to: [{ email: "a@example.com", name: "A" }],
  cc: [{ email: "c@example.com" }],
  bcc: [],
  ids: [{ uuid: "u1", id: 1 }, { uuid: "u2", id: 2 }],
  href: (id: number) => `http://ingress/v3/REST/message/${id}`,
};

Deno.test("a recorded message is answered with one entry per recipient", async () => {
  const response = answerEntries([acceptedEntry(ACCEPTED)], numbered());
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json; charset=UTF-8");
  assertEquals(response.headers.get("x-mj-request-guid"), "id1");
  assertEquals(
    await response.text(),
    '{"Messages":[{"Status":"success","CustomID":"custom",' +
      '"To":[{"Email":"a@example.com","MessageUUID":"u1","MessageID":1,"MessageHref":"http://ingress/v3/REST/message/1"}],' +
      '"Cc":[{"Email":"c@example.com","MessageUUID":"u2","MessageID":2,"MessageHref":"http://ingress/v3/REST/message/2"}],' +
      '"Bcc":[]}]}',
  );
});

Deno.test("one faulty message makes the answer a 400 that still names the good ones", async () => {
  const ids = numbered();
  const faulty = refusedEntry([REFUSALS.badAddress("To[0].Email", "x")], ids);
  const response = answerEntries([acceptedEntry(ACCEPTED), faulty], ids);
  assertEquals(response.status, 400);
  const { Messages } = await response.json();
  assertEquals(Messages[0].Status, "success");
  assertEquals(Messages[1], {
    Status: "error",
    Errors: [{
      ErrorIdentifier: "id1",
      ErrorCode: "mj-0013",
      StatusCode: 400,
      ErrorMessage: '"x" is an invalid email address.',
      ErrorRelatedTo: ["To[0].Email"],
    }],
  });
});

Deno.test("a refusal of the whole call is flat, with the status of its fault", async () => {
  const response = refuse(REFUSALS.unauthorized, numbered());
  assertEquals(response.status, 401);
  assertMatch(response.headers.get("x-mj-request-guid") ?? "", /^id\d$/);
  assertEquals(await response.json(), {
    ErrorIdentifier: "id1",
    ErrorCode: "mj-0015",
    StatusCode: 401,
    ErrorMessage:
      "API key authentication/authorization failure. You may be unauthorized to access the API or your API key may be expired. Visit API keys management section to check your keys.",
  });
});

Deno.test("a refusal of core has the same form, with a code if there is one", async () => {
  const large = refuse(
    { status: 413, message: "too large", code: "mj-0011", relatedTo: [] },
    numbered(),
  );
  assertEquals([large.status, await large.json()], [413, {
    ErrorIdentifier: "id1",
    ErrorCode: "mj-0011",
    StatusCode: 413,
    ErrorMessage: "too large",
  }]);
  const method = refuse({ status: 405, message: "no", relatedTo: [] }, numbered());
  assertEquals(await method.json(), {
    ErrorIdentifier: "id1",
    StatusCode: 405,
    ErrorMessage: "no",
  });
});

const EVENT: CapturedEvent<MailMessage> = {
  id: "0123456789abcdef01234567",
  seq: 1,
  plugin: "mail",
  provider: "mail1",
  type: "mail.message",
  received_at: new Date("2026-01-31T12:00:00.123Z"),
  summary: "",
  summary_parts: {},
  meta: { track_opens: "enabled" },
  payload: { from: { email: "f@example.com" }, subject: "hello", text: "text" },
  raw: { transport: "http", text: true, body: new Uint8Array(5) },
  blobs: [],
};

Deno.test("a message is described, its address and subject only if requested", async () => {
  const about = { ids: { uuid: "u", id: 7 }, address: "a@example.com" };
  const bare = await answerMessage(EVENT, { ...about, showAddress: false, showSubject: false })
    .json();
  assertEquals([bare.Count, bare.Total, bare.Data.length], [1, 1, 1]);
  const [data] = bare.Data;
  assertEquals([data.ArrivedAt, data.ID, data.UUID], ["2026-01-31T12:00:00Z", 7, "u"]);
  assertEquals([data.ContactAlt, data.Subject, data.MessageSize], ["", "", 5]);
  assertEquals([data.IsTextPartIncluded, data.IsHTMLPartIncluded], [true, false]);
  assertEquals([data.IsOpenTracked, data.IsClickTracked], [true, false]);
  const full = await answerMessage(EVENT, { ...about, showAddress: true, showSubject: true })
    .json();
  assertEquals([full.Data[0].ContactAlt, full.Data[0].Subject], ["a@example.com", "hello"]);
});

Deno.test("an unknown message is refused in the form of the REST resources", async () => {
  const response = refuseRest(404, "Object not found");
  assertEquals([response.status, await response.json()], [404, {
    ErrorInfo: "",
    ErrorMessage: "Object not found",
    StatusCode: 404,
  }]);
});

/** Every entry of the vendor's table that has a rule, with the sentence observed or documented. */
const TABLE: readonly (readonly [VendorRefusal, string, string])[] = [
  [
    REFUSALS.malformed,
    "mj-0002",
    "Malformed JSON, please review the syntax and properties types.",
  ],
  [REFUSALS.missing("To"), "mj-0003", "Missing mandatory property."],
  [REFUSALS.wrongType("From", "emailIn"), "mj-0004", 'Type mismatch. Expected type "emailIn".'],
  [
    REFUSALS.notAllowed("TrackOpens", { value: "yes", allowed: ["disabled", "enabled"] }),
    "mj-0005",
    'Value "yes" is invalid. Allowed values are: disabled, enabled.',
  ],
  [
    REFUSALS.tooLong("Subject", 255),
    "mj-0006",
    "Characters limit exceeded for the property. Max allowed - 255.",
  ],
  [REFUSALS.tooLarge(15 * 1024 ** 2), "mj-0011", "Input payload must be less than 15MB."],
  [REFUSALS.badAddress("From.Email", "x"), "mj-0013", '"x" is an invalid email address.'],
  [
    REFUSALS.noContent,
    "send-0003",
    'At least "HTMLPart", "TextPart" or "TemplateID" must be provided.',
  ],
];
for (const [refusal, code, message] of TABLE) {
  Deno.test(`${code} has the vendor's message`, () => {
    assertEquals([refusal.code, refusal.message], [code, message]);
  });
}
