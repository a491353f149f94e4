import { assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

const HTML = `<html>
<body style="display:grid"><p>Dear {{ name }}, your invoice is ready.</p>
<img src="x" onerror="document.title='run'"></body></html>`;

browserTest("the Checks tab counts findings and marks their places", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service, { subject: "Invoice", html: HTML, text: "Your invoice" });
  await open(`/ui/mail/?id=${id}&view=checks`);
  await page.locator(".findings li").first().waitFor();
  const first = page.locator(".finding").first();
  assertStringIncludes(await first.innerText(), "mail.placeholder");
  assertEquals(await first.locator("mark").innerText(), "{{ name }}");
  const { count } = await service.getJson<{ count: number }>(`/events/${id}/checks`);
  assertEquals(await page.locator('[data-tab="checks"] .tab-count').innerText(), `${count}`);
  // Captured text stays text.
  assertEquals(await page.locator(".findings img").count(), 0);
  assertEquals(await page.evaluate<string>("document.title") === "run", false);

  const outlook = page.locator('.client-score[aria-label*="Outlook, Windows:"]');
  await outlook.waitFor();
  await outlook.click();
  await page.locator(".client-lacks").waitFor();
  assertStringIncludes(await page.locator(".client-lacks").innerText(), "display:grid");
  assertEquals(stage.foreign, []);
});

browserTest("the tab of checks is visible with its number on a small screen", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service, { subject: "Invoice", html: HTML, text: "Your invoice" });
  await open(`/ui/mail/?id=${id}&view=checks`);
  await page.locator('[data-tab="checks"] .tab-count').waitFor();
  // Scrolling happens after rendering.
  await stage.until(`(() => {
    const tab = document.querySelector('[data-tab="checks"]');
    const { right } = tab.parentElement.getBoundingClientRect();
    return tab.getBoundingClientRect().right <= right + 1;
  })()`);
}, { width: 400 });

