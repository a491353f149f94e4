import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail } from "../support/browser.ts";
import { startService } from "../support/service.ts";

browserTest("a new mail appears live; selection, scroll and title keep up", async (stage) => {
  const { page, service, open, until } = stage;
  for (let i = 0; i < 30; i++) await sendMail(service, { subject: `Mail ${i}` });
  await open("/ui/mail/");
  await until(`document.querySelectorAll(".row").length === 30`);
  await until(`document.title === "(30) Mail · Standin"`);
  await page.getByText("Mail 15", { exact: true }).click();
  await until(`document.querySelector(".mail-head h2")?.textContent === "Mail 15"`);
  await until(`document.title === "(29) Mail · Standin"`);
  const place = `document.querySelector(".row.selected").getBoundingClientRect().top`;
  const before = await page.evaluate<number>(place);
  assert(await page.evaluate<number>(`document.querySelector(".list-box").scrollTop`) > 0);
  await sendMail(service, { subject: "Brand new" });
  await until(`document.querySelectorAll(".row").length === 31`);
  assertEquals(
    await page.locator(".row").first().locator(".mail-subject").innerText(),
    "Brand new",
  );
  assertEquals(await page.evaluate<number>(place), before);
  assertEquals(await page.locator(".mail-head h2").innerText(), "Mail 15");
  await until(`document.title === "(30) Mail · Standin"`);
});

browserTest("changes elsewhere show here: reading, deleting, clearing", async (stage) => {
  const { page, service, open, until, newPage, settle } = stage;
  const id = await sendMail(service, { subject: "One" });
  await sendMail(service, { subject: "Two" });
  await open("/ui/mail/");
  await until(`document.querySelectorAll(".mail-row.unread").length === 2`);
  const other = await newPage();
  await other.goto(`${service.ui.url}/ui/mail/?id=${id}`);
  await until(`document.querySelectorAll(".mail-row.unread").length === 1`);
  // The other page's pending requests must not fail.
  await settle();
  await fetch(`${service.api.url}/api/v1/mail/messages/${id}`, { method: "DELETE" });
  await until(`document.querySelectorAll(".row").length === 1`);
  await fetch(`${service.api.url}/api/v1/mail/messages`, { method: "DELETE" });
  await page.getByText("No mail yet").waitFor();
});

browserTest("the inbox works by keyboard", async (stage) => {
  const { page, service, open, until } = stage;
  for (const subject of ["Three", "Two", "One"]) await sendMail(service, { subject });
  await open("/ui/");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await until(
    `location.pathname === "/ui/mail/" && document.querySelectorAll(".row").length === 3`,
  );
  const heading = (text: string) =>
    `document.querySelector(".mail-head h2")?.textContent === "${text}"`;
  await page.keyboard.press("j");
  await until(heading("One"));
  await page.keyboard.press("j");
  await until(heading("Two"));
  await page.keyboard.press("G");
  await until(heading("Three"));
  await page.keyboard.press("k");
  await until(heading("Two"));
  await page.keyboard.press("u");
  await until(`document.querySelectorAll(".mail-row.unread").length === 1`);
  await page.keyboard.press("?");
  assertStringIncludes(await page.locator("dialog").innerText(), "Delete, after confirmation");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "hidden" });
  await until(heading("Two"));
  await page.keyboard.press("Escape");
  await page.getByText("No message selected").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("jjgm?");
  await until(`location.search === "?search=jjgm%3F"`);
  await page.keyboard.press("Escape");
});

browserTest(
  "nothing is deleted before the reader confirms the count",
  async (stage) => {
    const { page, service, open, until } = stage;
    for (const subject of ["Three", "Two", "One"]) await sendMail(service, { subject });
    await open("/ui/mail/");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("j");
    await page.locator(".mail-head").waitFor();
    await page.keyboard.press("#");
    assertStringIncludes(await page.locator("dialog").innerText(), "“One” is deleted");
    // The default answer keeps it.
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "hidden" });
    assertEquals(service.events.count(), 3);
    await page.keyboard.press("#");
    await page.click("dialog .danger");
    await until(`document.querySelectorAll(".row").length === 2`);
    await until(`document.querySelector(".mail-head h2")?.textContent === "Two"`);
    await page.click('[aria-label="Clear all messages"]');
    assertStringIncludes(await page.locator("dialog").innerText(), "Clear 2 messages?");
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "hidden" });
    assertEquals(service.events.count(), 2);
    await page.click('[aria-label="Clear all messages"]');
    await page.click("dialog .danger");
    await page.getByText("No mail yet").waitFor();
    assertEquals(service.events.count(), 0);
  },
);

