import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail, type Stage } from "../support/browser.ts";

for (const scheme of ["light", "dark"] as const) {
  browserTest(`every page shows what was captured, in ${scheme} colours`, async (stage) => {
    const { page, service, open } = stage;
    const id = await sendMail(service, { subject: "Welcome aboard", html: "<p>Hi</p>" });
    await (await fetch(`${service.ingress.url}/nothing-here`)).body?.cancel();
    assertEquals(await open("/ui/"), 200);
    await page.locator(".card").first().waitFor();
    assertStringIncludes(await page.locator(".feed").innerText(), "Welcome aboard");
    assertEquals(
      await ground(stage),
      scheme === "light" ? "rgb(255, 255, 255)" : "rgb(19, 22, 27)",
    );
    assertEquals(await open("/ui/events/"), 200);
    assertStringIncludes(await page.locator(".list").innerText(), "Welcome aboard");
    assertEquals(await open(`/ui/events/${id}`), 200);
    await page.getByText("mail.message").first().waitFor();
    assertEquals(await open("/ui/mail/"), 200);
    assertStringIncludes(await page.locator(".list").innerText(), "Welcome aboard");
    assertEquals(await open("/ui/rejected/"), 200);
    assertStringIncludes(await page.locator(".list").innerText(), "GET /nothing-here");
    assertEquals(stage.foreign, []);
  }, { scheme });
}

async function ground({ page }: Stage): Promise<string> {
  return await page.evaluate<string>(
    `getComputedStyle(document.querySelector(".content")).backgroundColor`,
  );
}

browserTest("the color scheme can be chosen, and is remembered", async (stage) => {
  const { page, open } = stage;
  await open("/ui/");
  await page.click('[aria-label="Theme: system"]');
  assertEquals(await ground(stage), "rgb(255, 255, 255)");
  await page.click('[aria-label="Theme: light"]');
  assertEquals(await ground(stage), "rgb(19, 22, 27)");
  await open("/ui/events/");
  assertEquals(await ground(stage), "rgb(19, 22, 27)");
});

browserTest(
  "an unknown event gets a page that says so, with status 404",
  async ({ page, open }) => {
    assertEquals(await open("/ui/events/0123456789abcdef01234567"), 404);
    await page.getByText("It was deleted, or replaced").first().waitFor();
  },
  { expected: /status of 404/ },
);

browserTest("an unknown page says so, with status 404", async ({ page, open }) => {
  assertEquals(await open("/ui/nowhere/"), 404);
  await page.getByText("Page not found").first().waitFor();
}, { expected: /status of 404/ });

browserTest("an event page shows payload, meta, raw bytes and headers", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service, { subject: "Raw", text: "körper" });
  await open(`/ui/events/${id}`);
  await page.click(".event-more summary");
  await page.locator(".json").first().waitFor();
  assertStringIncludes(await page.locator(".json").innerText(), '"Raw"');
  await page.click(".event-more [data-tab=raw]");
  assertStringIncludes(await page.locator(".bytes").innerText(), '"text":"körper"');
  await page.click("[data-tab=hex]");
  assertStringIncludes(await page.locator(".hex").innerText(), "00000000  7b 22");
  await page.click(".event-more [data-tab=headers]");
  assertStringIncludes(await page.locator(".event-more .headers").innerText(), "Bearer key");
  await page.click("text=Copy as curl");
  const command = await page.evaluate<string>("navigator.clipboard.readText()");
  assertStringIncludes(command, `curl '${service.ingress.url}/emails'`);
  assertStringIncludes(command, "-H 'authorization: Bearer key'");
  await page.click("text=Open in Mail");
  await page.locator(".mail-detail h2").waitFor();
  assertEquals(await page.locator(".mail-detail h2").innerText(), "Raw");
});

