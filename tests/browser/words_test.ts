import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail, sendSamples } from "../support/browser.ts";

/** Tabs whose items open beside their list, with the text of the bar above an item. */
const TABS = ["mail", "push", "hl7", "as2", "webhook", "snmp", "events"];

browserTest("the actions of an item have the same words on every tab", async (stage) => {
  const { page, service, open } = stage;
  await sendSamples(service);
  for (const tab of TABS) {
    await open(`/ui/${tab}/`);
    await page.locator(".row-button").first().click();
    await page.locator(".item-bar").waitFor();
    const words = await page.locator(".item-bar .action-text").allInnerTexts();
    const own = words.filter((word) => word !== "Download");
    assertEquals(own, ["Unread", "Pin", "Open page", "Copy address", "Delete"], tab);
  }
  await open("/ui/snmp/");
  await page.locator(".row-button").first().click();
  await page.locator(".item-bar").waitFor();
  assertEquals(await page.locator('.page-tools [aria-label="How to send"]').count(), 1);
  // Labels of parts are words, not keys.
  await open("/ui/push/");
  await page.locator(".row-button").first().click();
  const parts = await page.locator(".push-about [role=tab]").allInnerTexts();
  assert(parts.includes("Payload"), parts.join());
  await open("/ui/as2/");
  await page.locator(".row-button").first().click();
  await page.getByText("Receipt requested").waitFor();
}, { width: 1700, height: 900 });

browserTest(
  "tabs that do not fit show that there are more, and are reached by the arrow keys",
  async (stage) => {
    const { page, service, open, until } = stage;
    await sendSamples(service);
    await open("/ui/as2/");
    await page.locator(".row-button").first().click();
    await page.locator(".as2-body .tabs").waitFor();
    assert(
      await page.evaluate<boolean>(`(() => {
      const tabs = document.querySelector(".as2-body > .tabs");
      return tabs.scrollWidth > tabs.clientWidth &&
        getComputedStyle(tabs).backgroundImage.includes("linear-gradient");
    })()`),
    );
    await page.locator("[data-tab=document]").focus();
    await page.keyboard.press("ArrowLeft");
    await until(
      `document.querySelector('[data-tab=checks]').getAttribute("aria-selected") === "true"`,
    );
    await until(`(() => {
    const { right } = document.querySelector("[data-tab=checks]").getBoundingClientRect();
    return right <= innerWidth;
  })()`);
  },
  { width: 400, height: 850 },
);

browserTest("at 400 pixels the fields of HL7 keep their names", async ({ page, service, open }) => {
  await sendSamples(service);
  await open("/ui/hl7/");
  await page.locator(".row-button").first().click();
  await page.locator(".hl7-segments").waitFor();
  const name = page.locator(".hl7-field").first();
  assert(await name.isVisible());
  assertEquals(await name.innerText(), "Field separator");
}, { width: 400, height: 850 });

browserTest("at 900 pixels the values of HL7 have room", async ({ page, service, open }) => {
  await sendSamples(service);
  await open("/ui/hl7/");
  await page.locator(".row-button").first().click();
  await page.locator(".hl7-segments").waitFor();
  const places = `[...document.querySelectorAll(".hl7-value")].map((value) =>
    Math.round(value.getBoundingClientRect().width))`;
  const widths = await page.evaluate<number[]>(places);
  assert(widths.length > 5 && widths.every((width) => width > 120), widths.join());
}, { width: 900, height: 900 });

browserTest("at 1100 pixels the facts of a push have room", async ({ page, service, open }) => {
  await sendSamples(service);
  await open("/ui/push/");
  await page.locator(".row-button").first().click();
  await page.locator(".push-facts").waitFor();
  const widths = await page.evaluate<number[]>(
    `[...document.querySelectorAll(".push-facts dd")].map((fact) => fact.clientWidth)`,
  );
  assert(widths.length > 2 && widths.every((width) => width > 200), widths.join());
}, { width: 1100, height: 900 });