browserTest("a finding links to its place in the source, by keyboard, and back", async (stage) => {
  const { page, service, open, until } = stage;
  const html = `<html lang="en">\n${"<p>A line of text.</p>\n".repeat(300)}${
    HTML.replace("<html>", "")
  }`;
  const id = await sendMail(service, { subject: "Invoice", html, text: "Your invoice" });
  await open(`/ui/mail/?id=${id}&view=checks`);
  const place = page.locator('.finding:has-text("mail.placeholder") button.finding-place');
  await place.focus();
  await page.keyboard.press("Enter");
  const mark = page.locator("mark.finding-mark.current");
  await mark.waitFor();
  assertEquals(await mark.innerText(), "{{ name }}");
  // Focus and scrolling happen after rendering.
  await until("document.activeElement?.matches('mark.current') === true");
  const isVisible = await page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector("mark.current").getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  })()`);
  assertEquals(isVisible, true);
  assertStringIncludes(await page.locator(".finding-bar").innerText(), "mail.placeholder");
  await page.locator('[aria-label="Next finding"]').click();
  await page.locator('.finding-bar:not(:has-text("mail.placeholder"))').waitFor();
  assertEquals(await mark.innerText() === "{{ name }}", false);
  // Going back returns to the first place, and then to the findings.
  await page.goBack();
  await page.goBack();
  await place.waitFor();
  assertEquals(await page.evaluate<string>("document.title") === "run", false);
});

browserTest("a finding of something missing leads to where it belongs", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service, { subject: "Invoice", html: HTML });
  await open(`/ui/mail/?id=${id}&view=checks`);
  const finding = page.locator('.finding:has-text("mail.text_part")');
  await finding.locator("mark.missing").waitFor();
  await finding.locator("button.finding-place").click();
  const mark = page.locator("mark.finding-mark.missing.current");
  await mark.waitFor();
  const follows = await page.evaluate<string>(
    "document.querySelector('mark.current').nextSibling.textContent",
  );
  assertStringIncludes(follows, "<html>");
});

browserTest("findings of a text message lead to its sender and its end", async (stage) => {
  const { page, service, open } = stage;
  const id = await post(
    service,
    "/2010-04-01/Accounts/AC1/Messages.json",
    new URLSearchParams({ To: "+15558675310", From: "Shop", Body: `Shop ${"a".repeat(160)}` }),
  );
  await open(`/ui/sms/?id=${id}`);
  await page.locator('.finding:has-text("sms.sender_country") button.finding-place').click();
  const mark = page.locator("mark.finding-mark.current");
  await mark.waitFor();
  assertEquals(await page.locator('.source:has(mark.current)[aria-label="from"]').count(), 1);
  assertEquals(await mark.innerText(), "Shop");
  await page.locator('.finding:has-text("sms.segments") button.finding-place').click();
  await page.locator('.finding-bar:has-text("sms.segments")').waitFor();
  assertEquals(await mark.innerText(), "a".repeat(12));
});

browserTest("a finding of an HL7 message links to its segment", async ({ page, service, open }) => {
  const text = "MSH|^~\\&|A|B|C|D|20260131120000||ADT^A01|1|P|2.5.1\r" +
    "EVN||20260131120000\rPID|1||1||Doe^Jane||19991399\rPV1|1|I\r";
  const { hostname, port } = service.endpoint("mllp");
  using conn = await Deno.connect({ hostname, port });
  await conn.write(new TextEncoder().encode(`\x0b${text}\x1c\r`));
  await conn.read(new Uint8Array(1024));
  const { id } = await service.waitFor("hl7.message");
  await open(`/ui/hl7/?id=${id}`);
  await page.locator('[data-tab="checks"]').click();
  await page.locator('button.finding-place:has-text("PID[1]-7")').click();
  const line = page.locator(".hl7-line.marked");
  await line.waitFor();
  assertStringIncludes(await line.innerText(), "PID|1||1");
  assertEquals(await line.locator("mark").innerText(), "19991399");
});

browserTest("a finding of a trap links to its binding", async ({ page, service, open }) => {
  // linkDown of version 1, whose ifIndex.2 has the value 3.
  const oid = "06 0a 2b 06 01 02 01 02 02 01 01 02";
  const bindings = `30 11 30 0f ${oid} 02 01 03`;
  const pdu = `06 04 2b 06 01 04 40 04 7f 00 00 01 02 01 02 02 01 00 43 01 05 ${bindings}`;
  const datagram = `30 35 02 01 00 04 06 73 33 63 72 65 74 a4 28 ${pdu}`;
  const { hostname, port } = service.endpoint("trap");
  const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 });
  const bytes = Uint8Array.fromHex(datagram.replaceAll(" ", ""));
  await socket.send(bytes, { transport: "udp", hostname, port });
  socket.close();
  const { id } = await service.waitFor("snmp.trap");
  await open(`/ui/events/${id}`);
  await page.locator('[data-tab="checks"]').click();
  await page.locator('.finding:has-text("snmp.instance") button.finding-place').click();
  const row = page.locator(".varbinds tr.marked");
  await row.waitFor();
  assertStringIncludes(await row.innerText(), "ifIndex.2");
});

/** Sends a request to the ingress, and returns the id of its event. */
async function post(service: TestService, path: string, body: BodyInit): Promise<string> {
  const headers: HeadersInit = typeof body === "string"
    ? { "content-type": "application/json" }
    : {};
  const response = await fetch(`${service.ingress.url}${path}`, { method: "POST", body, headers });
  const answer = await response.text();
  assertEquals(response.ok, true, answer);
  return response.headers.get("x-service-event-url")!.split("/").at(-1)!;
}

browserTest("findings of a text message lead to its text", async ({ page, service, open }) => {
  const id = await post(
    service,
    "/2010-04-01/Accounts/AC1/Messages.json",
    new URLSearchParams({
      To: "+447700900123",
      From: "+447700900999",
      Body: "Hi {{name}},\nsee http://localhost/<img src=x>",
    }),
  );
  await open(`/ui/sms/?id=${id}`);
  await page.locator('.finding:has-text("sms.private_link") button.finding-place').click();
  const mark = page.locator("mark.finding-mark.current");
  await mark.waitFor();
  assertEquals(await mark.innerText(), "http://localhost/");
  await page.locator('[aria-label="Previous finding"]').click();
  await page.locator('.finding-bar:has-text("sms.placeholder")').waitFor();
  assertEquals(await mark.innerText(), "{{name}}");
  assertEquals(await page.locator(".sms-details img").count(), 0);
});

browserTest("findings of a chat message lead to its contents", async ({ page, service, open }) => {
  const row = { type: 1, components: [{ type: 2, style: 5, label: "Open {{order}}" }] };
  const id = await post(
    service,
    "/api/webhooks/123456789012345678/token?wait=true&with_components=true",
    JSON.stringify({ content: "Look, @here", components: [row] }),
  );
  await open(`/ui/chat/?id=${id}`);
  await page.click('.post [aria-label="JSON"]');
  await page.locator('button.finding-place:has-text("components components[0].components[0]")')
    .click();
  const mark = page.locator("mark.finding-mark.current");
  await mark.waitFor();
  assertEquals(await mark.innerText(), "{");
  const open_ = page.locator(
    '.findings .finding:has-text("chat.placeholder") button.finding-place',
  );
  await open_.click();
  await page.locator('.finding-bar:has-text("chat.placeholder")').waitFor();
  assertEquals(await mark.innerText(), "{{order}}");
  await page.locator('.findings .finding:has-text("chat.mention_silent") button.finding-place')
    .click();
  await page.locator('.finding-bar:has-text("chat.mention_silent")').waitFor();
  assertEquals(await mark.innerText(), "@here");
  // The same on the page of the event, without a click.
  await open(`/ui/events/${id}`);
  await page.locator('.event-item button.finding-place:has-text("text")').first().click();
  await mark.waitFor();
});

browserTest("findings of a push lead to its payload", async ({ page, service, open }) => {
  const message = { token: "abc", notification: { title: "Hi", body: "Dear {{name}}" } };
  const id = await post(service, "/v1/projects/p/messages:send", JSON.stringify({ message }));
  await open(`/ui/push/?id=${id}`);
  await page.locator('[data-tab="checks"]').click();
  await page.locator('.finding:has-text("push.placeholder") button.finding-place').click();
  const mark = page.locator("mark.finding-mark.current");
  await mark.waitFor();
  assertEquals(await mark.innerText(), "{{name}}");
  assertStringIncludes(await page.locator(".finding-bar").innerText(), "push.placeholder");
});

browserTest("an event without findings has a quiet Checks tab", async ({ page, service, open }) => {
  const id = await sendMail(service, { subject: "Hello", text: "See you at ten" });
  await open(`/ui/mail/?id=${id}&view=checks`);
  await page.getByText("No findings.").first().waitFor();
  assertEquals(await page.locator('[data-tab="checks"] .tab-count').count(), 0);
  await open(`/ui/events/${id}`);
  await page.locator(".event-more").waitFor();
  assertEquals(await page.locator(".event-more .item-badge").count(), 0);
});

browserTest(
  "the open tab is in view on a narrow screen",
  async ({ page, service, open, until }) => {
    const id = await sendMail(service, { subject: "Invoice", html: HTML, text: "Your invoice" });
    await open(`/ui/mail/?id=${id}&view=checks`);
    await page.locator(".findings li").first().waitFor();
    await until(`(() => {
    const { left, right } = document.querySelector('[data-tab="checks"]').getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
  })()`);
  },
  { width: 400 },
);