browserTest("an event deleted elsewhere is replaced by a notice", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service);
  await open(`/ui/events/${id}`);
  await page.locator(".event-item h2").waitFor();
  await fetch(`${service.api.url}/api/v1/events/${id}`, { method: "DELETE" });
  await page.getByText("Event no longer held").first().waitFor();
});

browserTest("filters of the event list are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  await sendMail(service, { subject: "Alpha" });
  await sendMail(service, { subject: "Beta" });
  await open("/ui/events/?search=ALPH");
  await page.locator(".row").first().waitFor();
  assertEquals(await page.locator(".row").count(), 1);
  await page.fill('[aria-label="Search"]', "beta");
  await until(`location.search === "?search=beta"`);
  await until(`document.querySelector(".row")?.innerText.includes("Beta")`);
  await page.reload();
  await until(`document.querySelector(".row")?.innerText.includes("Beta")`);
  assertEquals(await page.locator(".row").count(), 1);
  await open("/ui/events/?provider=smtp");
  await page.getByText("No matching events").waitFor();
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".row").length === 2`);
});

browserTest("rejected requests show why, what was received, and can be cleared", async (stage) => {
  const { page, service, open, until } = stage;
  const refused = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer key" },
    body: "{broken",
  });
  await refused.body?.cancel();
  await open("/ui/");
  assertEquals(await page.locator('.nav-item[href="/ui/rejected/"] .badge').innerText(), "1\nnew");
  await page.click('.nav-item[href="/ui/rejected/"]');
  await page.click(".row-button");
  assertStringIncludes(await page.locator(".bytes").innerText(), "{broken");
  assert((await page.locator(".reason").innerText()).length > 10);
  await (await fetch(`${service.ingress.url}/second`)).body?.cancel();
  await until(`document.querySelectorAll(".row").length === 2`);
  await page.click('[aria-label="Clear"]');
  assertStringIncludes(await page.locator("dialog").innerText(), "Clear 2 rejected requests?");
  await page.click("dialog .danger");
  await page.getByText("No rejected requests").waitFor();
  assertEquals(service.rejected.count, 0);
});

browserTest("an empty service says how to send, on the live ports", async (stage) => {
  const { page, service, open } = stage;
  await open("/ui/");
  await page.getByText("Nothing captured yet").waitFor();
  await open("/ui/mail/");
  await page.getByText("No mail yet").waitFor();
  await page.click(".howto [data-tab=mail3]");
  assertStringIncludes(await page.locator(".howto").innerText(), service.ingress.url);
  await page.click(".snippet button");
  const code = await page.evaluate<string>("navigator.clipboard.readText()");
  assertStringIncludes(code, service.ingress.url);
});

browserTest("a page that fails to render says so, and does not affect others", async (stage) => {
  const { page, open, newPage, service } = stage;
  await open("/ui/");
  // The second page receives its frames from the first: this one is not from a service.
  const other = await newPage();
  await other.goto(`${service.ui.url}/ui/events/`);
  await other.getByText("Nothing captured yet").waitFor();
  await page.evaluate(`new BroadcastChannel("standin.stream").postMessage({
    name: "captured",
    data: { id: "x", plugin: "mail", provider: "smtp", type: "t", summary: "s", received_at: "r",
      summary_parts: { title: { not: "text" } } },
  })`);
  await other.getByText("This page cannot be shown").waitFor();
  await other.click('.nav-item[href="/ui/rejected/"]');
  await other.getByText("No rejected requests").waitFor();
});

browserTest("a rejected request is shown with the vendor it was sent to", async (stage) => {
  const { page, service, open } = stage;
  const refused = await fetch(`${service.ingress.url}/v3/mail/send`, { method: "POST" });
  await refused.body?.cancel();
  const [record] = service.rejected.list();
  await open(`/ui/rejected/?id=${record!.id}`);
  await page.locator(".facts").getByText("SendGrid (mail2)").waitFor();
  assertStringIncludes(await page.locator(".event-row").innerText(), "SendGrid (mail2)");
});
