import { assertEquals, assertStringIncludes } from "@std/assert";
import { sms } from "../../plugins/sms/mod.ts";
import { browserTest, type Stage } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

/** 1 by 1 pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Fields = readonly (readonly [name: string, value: string])[];

/** Sends a message and returns its event id. */
async function send(
  service: TestService,
  body: string,
  { to = "+15558675310", from = "+15017122661", more = [] }: {
    to?: string;
    from?: string;
    more?: Fields;
  } = {},
): Promise<string> {
  const fields = [["To", to], ["From", from], ["Body", body], ...more];
  const url = `${service.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`;
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields.map(([name = "", value = ""]) => [name, value])),
  });
  const answer = await response.text();
  assertEquals(response.status, 201, answer);
  return response.headers.get("x-service-event-url")!.split("/").at(-1)!;
}

const rows = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .row-title").allInnerTexts();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `messages form conversations by number pair, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      await send(service, "one");
      await send(service, "two", { to: "+4915112345678", from: "Acme" });
      await send(service, "three");
      await open("/ui/sms/");
      await page.locator(".row").first().waitFor();
      assertEquals(await rows(stage), ["+15558675310", "+4915112345678"]);
      assertStringIncludes(await page.locator(".row").first().innerText(), "2\nunread");
      await page.click(".row .row-button");
      assertEquals(await page.locator(".sms-body").allInnerTexts(), ["one", "three"]);
      assertStringIncludes(await page.locator(".sms-head").innerText(), "2 messages · 2 segments");
      await until(`document.querySelectorAll(".row .badge").length === 1`);
      // Live, in the open conversation, and in a new one.
      await send(service, "four");
      await send(service, "five", { to: "+33612345678" });
      await until(`document.querySelectorAll(".sms-body").length === 3`);
      assertEquals(await rows(stage), ["+33612345678", "+15558675310", "+4915112345678"]);
      assertEquals(stage.foreign, []);
    },
    { plugins: [sms], scheme },
  );
}

browserTest("segments, their ends and what forced UCS-2 are shown", async (stage) => {
  const { page, service, open } = stage;
  const id = await send(service, `${"a".repeat(80)}👋 and more`);
  await send(service, "plain");
  await open(`/ui/sms/?id=${id}`);
  await page.locator(".sms.selected").waitFor();
  const facts = await page.locator(".sms.selected .sms-facts").innerText();
  assertStringIncludes(facts, "UCS-2");
  assertStringIncludes(facts, "2 segments");
  assertEquals(await page.locator(".sms.selected .segment-end").allInnerTexts(), ["1"]);
  const before = await page.evaluate<string>(
    `document.querySelector(".sms.selected .segment-end").previousElementSibling.textContent`,
  );
  assertEquals(before, "a".repeat(67));
  assertEquals(await page.locator(".sms.selected .sms-body mark").innerText(), "👋");
  const details = await page.locator(".sms-details").innerText();
  assertStringIncludes(details, "UCS-2 because of 👋 (U+1F44B)");
  assertStringIncludes(details, "91 UTF-16 units, 67 to a segment, 43 left in the last");
  await page.click('.sms-details [aria-expanded="false"]');
  assertStringIncludes(await page.locator(".json").innerText(), "forced_by");
}, { plugins: [sms] });

browserTest("stored pictures are shown, links are not followed", async (stage) => {
  const { page, service, open, until } = stage;
  const id = await send(service, "", {
    more: [
      ["MediaUrl", `data:image/png;base64,${PIXEL}`],
      ["MediaUrl", "https://example.com/a.png"],
      ["MediaUrl", "data:text/html,<script>alert(1)</script>"],
    ],
  });
  await open(`/ui/sms/?id=${id}`);
  await until(`document.querySelector(".sms-media img")?.naturalWidth === 1`);
  assertEquals(await page.locator(".sms-media li").count(), 3);
  assertEquals(await page.locator(".sms-media img").count(), 1);
  assertEquals(
    await page.evaluate(`document.querySelector(".sms-media a.out").href`),
    "https://example.com/a.png",
  );
  assertEquals(stage.foreign, []);
}, { plugins: [sms] });

browserTest("filters narrow the conversations, and are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  await send(service, "alpha");
  await send(service, "beta ж", { to: "+4915112345678" });
  await open("/ui/sms/?encoding=UCS-2");
  await page.locator(".row").first().waitFor();
  assertEquals(await rows(stage), ["+4915112345678"]);
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".row").length === 2`);
  await page.fill('[aria-label="Search messages"]', "ALPHA");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(await rows(stage), ["+15558675310"]);
  await page.fill('[aria-label="Search messages"]', "nothing like it");
  await page.getByText("No message matches").waitFor();
}, { plugins: [sms] });

browserTest("a message is deleted after asking, and all are cleared", async (stage) => {
  const { page, service, open, until } = stage;
  const id = await send(service, "one");
  await send(service, "two");
  await open(`/ui/sms/?id=${id}`);
  await page.click(".sms-details .button.danger");
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".sms-body").length === 1`);
  assertEquals(service.events.count("sms"), 1);
  await page.click('[aria-label="Clear all messages"]');
  await page.click("dialog .button.danger");
  await page.getByText("No messages yet").waitFor();
  assertEquals(service.events.count("sms"), 0);
  assertStringIncludes(await page.locator(".howto").innerText(), "Messages.json");
}, { plugins: [sms] });

browserTest("hostile texts stay texts", async (stage) => {
  const { page, service, open } = stage;
  await send(
    service,
    "<img src=https://evil.example/x onerror=alert(1)> \u202e javascript:alert(1)",
    {
      to: "x:<img src=https://evil.example/y>",
    },
  );
  await open("/ui/sms/");
  await page.click(".row .row-button");
  const body = await page.locator(".sms-body").first().innerText();
  assertStringIncludes(body, "<img src=https://evil.example/x");
  assertStringIncludes(body, "U+202E");
  assertEquals(await page.locator(".sms-body img, .sms-body a").count(), 0);
  assertEquals(stage.foreign, []);
}, { plugins: [sms] });

browserTest("at 400 pixels one pane shows at a time, and nothing overflows", async (stage) => {
  const { page, service, open, until } = stage;
  await send(service, `${"long".repeat(60)} https://example.com/${"x".repeat(200)}`, {
    more: [["MediaUrl", `https://example.com/${"y".repeat(300)}.png`]],
  });
  await open("/ui/sms/");
  await page.click(".row .row-button");
  await page.locator(".sms-body").waitFor();
  assertEquals(await page.evaluate(`document.querySelector(".pane-list").offsetWidth`), 0);
  assertEquals(await page.evaluate(`document.documentElement.scrollWidth`), 400);
  assertEquals(
    await page.evaluate(`document.querySelector(".sms-scroll").scrollWidth <= 400`),
    true,
  );
  await page.click('[aria-label="Back to the list"]');
  await until(`document.querySelector(".pane-list").offsetWidth === 400`);
}, { plugins: [sms], width: 400 });
