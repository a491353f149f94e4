/** Names that are no valid Unicode: JSON may have half of a surrogate pair. */
import { assertEquals } from "@std/assert";
import { startService } from "../support/service.ts";

/** Half of a pair, which has no form in an address. */
const NAME = "\ud800.png";

Deno.test("files may have names that are no valid Unicode", async (t) => {
  await using service = await startService();
  const post = async (path: string, body: unknown): Promise<[number, string]> => {
    const response = await fetch(`${service.ingress.url}${path}`, {
      method: "POST",
      headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.text()];
  };
  await t.step("SendGrid, and the checks of the mail", async () => {
    const content = btoa("x");
    const picture = { content, filename: NAME, content_id: NAME, disposition: "inline" };
    const [status, text] = await post("/v3/mail/send", {
      personalizations: [{ to: [{ email: "to@example.com" }] }],
      from: { email: "from@example.com" },
      subject: "x",
      content: [{ type: "text/html", value: "<p>x</p>" }],
      attachments: [picture],
    });
    assertEquals(status, 202, text);
    const [event] = service.events.list({ type: "mail.message" });
    const { checks } = await service.getJson<{ checks: { id: string }[] }>(
      `/events/${event!.id}/checks`,
    );
    assertEquals(checks.some(({ id }) => id === "mail.image_unused"), true);
  });
  await t.step("Slack", async () => {
    const [, asked] = await post("/api/files.getUploadURLExternal", { filename: NAME, length: 1 });
    const { ok, upload_url, file_id } = JSON.parse(asked);
    assertEquals(ok, true, asked);
    const sent = await fetch(upload_url, { method: "POST", body: "x" });
    assertEquals(sent.status, 200, await sent.text());
    const [status, text] = await post("/api/files.completeUploadExternal", {
      files: [{ id: file_id }],
      channel_id: "C0STANDIN1",
    });
    assertEquals([status, JSON.parse(text).ok], [200, true], text);
  });
  await t.step("Discord", async () => {
    const form = new FormData();
    const attachments = [{ id: 0, filename: NAME }];
    form.append("payload_json", JSON.stringify({ content: "x", attachments }));
    form.append("files[0]", new Blob(["x"]), "a.png");
    const path = "/api/webhooks/1234567890123456789/token?wait=true";
    const response = await fetch(`${service.ingress.url}${path}`, { method: "POST", body: form });
    assertEquals(response.status, 200, await response.text());
  });
  assertEquals(service.log, []);
});
