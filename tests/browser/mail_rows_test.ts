import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail, sendSamples, type Stage } from "../support/browser.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const rows = (count: number) => `document.querySelectorAll(".row").length === ${count}`;
const heading = (text: string) =>
  `document.querySelector(".mail-head h2")?.textContent === "${text}"`;

async function subjects({ page }: Stage): Promise<string[]> {
  return await page.locator(".mail-subject").allInnerTexts();
}

browserTest("fifteen rows fit in 900 pixels; they can be made taller", async (stage) => {
  const { page, service, open, until } = stage;
  for (let i = 0; i < 20; i++) await sendMail(service, { subject: `Mail ${i}` });
  await open("/ui/mail/");
  await until(rows(20));
  const whole = `[...document.querySelectorAll(".row")].filter((row) =>
    row.getBoundingClientRect().bottom <= innerHeight).length`;
  assert(await page.evaluate<number>(whole) >= 15);
  await page.click('[aria-label="Compact rows"]');
  await until(`${whole} < 12`);
  await page.reload();
  await until(rows(20));
  await until(`${whole} < 12`);
}, { width: 1440, height: 900 });

browserTest(
  "a row shows recipients, size and attachments other than inline images",
  async (stage) => {
    const { page, service, open, until } = stage;
    await sendMail(service, { subject: "Plain", to: "Ada Lovelace <ada@example.org>" });
    await sendMail(service, {
      subject: "Newsletter",
      to: ["grace@example.org", "alan@example.org", "edsger@example.org"],
      html: '<img src="cid:logo">',
      attachments: [
        { filename: "logo.png", content: PNG, content_type: "image/png", content_id: "logo" },
      ],
    });
    await sendMail(service, {
      subject: "Invoice",
      attachments: [
        { filename: "a.pdf", content: "JVBERg==" },
        { filename: "b.pdf", content: "JVBERg==" },
        { filename: "logo.png", content: PNG, content_type: "image/png", content_id: "logo" },
      ],
    });
    await open("/ui/mail/");
    await until(rows(3));
    const row = (at: number) => page.locator(".row").nth(at);
    assertStringIncludes(await row(2).innerText(), "to Ada Lovelace");
    assertStringIncludes(await row(1).innerText(), "to grace@example.org +2");
    const marks = async (at: number) => [
      await row(at).locator(".mail-paperclip").allInnerTexts(),
      await row(at).locator(".mail-image").allInnerTexts(),
    ];
    assertEquals(await marks(2), [[], []]);
    assertEquals(await row(1).locator(".mail-paperclip").count(), 0);
    assertEquals(await row(1).locator(".mail-image").getAttribute("title"), "1 inline image");
    assertEquals(await row(0).locator(".mail-paperclip").getAttribute("title"), "2 attachments");
    assertEquals(await row(0).locator(".mail-image").getAttribute("title"), "1 inline image");
    const [view] = await service.getJson<{ size: number }[]>("/mail/messages?limit=1");
    assertStringIncludes(await row(0).innerText(), `${view!.size} B`);
    assertStringIncludes(await row(0).innerText(), "Resend");
    // The message counts them separately as well.
    await row(0).locator(".row-button").click();
    await page.click("[data-tab=attachments]");
    assertEquals(await page.locator(".attachment").count(), 2);
    await page.click("[data-tab=inline]");
    assertStringIncludes(await page.locator(".attachment").innerText(), "logo.png");
    assertStringIncludes(await page.locator(".mail-people").innerText(), `${view!.size} B`);
  },
);

browserTest(
  "search terms are highlighted in the rows",
  async ({ page, service, open, until }) => {
    await sendMail(service, { subject: "Your Invoice (draft)", from: "Invoices <i@example.com>" });
    await sendMail(service, { subject: "Something else" });
    await open("/ui/mail/?search=INVOICE");
    await until(rows(1));
    assertEquals(await page.locator("mark.found").allInnerTexts(), ["Invoice", "Invoice"]);
    await page.fill('[aria-label="Search messages"]', "(draft)");
    await until(`document.querySelector("mark.found")?.textContent === "(draft)"`);
  },
);

browserTest(
  "codes and links can be copied from the row, and appear above the message",
  async (stage) => {
    const { page, service, open, until } = stage;
    await sendMail(service, { subject: "Nothing", text: "Hello" });
    await sendMail(service, { subject: "Code", text: "Your verification code is 482913." });
    await open("/ui/mail/");
    await until(`document.querySelectorAll(".row-chips").length === 1`);
    await page.click('.row-chips [aria-label="Copy the code 482913"]');
    assertEquals(await page.evaluate<string>("navigator.clipboard.readText()"), "482913");
    // This did not open the row.
    assert(!page.url().includes("id="));
    // Live, too.
    await sendMail(service, { subject: "Link", text: "Open https://shop.example/in?token=abc" });
    await until(`document.querySelectorAll(".row-chips").length === 2`);
    await page.locator(".row .row-button").first().click();
    await page.locator(".mail-head .found-chips").waitFor();
    await page.click(".mail-head .copy-chip");
    assertEquals(
      await page.evaluate<string>("navigator.clipboard.readText()"),
      "https://shop.example/in?token=abc",
    );
  },
);

