/** The HTML report in a browser, opened from the disk: with scripts on and off, with hostile mail in it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="../support/playwright.d.ts"
import type { Page } from "npm:playwright-core@1.65.1";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { sendMail, shareBrowser } from "../support/browser.ts";
import { clientTest } from "../support/clients.ts";
import { openDeadEnd } from "../support/dead_end.ts";
import { HOSTILE_HTML } from "../support/hostile_html.ts";
import { startService, type TestService } from "../support/service.ts";

const browser = shareBrowser("chromium-headless-shell");

interface Opened {
  readonly page: Page;
  readonly service: TestService;
  /** What the page requested from another machine or file. */
  readonly foreign: () => readonly string[];
}

interface Options {
  readonly scripts?: boolean;
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  fill(service: TestService): Promise<unknown>;
}

/** A test with a report open in a page. */
function reportTest(
  title: string,
  { scripts = true, scheme = "light", width = 1280, fill }: Options,
  look: (opened: Opened) => Promise<void>,
): void {
  clientTest(title, ["chromium-headless-shell"], async () => {
    await using service = await startService();
    await fill(service);
    const folder = await Deno.makeTempDir();
    using elsewhere = openDeadEnd();
    const context = await browser().newContext({
      proxy: { server: elsewhere.url, bypass: "<-loopback>" },
      viewport: { width, height: 900 },
      colorScheme: scheme,
      javaScriptEnabled: scripts,
    });
    try {
      const file = `${folder}/report.html`;
      const args = ["report", "--url", service.api.url, "--html", file, "--level", "info"];
      const { code, stderr } = await runToEnd(args, { plugins: STANDARD_PLUGINS });
      assertEquals([code, stderr], [0, ""]);
      const page = await context.newPage();
      // Browsers report requests before they apply a policy; only sent requests and answers count.
      const loaded: string[] = [];
      context.on("request", (request) => {
        if (/^(http|ws)s?:/.test(request.url())) elsewhere.wanted(request.url());
      });
      context.on("requestfinished", (request) => {
        const url = request.url();
        if (!url.startsWith("data:") && url !== `file://${file}`) loaded.push(url);
      });
      await page.goto(`file://${file}`);
      await look({ page, service, foreign: () => [...elsewhere.foreign, ...loaded] });
    } finally {
      await context.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
}

const demo = (service: TestService) =>
  runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });

async function expect(service: TestService, expectation: unknown): Promise<void> {
  const { body } = await fetch(`${service.api.url}/api/v1/expect`, {
    method: "POST",
    body: JSON.stringify(expectation),
  });
  await body?.cancel();
}

const ITEM = "details.item";

reportTest("the report has every item, and its search finds them", {
  async fill(service) {
    await demo(service);
    await expect(service, { name: "a fax", plugin: "sms", count: 99, timeout: 0 });
  },
}, async ({ page, service, foreign }) => {
  const all = await page.locator(ITEM).count();
  assert(all >= service.events.count() - 2 && all > 40);
  await page.getByText("1 expectation not met").waitFor();
  await page.fill("#search", "Reset your PASSWORD");
  const found = page.locator(`${ITEM}:visible`);
  assertEquals(await found.count(), 1);
  assertEquals(await page.locator("#count").textContent(), `1 of ${all}`);
  await found.locator("summary").first().click();
  await page.frameLocator(`${ITEM}[open] iframe`).locator("body").waitFor();
  await page.fill("#search", "no such item");
  assertEquals(await found.count(), 0);
  await page.fill("#search", "");
  await page.click("#only");
  const some = await found.count();
  assert(some > 0 && some < all);
  await page.click("#only");
  await page.click("#open");
  assertEquals(await page.locator(`${ITEM}[open]`).count(), all);
  await page.click("#open");
  assertEquals(await page.locator(`${ITEM}[open]`).count(), 0);
  assertEquals(foreign(), []);
});

reportTest("without scripts, every item opens and the mail is shown", {
  scripts: false,
  scheme: "dark",
  width: 400,
  fill: (service) => sendMail(service, { subject: "Hello", html: "<p id=shown>Hello, Ada.</p>" }),
}, async ({ page, foreign }) => {
  assertEquals(await page.locator("#search").isVisible(), false);
  await page.locator(`${ITEM} > summary`).click();
  await page.frameLocator("iframe").locator("text=Hello, Ada.").waitFor();
  await page.getByText("As received").click();
  await page.getByText("POST /emails").waitFor();
  const received = await page.locator(".fold[open] pre").textContent();
  assertStringIncludes(received ?? "", "authorization: Bearer …");
  assertEquals(foreign(), []);
});

const MARKUP = `</script></details><img src=http://evil.example/x onerror="window.PWNED=1">` +
  `<script>window.PWNED=1</script>"'\u202e`;

for (const scripts of [true, false]) {
  reportTest(`hostile items do nothing, with scripts ${scripts ? "on" : "off"}`, {
    scripts,
    async fill(service) {
      await sendMail(service, {
        subject: MARKUP,
        html: HOSTILE_HTML,
        attachments: [{
          filename: `../../${MARKUP}.html`,
          content: btoa("<script>window.PWNED=1</script>"),
          content_type: "text/html",
        }],
      });
      await expect(service, { name: MARKUP, type: "mail.message", match: { subject: MARKUP } });
      await expect(service, { name: `2${MARKUP}`, match: { subject: `x${MARKUP}` }, timeout: 0 });
    },
  }, async ({ page, foreign }) => {
    const url = page.url();
    const item = page.locator(ITEM);
    assertEquals(await item.count(), 1);
    await item.locator(":scope > summary").click();
    assertEquals(await page.locator("iframe").getAttribute("sandbox"), "");
    const body = page.frameLocator("iframe");
    await body.locator("#shown").waitFor();
    for (const target of ["#js", "#out", "#top", "#own", "#send"]) {
      await body.locator(target).click();
    }
    await body.locator("#shown").waitFor();
    assertEquals(page.url(), url);
    assertStringIncludes(await page.title(), "Standin report");
    const link = page.locator("a[download]");
    assertEquals(await link.count(), 1);
    assertEquals(/[/\\:*?"<>|]/.test(await link.getAttribute("download") ?? ""), false);
    const address = await link.getAttribute("href");
    assertStringIncludes(address ?? "", "data:application/octet-stream;base64,");
    if (scripts) assertEquals(await page.evaluate<boolean>(`"PWNED" in window`), false);
    assertEquals(await page.locator("main > img, .body > script").count(), 0);
    assertEquals(foreign(), []);
  });
}