browserTest("inbox filters are kept in the URL and apply to new mail", async (stage) => {
  const { page, service, open, until } = stage;
  await sendMail(service, { subject: "Plain" });
  await sendMail(service, {
    from: "Bob <bob@example.com>",
    to: ["carl@example.org", "dora@example.org"],
    subject: "With file",
    attachments: [{ filename: "a.txt", content: "YQ==" }],
  });
  const rows = (n: number) => `document.querySelectorAll(".row").length === ${n}`;
  await open("/ui/mail/");
  await until(rows(2));
  await page.click('[aria-label="Filters"]');
  await page.selectOption(".filters select >> nth=1", "true");
  await until(`location.search === "?has_attachments=true"`);
  await until(rows(1));
  await page.fill(".field input >> nth=0", "BOB");
  await page.fill(".field input >> nth=1", "dora");
  await until(`location.search === "?has_attachments=true&from=BOB&to=dora"`);
  await until(rows(1));
  await sendMail(service, { subject: "Does not fit" });
  await sendMail(service, {
    from: "Bob <bob@example.com>",
    to: "dora@example.org",
    subject: "Fits",
    attachments: [{ filename: "b.txt", content: "Yg==" }],
  });
  await until(rows(2));
  assertEquals(await page.locator(".mail-subject").allInnerTexts(), ["Fits", "With file"]);
  await page.reload();
  await until(rows(2));
  await page.click("text=Clear filters");
  await until(rows(4));
});

browserTest(
  "a message is shown whole: people, views, attachments, files to save",
  async (stage) => {
    const { page, service, open, until } = stage;
    const id = await sendMail(service, {
      from: "Acme Shop <orders@acme.example>",
      to: ["Ada Lovelace <ada@example.org>", "grace@example.org"],
      cc: ["Team <team@example.org>"],
      bcc: ["audit@example.org"],
      reply_to: "Help <help@acme.example>",
      subject: "Your order",
      text: "Plain words",
      html: `<h1 id="h">Order</h1><a href="https://acme.example/track?a=1&amp;b=2">Track</a>`,
      attachments: [{
        filename: "invoice.pdf",
        content: "JVBERg==",
        content_type: "application/pdf",
      }],
    });
    await open(`/ui/mail/?id=${id}`);
    await page.frameLocator("iframe").locator("#h").waitFor();
    const head = await page.locator(".mail-head").innerText();
    for (
      const part of [
        "Your order",
        "Acme Shop",
        "orders@acme.example",
        "Ada Lovelace",
        "grace@example.org",
        "Cc",
        "Team",
        "Bcc",
        "audit@example.org",
        "Reply-To",
        "Help",
      ]
    ) assertStringIncludes(head, part);
    await page.click("[data-tab=text]");
    assertStringIncludes(await page.locator(".plain").innerText(), "Plain words");
    await page.click("[data-tab=links]");
    const link = page.locator(".links a");
    assertEquals(await link.getAttribute("href"), "https://acme.example/track?a=1&b=2");
    await page.click("[data-tab=attachments]");
    assertMatch(
      await page.locator(".attachment").innerText(),
      /invoice\.pdf\s+4 B · application\/pdf/,
    );
    await page.click("[data-tab=raw]");
    await until(`document.querySelector(".bytes")?.textContent.includes('"subject":"Your order"')`);
    const eml = await page.locator('[aria-label="Download .eml"]').getAttribute("href");
    const saved = await fetch(service.ui.url + eml);
    assertStringIncludes(await saved.text(), "Subject: Your order");
    assertEquals(saved.headers.get("content-type"), "message/rfc822");
    await page.click("[data-tab=html]");
    await page.click('[aria-label="Phone width"]');
    const width = `document.querySelector("iframe").getBoundingClientRect().width`;
    assertEquals(await page.evaluate<number>(width), 375);
  },
);

browserTest("at 400 pixels one pane shows at a time, and nothing overflows", async (stage) => {
  const { page, service, open, until } = stage;
  const id = await sendMail(service, {
    from: `"${"Long name ".repeat(20)}" <${"a".repeat(60)}@${"b".repeat(60)}.example>`,
    to: Array.from({ length: 30 }, (_, i) => `recipient-number-${i}@example.org`),
    subject: "Averylongwordwithoutanyspace".repeat(10),
    text: "x".repeat(3000),
    html: `<table width="1200"><tr><td>wide</td></tr></table>`,
    attachments: [{ filename: `${"long-name-".repeat(15)}.txt`, content: "YQ==" }],
  });
  const fits = "document.documentElement.scrollWidth <= innerWidth";
  for (const path of ["/ui/", "/ui/events/", `/ui/events/${id}`, "/ui/mail/", "/ui/rejected/"]) {
    await open(path);
    await until(`document.querySelector("h1") !== null`);
    assert(await page.evaluate<boolean>(fits), path);
  }
  await open("/ui/mail/");
  await page.click(".row-button");
  await page.locator(".mail-head").waitFor();
  assertEquals(await page.locator(".pane-list").isVisible(), false);
  for (const tab of ["html", "text", "attachments", "headers", "raw", "json"]) {
    await page.click(`[data-tab=${tab}]`);
    assert(await page.evaluate<boolean>(fits), tab);
  }
  await page.goBack();
  await until(`document.querySelector(".on-list") !== null`);
  assertEquals(await page.locator(".pane-detail").isVisible(), false);
  await page.click('[aria-label="Menu"]');
  await page.click('.nav-item[href="/ui/events/"]');
  await until(`location.pathname === "/ui/events/"`);
  await until(`document.querySelector(".nav-shown") === null`);
}, { width: 400, height: 800 });

