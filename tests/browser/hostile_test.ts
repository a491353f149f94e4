import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail, type Stage } from "../support/browser.ts";
import { HOSTILE_HTML, KEPT_INERT } from "../support/hostile_html.ts";

browserTest("a hostile HTML mail runs nothing, loads nothing and leads nowhere", async (stage) => {
  const { page, service, open, foreign } = stage;
  const id = await sendMail(service, { subject: "Hostile", html: HOSTILE_HTML });
  await open(`/ui/mail/?id=${id}`);
  assertEquals(await page.locator("iframe").getAttribute("sandbox"), "");
  const body = page.frameLocator("iframe");
  await body.locator("#shown").waitFor();
  for (const target of ["#js", "#out", "#top", "#own", "#send"]) {
    // A click that leads nowhere must not replace the mail, either.
    await page.click("[data-tab=headers]");
    await page.click("[data-tab=html]");
    await body.locator("#shown").waitFor();
    await body.locator(target).click();
  }
  await page.click("[data-tab=headers]");
  assertEquals(foreign, []);
  assertEquals(await page.evaluate<boolean>(`"PWNED" in window`), false);
  assertStringIncludes(await page.title(), "Standin");
  assertEquals(page.url().startsWith(`${service.ui.url}/ui/mail/`), true);
  assertEquals(service.events.count(), 1);
}, { expected: KEPT_INERT });

browserTest("remote images are loaded only when the reader asks for it", async (stage) => {
  const { page, service, open, until, foreign } = stage;
  const html = `<p id="shown">x</p><img src="http://pictures.example/a.png">`;
  const id = await sendMail(service, { html });
  await open(`/ui/mail/?id=${id}`);
  await page.frameLocator("iframe").locator("#shown").waitFor();
  assertEquals(foreign, []);
  await page.click("text=Load remote images");
  await page.getByText("Remote images are loaded").waitFor();
  await until(() => foreign.length > 0);
  assertEquals(foreign, ["http://pictures.example/a.png"]);
}, { expected: KEPT_INERT });

browserTest("captured text is shown, never executed", async (stage) => {
  const { page, service, open, until, foreign } = stage;
  const markup = `<img src=x onerror="window.PWNED=1"><script>window.PWNED=1</script>`;
  const id = await sendMail(service, {
    from: `"${markup.replaceAll('"', "'")}" <evil@example.com>`,
    subject: markup,
    text: `${markup}\njavascript:alert(1) http://evil.example/x "https://evil.example/y"`,
    headers: { "X-Evil": markup },
    attachments: [{ filename: `${markup}.html`, content: btoa(markup), content_type: "text/html" }],
  });
  await open("/ui/");
  await until(`document.querySelector(".feed-title")?.textContent.includes("<script>")`);
  await open("/ui/events/?id=" + id);
  await until(`document.querySelector(".event-item h2")?.textContent.includes("onerror")`);
  await page.click(".event-more summary");
  await until(`document.querySelector(".json")?.textContent.includes("onerror")`);
  await open(`/ui/mail/?id=${id}`);
  for (const tab of ["text", "attachments", "headers", "raw", "json"]) {
    await page.click(`[data-tab=${tab}]`);
    await until(`document.querySelector(".mail-view")?.textContent.includes("onerror")`);
  }
  await page.click("[data-tab=text]");
  const links = `[...document.querySelectorAll(".plain a")].map((a) => a.href + " " + a.rel)`;
  assertEquals(await page.evaluate<string[]>(links), [
    "http://evil.example/x noopener noreferrer",
    "https://evil.example/y noopener noreferrer",
  ]);
  assertEquals(await page.evaluate<boolean>(`"PWNED" in window`), false);
  assertEquals(foreign, []);
});

browserTest(
  "control and direction characters are shown by their numbers, and isolated",
  async (stage) => {
    const { page, service, open } = stage;
    const id = await sendMail(service, {
      subject: "invoice\u202Efdp.exe \u0007 end",
      text: "a\u2066b\u009Bc\tד",
    });
    await open(`/ui/mail/?id=${id}`);
    const heading = page.locator(".mail-head h2");
    await heading.waitFor();
    assertStringIncludes(await heading.innerText(), "U+202E");
    const raw = await page.evaluate<string>(`document.querySelector(".mail-head").textContent`);
    assert(!raw.includes("\u202E"));
    await page.click("[data-tab=text]");
    const text = await page.locator(".plain").innerText();
    assertStringIncludes(text, "aU+2066bU+009Bc\t");
    const isolation = `getComputedStyle(document.querySelector(".mail-head h2 bdi")).unicodeBidi`;
    assertEquals(await page.evaluate<string>(isolation), "isolate");
  },
);

browserTest(
  "a deeply nested HTML mail does not freeze the page",
  async (stage) => {
    const { page, service, open } = stage;
    const html = "<div>".repeat(20_000) + "<p>deep</p>";
    const id = await sendMail(service, { subject: "Deep", html });
    await open(`/ui/mail/?id=${id}`);
    await page.locator("iframe").waitFor();
    await page.click("[data-tab=json]");
    await page.locator(".json").first().waitFor();
    await openHeaders(stage);
  },
  { expected: KEPT_INERT },
);

async function openHeaders({ page }: Stage): Promise<void> {
  await page.click("[data-tab=headers]");
  await page.locator(".view-headers").waitFor();
}

browserTest("inline images of a mail are shown, whatever their names", async (stage) => {
  const { page, service, open, foreign, until } = stage;
  // One blue pixel.
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const id = await sendMail(service, {
    html: `<img id="logo" src="cid:logo@acme">`,
    attachments: [
      { filename: "lo go%.png", content: png, content_type: "image/png", content_id: "logo@acme" },
    ],
  });
  await open(`/ui/mail/?id=${id}`);
  const logo = page.frameLocator("iframe").locator("#logo");
  await logo.waitFor();
  assertEquals(await logo.evaluate((element) => element["naturalWidth"]), 1);
  await page.click("[data-tab=inline]");
  await until(`document.querySelector(".attachment img")?.naturalWidth === 1`);
  assertStringIncludes(await page.locator(".attachment").innerText(), "lo go%.png");
  assertEquals(foreign, []);
});
