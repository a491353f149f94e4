/** What the keyboard does, and what a screen reader announces. */
import { assert, assertEquals } from "@std/assert";
import { browserTest, sendMail, sendSamples, type Stage } from "../support/browser.ts";

const selected = async ({ page }: Stage): Promise<string | null> =>
  await page.locator(".row.selected").getAttribute("data-id");

const SEARCHED = `document.querySelector('[aria-label="Search messages"]').value`;

browserTest(
  "Enter opens the row that a key selected, not the one clicked before",
  async (stage) => {
    const { page, service, open, settle } = stage;
    const ids: string[] = [];
    for (const subject of ["First", "Second", "Third"]) {
      ids.unshift(await sendMail(service, { subject }));
    }
    await open("/ui/mail/");
    await page.locator(".row-button").first().click();
    await settle();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await settle();
    assertEquals(await selected(stage), ids[2]);
    await page.keyboard.press("Enter");
    await settle();
    assertEquals(await selected(stage), ids[2]);
    assertEquals(
      await page.evaluate<string>("document.activeElement.closest('.row')?.dataset.id"),
      ids[2],
    );
  },
);

for (const key of ["Escape", "Enter"]) {
  browserTest(`${key} leaves the search field with its text, and the search`, async (stage) => {
    const { page, service, open, until, settle } = stage;
    await sendMail(service, { subject: "Invoice" });
    await sendMail(service, { subject: "Reminder" });
    await open("/ui/mail/");
    await until(`document.querySelectorAll(".row").length === 2`);
    await page.keyboard.press("/");
    await page.keyboard.type("invoice");
    await until(`document.querySelectorAll(".row").length === 1`);
    await page.keyboard.press(key);
    await settle();
    assertEquals(await page.evaluate<string>(SEARCHED), "invoice");
    assertEquals(new URL(page.url()).search, "?search=invoice");
    await page.keyboard.press("j");
    await until(`document.querySelector(".row.selected") !== null`);
    assertEquals(await page.evaluate<string>(SEARCHED), "invoice");
  });
}

browserTest("Tab leaves a list after its selected row", async (stage) => {
  const { page, service, open, until } = stage;
  for (const code of [482913, 482914, 482915]) {
    await sendMail(service, { subject: "Code", text: `Your code is ${code}.` });
  }
  await open("/ui/mail/");
  await until(`document.querySelectorAll(".row-chips").length === 3`);
  await page.keyboard.press("j");
  await page.locator(".mail-view").waitFor();
  await page.locator(".row-button").first().focus();
  await page.keyboard.press("Tab");
  await until(`document.activeElement.title === "Copy the code 482915"`);
  await page.keyboard.press("Tab");
  await until(`document.activeElement.closest(".pane-detail") !== null`);
});

browserTest("the arrow keys of a story have their symbols in the help", async (stage) => {
  const { page, service, open } = stage;
  await sendMail(service, { subject: "One" });
  await sendMail(service, { subject: "Two" });
  await open("/ui/stories/");
  await page.locator(".row-button").first().click();
  await page.keyboard.press("?");
  const keys = await page.locator("dialog kbd").allInnerTexts();
  assertEquals(keys.filter((key) => key.startsWith("Arrow")), []);
  assert(keys.includes("→"));
});

browserTest(
  "the menu takes the focus, and gives it back",
  async ({ page, open, until }) => {
    await open("/ui/mail/");
    await page.click(".menu-button");
    await until(`document.activeElement.matches(".nav .brand")`);
    assertEquals(await page.locator(".menu-button").getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    await until(`document.activeElement.matches(".menu-button")`);
    assertEquals(await page.locator(".menu-button").getAttribute("aria-expanded"), "false");
  },
  { width: 400, height: 850 },
);

browserTest("screen readers announce new items, several at once", async (stage) => {
  const { page, service, open, until } = stage;
  await open("/ui/events/");
  await sendMail(service);
  await sendMail(service);
  await until(
    `[...document.querySelectorAll("[role=status]")].some((one) => one.textContent === "2 new in Mail")`,
  );
  assertEquals(await page.locator("[role=alert]").count(), 0);
});

browserTest("unread rows say so on every tab", async ({ page, service, open }) => {
  await sendSamples(service);
  for (const tab of ["mail", "push", "as2", "snmp", "hl7", "webhook", "events"]) {
    await open(`/ui/${tab}/`);
    const row = page.locator(".row-button").first();
    await row.waitFor();
    assert((await row.innerText()).includes("Unread."), tab);
  }
});
