import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, sendMail, sendSamples } from "../support/browser.ts";

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly summary: string;
  readonly summary_parts: { readonly title?: string };
}

/**
 * For each plugin: an event, by words of its summary or title, and content that its page shares
 * with the tab.
 */
const ITEMS = [
  ["mail", "Your order 2026-0417", ".event-item .mail-head h2", "Your order 2026-0417"],
  ["sms", "", ".event-item .sms .bubble", ""],
  ["chat", "ticket", ".event-item .post .rich", "New ticket #881: page 42 is missing 📖"],
  ["push", "Your parcel", ".event-item .lock-card", "Your parcel"],
  ["hl7", "ADT^A01", ".event-item .hl7-segments", "Patient identifiers"],
  ["as2", "Order 881", ".event-item .as2-part", "Interchange header"],
  ["snmp", "linkDown", ".varbinds", "ifIndex.2"],
  ["files", "orders.csv", ".event-item .panel-preview", "order;date;customer;total"],
  ["s3", "stored", ".event-item .facts", "s3://"],
] as const;

browserTest(
  "the event page shows the item as its tab does, for every plugin",
  async (stage) => {
    const { page, service, open } = stage;
    await sendSamples(service);
    for (const [plugin, words, place, text] of ITEMS) {
      const events = await service.getJson<Listed[]>(`/events?plugin=${plugin}`);
      const event = events.find(({ summary, summary_parts: { title = "" } }) =>
        `${summary} ${title}`.includes(words)
      );
      assert(event !== undefined, `no event of ${plugin} has "${words}"`);
      await open(`/ui/events/${event.id}`);
      await page.locator(place).first().waitFor();
      await page.getByText(text).first().waitFor();
      assertStringIncludes(await page.locator(place).first().innerText(), text);
      // No action appears twice, and the page does not begin with a JSON tree.
      assertEquals(await page.locator('[aria-label="Delete"]').count(), 1, plugin);
      assertEquals(await page.locator(".json").count(), plugin === "push" ? 1 : 0, plugin);
    }
    assertEquals(stage.foreign, []);
  },
);

browserTest("codes and links are at the top of the page, ready to copy", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendMail(service, {
    subject: "Sign in",
    text: "Your verification code is 482913. Or open https://shop.example/in?token=abc",
  });
  await open(`/ui/events/${id}`);
  const chips = page.locator(".found-chips");
  await chips.waitFor();
  const above = await page.evaluate<boolean>(
    `document.querySelector(".found-chips").getBoundingClientRect().bottom <=
      document.querySelector(".event-item").getBoundingClientRect().top`,
  );
  assert(above);
  await page.click('[aria-label="Copy the code 482913"]');
  assertEquals(await page.evaluate<string>("navigator.clipboard.readText()"), "482913");
  await page.click(".found-link button");
  assertEquals(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    "https://shop.example/in?token=abc",
  );
  assertEquals(
    await page.locator(".found-link a").getAttribute("href"),
    "https://shop.example/in?token=abc",
  );
});

browserTest("opened parts of an event stay open for the next event", async (stage) => {
  const { page, service, open } = stage;
  const one = await sendMail(service, { subject: "One" });
  const two = await sendMail(service, { subject: "Two" });
  await open(`/ui/events/${one}`);
  await page.locator(".event-item h2").waitFor();
  assertEquals(await page.locator(".event-more .json").count(), 0);
  await page.click(".event-more summary");
  await page.locator(".event-more .json").waitFor();
  await open(`/ui/events/${two}`);
  await page.locator(".event-more .json").waitFor();
  assertStringIncludes(await page.locator(".event-more").innerText(), '"Two"');
});
