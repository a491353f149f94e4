/** Broadcasts of Resend, with its own clients. */
import { assert, assertEquals } from "@std/assert";
import { Resend } from "npm:resend@6.38.0";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { capturedBy } from "../support/mail_clients.ts";
import { startService } from "../support/service.ts";

const UNKNOWN = "5262504e-8ed7-4fac-bd16-0d4be94bc9f2";
const FROM = "Acme <news@example.com>";

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

/** Status and message of a result that must be an error. */
function refusal({ error }: {
  error: { statusCode: number | null; message: string } | null;
}): readonly unknown[] {
  return [error?.statusCode, error?.message];
}

Deno.test("resend sends a broadcast to the contacts of its segment, each in their name", async () => {
  await using running = await start();
  const { service, resend } = running;
  const { id: segmentId } = good(await resend.segments.create({ name: "Readers" }));
  const contacts = [
    { email: "ann@example.com", firstName: "Ann" },
    { email: "bob@example.com" },
    { email: "gone@example.com", unsubscribed: true },
  ];
  for (const contact of contacts) {
    good(await resend.contacts.create({ ...contact, segments: [{ id: segmentId }] }));
  }
  good(await resend.contacts.create({ email: "other@example.com" }));
  const { id } = good(
    await resend.broadcasts.create({
      segmentId,
      name: "News",
      from: FROM,
      subject: "Hello {{{FIRST_NAME|there}}}",
      html: "<p>Hi {{{contact.first_name|you}}}: {{{RESEND_UNSUBSCRIBE_URL}}}</p>",
      replyTo: ["help@example.com"],
      previewText: "News of May",
    }),
  );
  assertEquals(capturedBy(service, "mail3"), []);
  good(await resend.broadcasts.update(id, { name: "News of May" }));
  const draft = good(await resend.broadcasts.get(id));
  assertEquals([draft.status, draft.name, draft.from, draft.reply_to], [
    "draft",
    "News of May",
    FROM,
    ["help@example.com"],
  ]);
  assertEquals(good(await resend.broadcasts.send(id)).id, id);
  const events = capturedBy(service, "mail3");
  assertEquals(
    events.map(({ payload }) => [payload.to![0]!.email, payload.subject]).sort(),
    [["ann@example.com", "Hello Ann"], ["bob@example.com", "Hello there"]],
  );
  const ann = events.find(({ payload }) => payload.to![0]!.email === "ann@example.com")!;
  assert(/^<p>Hi Ann: https:\/\/unsubscribe\.resend\.com\/\?token=/.test(ann.payload.html!));
  assertEquals([ann.meta.broadcast_id, ann.meta.segment_id, ann.meta.preview_text], [
    id,
    segmentId,
    "News of May",
  ]);
  const sent = good(await resend.broadcasts.get(id));
  assertEquals([sent.status, sent.sent_at !== null, sent.segment_id], ["sent", true, segmentId]);
  assertEquals(good(await resend.broadcasts.list()).data.map(({ id, status }) => [id, status]), [
    [id, "sent"],
  ]);
  // Sent mails stay.
  const needs = "This call needs a broadcast with the status";
  assertEquals(refusal(await resend.broadcasts.send(id)), [422, `${needs} draft; it has sent.`]);
  assertEquals(refusal(await resend.broadcasts.remove(id)), [
    422,
    `${needs} draft or scheduled; it has sent.`,
  ]);
});

Deno.test("resend schedules and deletes a broadcast, and reads what is wrong with one", async () => {
  await using running = await start();
  const { service, resend } = running;
  // Not created through the API, so it counts as one from the vendor's dashboard.
  const draft = { segmentId: UNKNOWN, from: FROM, subject: "Hi", text: "Hi {{{FIRST_NAME}}}" };
  const { id } = good(await resend.broadcasts.create(draft));
  good(await resend.broadcasts.send(id, { scheduledAt: "in 1 hour" }));
  const [event, ...others] = capturedBy(service, "mail3");
  assertEquals(others, []);
  assertEquals([event!.payload.to, event!.payload.text], [undefined, "Hi {{{FIRST_NAME}}}"]);
  assertEquals([event!.meta.scheduled_at, event!.meta.parse_warnings], [
    "in 1 hour",
    [`the segment "${UNKNOWN}" is not known here`],
  ]);
  const { status, scheduled_at } = good(await resend.broadcasts.get(id));
  assertEquals([status, scheduled_at], ["scheduled", "in 1 hour"]);
  assertEquals(good(await resend.broadcasts.remove(id)).deleted, true);
  assertEquals(refusal(await resend.broadcasts.get(id)), [404, "Broadcast not found"]);

  const create = async (more: object) =>
    refusal(await resend.broadcasts.create({ ...draft, ...more }));
  assertEquals(await create({ segmentId: "" }), [422, "Missing `segment_id` field."]);
  assertEquals(await create({ from: "" }), [422, "Missing `from` field."]);
  assertEquals(await create({ subject: "" }), [422, "Missing `subject` field."]);
  assertEquals(await create({ text: "", send: true }), [422, "Missing `html` or `text` field."]);
  assertEquals(await create({ scheduledAt: "in 1 hour" }), [
    422,
    "The `scheduled_at` field can only be used when `send` is `true`.",
  ]);
  good(await resend.segments.create({ name: "Readers" }));
  assertEquals(await create({}), [404, "Segment not found"]);
  assertEquals(capturedBy(service, "mail3").length, 1);
});

const PYTHON = `
import json, sys
import resend

resend.api_key = "re_test"
resend.api_url = sys.argv[1]
segment = resend.Segments.create({"name": "Readers"})
resend.Contacts.create({"email": "ann@example.com", "segments": [{"id": segment["id"]}]})
made = resend.Broadcasts.create({
    "audience_id": segment["id"], "from": "news@example.com", "subject": "Hi {{{EMAIL}}}",
    "html": "<p>Hello</p>", "send": True, "scheduled_at": "in 1 min",
})
got = resend.Broadcasts.get(made["id"])
cancelled = resend.Broadcasts.cancel(made["id"])
copy = resend.Broadcasts.duplicate(made["id"])
listed = [one["status"] for one in resend.Broadcasts.list()["data"]]
removed = resend.Broadcasts.remove(copy["id"])
print(json.dumps([
    got["status"], got["audience_id"] == segment["id"], cancelled["id"] == made["id"], listed,
    removed["deleted"],
]))
`;

Deno.test("resend for Python schedules, cancels, copies and removes a broadcast", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using running = await start();
  const { service } = running;
  const { stdout } = await runOk(python, ["-c", PYTHON, service.ingress.url], {
    env: { NO_PROXY: "*" },
  });
  assertEquals(JSON.parse(stdout), ["scheduled", true, true, ["draft", "draft"], true]);
  const [event, ...others] = capturedBy(service, "mail3");
  assertEquals(others, []);
  assertEquals([event!.payload.subject, event!.payload.text, event!.meta.scheduled_at], [
    "Hi ann@example.com",
    "Hello",
    "in 1 min",
  ]);
});