browserTest(
  "a channel has a short name, and previews their emoji and formatting",
  async (stage) => {
    const { page, service, open } = stage;
    const post = async (path: string, value: unknown): Promise<string> => {
      const headers = { authorization: "Bearer xoxb-1", "content-type": "application/json" };
      const sent = { method: "POST", headers, body: JSON.stringify(value) };
      return await (await fetch(service.ingress.url + path, sent)).text();
    };
    const posted = await post("/api/chat.postMessage", {
      channel: "#builds",
      text: "*Build* `main` :tada: <https://ci.example/1|log>",
    });
    const tenants = "11111111-1111-1111-1111-111111111111@22222222-2222-2222-2222-222222222222";
    const own = "0123456789abcdef0123456789abcdef/33333333-3333-3333-3333-333333333333";
    await post(`/webhookb2/${tenants}/IncomingWebhook/${own}`, { text: "**Disk** full" });
    const telegram = { chat_id: 42, parse_mode: "MarkdownV2", text: "*Parcel* 2026\\-1" };
    await post("/bot123456:token/sendMessage", telegram);
    await open("/ui/chat/");
    await page.locator(".row").nth(3).waitFor();
    assertEquals(await page.locator(".row .row-title").allInnerTexts(), [
      "All channels",
      "Telegram 42",
      "Teams 01234567/33333333",
      "#builds",
    ]);
    const [channels, posts] = [page.locator(".row-snippet"), page.locator(".post-text")];
    assertEquals(await channels.first().innerText(), "Parcel 2026-1");
    assertEquals(await posts.nth(2).innerText(), "Parcel 2026-1");
    assertEquals(await posts.nth(2).locator("strong").innerText(), "Parcel");
    const preview = channels.nth(2);
    assertEquals(await preview.innerText(), "Build main 🎉 log");
    assertEquals(await preview.locator("strong").innerText(), "Build");
    assertEquals(await preview.locator("a").count(), 0);
    assertEquals(await channels.nth(1).locator("strong").innerText(), "Disk");
    assertStringIncludes(await posts.first().innerText(), "🎉");
    const { channel, ts } = JSON.parse(posted);
    await post("/api/reactions.add", { channel, timestamp: ts, name: "tada" });
    await stage.until(`document.querySelector(".row-snippet").textContent === "reaction 🎉"`);
  },
);

/** Controls whose visible words are not in their name, so that people who speak commands cannot name them. */
const OTHER_WORDS = `(() => {
  const other = [];
  for (const control of document.querySelectorAll("main :is(button, a)[aria-label]")) {
    if (!control.checkVisibility() || control.closest(".row-chips")) continue;
    const words = [...control.querySelectorAll("span")]
      .filter((span) => span.checkVisibility() && !span.matches(".hidden"))
      .map((span) => span.innerText).join(" ").trim().toLowerCase();
    const name = control.getAttribute("aria-label").toLowerCase();
    if (!name.includes(words)) other.push(name + ": " + words);
  }
  return [...new Set(other)];
})()`;

browserTest(
  "the visible words of a control are part of its name",
  async ({ page, service, open, settle }) => {
    await sendSamples(service);
    const rule = { on: "hl7/mllp", outcome: "reject", match: { type: "never" } };
    const added = await fetch(`${service.api.url}/api/v1/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(rule),
    });
    assertEquals(added.status, 201, await added.text());
    const other: string[] = [];
    for (const tab of ["events", "mail", "sms", "chat", "files", "s3", "push", "as2", "faults"]) {
      await open(`/ui/${tab}/`);
      await page.locator(".row-button").first().click();
      await settle();
      other.push(...await page.evaluate<string[]>(OTHER_WORDS));
    }
    assertEquals(other, []);
  },
  { width: 1700, height: 900 },
);

browserTest("the actions of a mail do not move when it arrives", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service);
  const { promise: asked, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/v1/mail/messages/${id}`, async (route) => {
    await asked;
    await route.continue();
  });
  await open(`/ui/mail/?id=${id}`);
  const actions = page.locator(".item-bar .action");
  await actions.first().waitFor();
  const before = await actions.allInnerTexts();
  release();
  await page.locator(".mail-head").waitFor();
  assertEquals(await actions.allInnerTexts(), before);
});