browserTest("the HTML source of a message is shown as sent, and can be copied", async (stage) => {
  const { page, service, open } = stage;
  const html = '<p class="x">Hi <b>you</b> &amp; me</p>';
  const id = await sendMail(service, { subject: "Source", html });
  await open(`/ui/mail/?id=${id}`);
  await page.click("[data-tab=source]");
  assertEquals(await page.locator(".view-source .plain").innerText(), html);
  await page.click('.view-source [aria-label="Copy"]');
  assertEquals(await page.evaluate<string>("navigator.clipboard.readText()"), html);
});

browserTest("previous and next, unread and pin, by button and by key", async (stage) => {
  const { page, service, open, until } = stage;
  for (const subject of ["Three", "Two", "One"]) await sendMail(service, { subject });
  await open("/ui/mail/");
  await until(rows(3));
  await page.locator(".row .row-button").first().click();
  await until(heading("One"));
  assert(
    await page.evaluate<boolean>(`document.querySelector('[aria-label="Previous (k)"]').disabled`),
  );
  await page.click('[aria-label="Next (j)"]');
  await until(heading("Two"));
  await page.click('[aria-label="Next (j)"]');
  await until(heading("Three"));
  assert(
    await page.evaluate<boolean>(`document.querySelector('[aria-label="Next (j)"]').disabled`),
  );
  await page.click('[aria-label="Mark as unread (u)"]');
  await until(`document.querySelectorAll(".mail-row.unread").length === 1`);
  await page.keyboard.press("p");
  await until(`document.querySelector(".mail-subject")?.textContent === "Three"`);
  assertEquals(await subjects(stage), ["Three", "One", "Two"]);
  assertEquals(await page.locator(".row-pin").count(), 1);
  await page.reload();
  await until(rows(3));
  assertEquals(await subjects(stage), ["Three", "One", "Two"]);
  await page.click('[aria-label="Unpin (p)"]');
  await until(`document.querySelector(".mail-subject")?.textContent === "One"`);
});

browserTest(
  "several mails can be selected by mouse or keyboard, and deleted after asking",
  async (stage) => {
    const { page, service, open, until } = stage;
    for (const subject of ["Five", "Four", "Three", "Two", "One"]) {
      await sendMail(service, {
        subject,
      });
    }
    await open("/ui/mail/");
    await until(rows(5));
    await page.keyboard.press("j");
    await until(heading("One"));
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await until(`document.querySelector(".chosen-bar")?.textContent.includes("2 selected")`);
    await page.click('.chosen-bar [aria-label="Mark as unread"]');
    await until(`document.querySelectorAll(".mail-row.unread").length === 5`);
    await page.keyboard.press("#");
    assertStringIncludes(await page.locator("dialog").innerText(), "Delete 2 messages?");
    await page.click("dialog .danger");
    await until(rows(3));
    assertEquals(await subjects(stage), ["Three", "Four", "Five"]);
    await page.locator(".row-tick input").first().click();
    await page.keyboard.press("Escape");
    await until(`document.querySelector(".chosen-bar") === null`);
    await page.keyboard.press("X");
    await until(`document.querySelector(".chosen-bar")?.textContent.includes("3 selected")`);
    await page.click('.chosen-bar [aria-label="Delete 3 messages"]');
    await page.click("dialog .danger");
    await page.getByText("No mail yet").waitFor();
    assertEquals(service.events.count(), 0);
  },
);

browserTest(
  "matching mails are deleted after asking, and the rest stays",
  async (stage) => {
    const { page, service, open, until } = stage;
    for (const subject of ["Invoice 1", "Report", "Invoice 2"]) {
      await sendMail(service, {
        subject,
      });
    }
    await open("/ui/mail/");
    await until(rows(3));
    assertEquals(await page.locator('[aria-label="Delete matching messages"]').count(), 0);
    await page.fill('[aria-label="Search messages"]', "invoice");
    await until(rows(2));
    await page.click('[aria-label="Delete matching messages"]');
    assertStringIncludes(
      await page.locator("dialog").innerText(),
      "Delete the 2 messages that match?",
    );
    await page.click("dialog .danger");
    await page.getByText("No message matches").waitFor();
    await page.click("text=Clear filters");
    await until(rows(1));
    assertEquals(await subjects(stage), ["Report"]);
    assertEquals(service.events.count(), 1);
  },
);

browserTest("every tab's filters also apply to deletion", async (stage) => {
  const { page, service, open, until } = stage;
  await sendSamples(service);
  const tabs = {
    sms: "search=x&to=1&from=2&status=sent&direction=inbound&encoding=UCS-2&mms=true&provider=sms1",
    push:
      "search=x&kind=silent&target_kind=device&target=t&app=a&push_type=b&priority=low&data_key=k",
    hl7:
      "search=x&message_type=ADT&control_id=1&patient_id=2&segment=OBX&path=PID-3.1&value=9&ack=AA",
    as2: "search=x&from=a&to=b&message_id=c&format=x12&security=signed&issue=true",
    mail: "search=x&from=a&to=b&subject=c&provider=smtp&has_attachments=true",
  };
  const before = service.events.count();
  for (const [tab, query] of Object.entries(tabs)) {
    await open(`/ui/${tab}/?${query}`);
    await until(`document.querySelector(".page-count")?.textContent.startsWith("0 of")`);
    assertEquals(await page.locator(".problem").count(), 0, tab);
    const answer = await fetch(`${service.api.url}/api/v1/${tab}/messages?${query}`, {
      method: "DELETE",
    });
    assertEquals([answer.status, await answer.text()], [204, ""], tab);
  }
  assertEquals(service.events.count(), before);
});
