/**
 * Names of inherited properties are treated like any other: none finds a member of the prototype.
 */
import { assert, assertEquals } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";

const NAME = "constructor";
const MAILGUN = { authorization: `Basic ${btoa("api:key")}` };
const BOT = "bot123:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";
const MESSAGES = `/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`;

/** Sends a request, with a form if given, and returns status and text. */
async function ask(
  service: TestService,
  path: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.endpoint("mail2").url}${path}`, {
    headers,
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });
  return { status: response.status, text: await response.text() };
}

Deno.test("a sender, a filter, an entity, a coding and a colour may be called constructor", async (t) => {
  await using service = await startService();
  const newest = async <T>(path: string): Promise<T> => {
    const [event] = await service.getJson<{ id: string }[]>("/events?limit=1");
    return await service.getJson<T>(`/events/${event!.id}${path}`);
  };

  await t.step("a sender of text messages", async () => {
    const form = { To: "+15558675310", From: NAME, Body: "Hi" };
    const { status, text } = await ask(service, MESSAGES, { form });
    assertEquals(status, 201, text);
  });

  await t.step("a filter of a list", async () => {
    const mail = { from: "a@example.org", to: "b@example.org", subject: "x", text: "x" };
    await ask(service, "/v3/d.example/messages", { form: mail, headers: MAILGUN });
    const { status, text } = await ask(service, `/v3/d.example/events?${NAME}=x`, {
      headers: MAILGUN,
    });
    assertEquals(status, 200, text);
    assert(JSON.parse(text).items.length > 0);
  });

  await t.step("an entity of a formatted text", async () => {
    const form = { chat_id: "1", text: `a &${NAME}; b`, parse_mode: "HTML" };
    const { text } = await ask(service, `/${BOT}/sendMessage`, { form });
    assertEquals(JSON.parse(text).result.text, `a &${NAME}; b`);
  });

  await t.step("a content coding", async () => {
    const headers = { "content-encoding": NAME };
    const { status, text } = await ask(service, "/hook/a", { form: { a: "b" }, headers });
    assertEquals(status, 400);
    assert(text.includes("expected gzip, deflate, br or identity"), text);
  });

  await t.step("a colour, a property and a function of a style", async () => {
    const html = `<p style="color:${NAME};${NAME}:${NAME}(${NAME})">x</p><a href="">y</a>`;
    const form = { from: "a@example.org", to: "b@example.org", subject: "x", html };
    await ask(service, "/v3/d.example/messages", { form, headers: MAILGUN });
    const { checks } = await newest<{ checks: { id: string }[] }>("/checks");
    assert(checks.some(({ id }) => id === "mail.link_empty"), JSON.stringify(checks));
  });
  assertEquals(service.log, []);
});
