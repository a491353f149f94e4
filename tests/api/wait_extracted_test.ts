/** A wait returns the same from a plugin's list and from the list of all events. */
import { assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { push } from "../../plugins/push/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const TEXT = "Your code is 482913: https://example.com/in?token=a1b2c3";
const EXTRACTED = {
  codes: ["482913"],
  links: ["https://example.com/in?token=a1b2c3"],
  tokens: ["a1b2c3"],
};
const json = { "content-type": "application/json", authorization: "Bearer SG.x" };

/** How to send an event to each plugin with text. */
const SENT: Readonly<Record<string, readonly [path: string, init: RequestInit]>> = {
  mail: ["/v3/mail/send", {
    headers: json,
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "a@example.com" }] }],
      from: { email: "b@example.com" },
      subject: "Hello",
      content: [{ type: "text/plain", value: TEXT }],
    }),
  }],
  sms: ["/2010-04-01/Accounts/AC0123456789abcdef0123456789abcdef/Messages.json", {
    headers: { authorization: `Basic ${btoa("AC0123456789abcdef0123456789abcdef:t")}` },
    body: new URLSearchParams({ To: "+15005550006", From: "+15005550006", Body: TEXT }),
  }],
  chat: ["/webhookb2/1@2/IncomingWebhook/3/4", {
    headers: json,
    body: JSON.stringify({ text: TEXT }),
  }],
  push: ["/v1/projects/demo/messages:send", {
    headers: json,
    body: JSON.stringify({
      message: { token: "a".repeat(100), notification: { title: "Hello", body: TEXT } },
    }),
  }],
};

async function listed(service: TestService, path: string): Promise<Record<string, unknown>> {
  return (await service.getJson<Record<string, unknown>[]>(path))[0]!;
}

for (const [plugin, [path, init]] of Object.entries(SENT)) {
  Deno.test(`a wait on the list of ${plugin} returns extracted text, like one on all events`, async () => {
    await using service = await startService({ plugins: [mail, sms, chat, push, hl7] });
    const response = await fetch(`${service.ingress.url}${path}`, { method: "POST", ...init });
    await response.body?.cancel();
    assertEquals(response.ok, true);
    for (const query of ["wait=1&has=link", "count=1", "timeout=1s&has=code"]) {
      const own = await listed(service, `/${plugin}/messages?${query}`);
      assertEquals(own.extracted, EXTRACTED, query);
      const all = await listed(service, `/events?plugin=${plugin}&${query}`);
      assertEquals(all.extracted, EXTRACTED, query);
    }
    const waited = await listed(service, `/events/wait?plugin=${plugin}&has=link`);
    assertEquals(waited.extracted, EXTRACTED);
    assertEquals("extracted" in await listed(service, `/${plugin}/messages`), false);
  });
}