browserTest("two thousand mails stay fast, and only visible ones are rendered", async (stage) => {
  const { page, service, open, until } = stage;
  const COUNT = 2000;
  for (let i = 0; i < COUNT; i += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, j) => sendMail(service, { subject: `Mail ${i + j}` })),
    );
  }
  const beganMs = performance.now();
  await open("/ui/mail/");
  await page.locator(".row").first().waitFor();
  const shownMs = performance.now() - beganMs;
  assert(await page.locator(".row").count() < 100);
  // One step per frame: the duration of the slowest of 60 steps down the list.
  const scrollMs = await page.evaluate<number>(`(async () => {
    const box = document.querySelector(".list-box");
    let slowest = 0;
    for (let i = 0; i < 60; i++) {
      const began = performance.now();
      box.scrollTop += 2500;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      slowest = Math.max(slowest, performance.now() - began);
    }
    return slowest;
  })()`);
  console.log(
    `2000 mails: first rows after ${Math.round(shownMs)} ms, slowest scroll step ${
      Math.round(scrollMs)
    } ms`,
  );
  await page.keyboard.press("G");
  await until(`document.querySelector(".row.selected") !== null`);
  assertEquals(
    await page.evaluate<boolean>(`(() => {
    const row = document.querySelector(".row.selected").getBoundingClientRect();
    const box = document.querySelector(".list-box").getBoundingClientRect();
    return row.top >= box.top && row.bottom <= box.bottom + 1;
  })()`),
    true,
  );
  await sendMail(service, { subject: "On top" });
  await until(`document.querySelector(".page-count").textContent === "2,001 messages"`);
}, { config: { storage: { plugin_capacity: { mail: 2500 } } } });

browserTest("evicted mails disappear from the list", async (stage) => {
  const { page, service, open, until } = stage;
  for (const subject of ["A", "B", "C"]) await sendMail(service, { subject });
  await open("/ui/mail/");
  await until(`document.querySelectorAll(".row").length === 3`);
  await sendMail(service, { subject: "D" });
  await until(`document.querySelector(".mail-subject")?.textContent === "D"`);
  await until(`document.querySelectorAll(".row").length === 3`);
  assertEquals(await page.locator(".mail-subject").allInnerTexts(), ["D", "C", "B"]);
  assertEquals(await page.locator('.nav-item[href="/ui/events/"] .nav-count').innerText(), "3");
}, { config: { storage: { plugin_capacity: { mail: 3 } } } });

browserTest("ten open pages are live, and stay live when the first one closes", async (stage) => {
  const { page, service, open, newPage } = stage;
  await open("/ui/mail/");
  // More than the six connections that a browser opens to one host.
  const pages = [];
  for (let i = 0; i < 9; i++) {
    const another = await newPage();
    await another.goto(`${service.ui.url}/ui/mail/`);
    await another.locator(".dot.live").first().waitFor({ state: "attached" });
    pages.push(another);
  }
  await sendMail(service, { subject: "For all" });
  for (const another of pages) await another.getByText("For all").first().waitFor();
  await page.close();
  await pages[8]!.locator(".dot.live").first().waitFor({ state: "attached" });
  await sendMail(service, { subject: "Still here" });
  for (const another of pages) await another.getByText("Still here").first().waitFor();
});

browserTest(
  "a page says when the service is down, and catches up when it is back",
  async (stage) => {
    const { page, service, open, until } = stage;
    await sendMail(service, { subject: "Before" });
    await open("/ui/mail/");
    await until(`document.querySelectorAll(".row").length === 1`);
    const { port } = service.ui;
    await service.stop();
    await page.getByText("Not connected: trying again").waitFor();
    await using back = await startService({ config: { ui: { port } } });
    assertEquals(back.ui.port, port);
    await sendMail(back, { subject: "After" });
    await until(`document.querySelector(".mail-subject")?.textContent === "After"`);
    await until(`document.querySelectorAll(".row").length === 1`);
    await until(`document.querySelector(".dot.live") !== null`);
  },
  { expected: /ERR_|Failed to load/ },
);
