/** Pages that were open while the service was down. */
import { assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { browserTest, sendMail } from "../support/browser.ts";
import { startService } from "../support/service.ts";

const folder = Deno.makeTempDirSync();
const storage = { events: "filesystem", path: folder };
const DOWN = /ERR_|Failed to load|Failed to fetch/;

Deno.test.afterAll(async () => await Deno.remove(folder, { recursive: true }));

browserTest(
  "what could not be loaded while the service was down is there once it is back",
  async (stage) => {
    const { page, service, open, until } = stage;
    const deleted = await sendMail(service, { subject: "Deleted" });
    const kept = await sendMail(service, { subject: "Kept" });
    await open(`/ui/events/${deleted}`);
    await page.locator(".mail-head").waitFor();
    const inbox = await stage.newPage();
    await inbox.goto(`${service.ui.url}/ui/mail/`);
    await inbox.locator(".row").first().waitFor();
    const { port } = service.ui;
    await service.stop();
    await inbox.getByText("Not connected: trying again").waitFor();
    await inbox.locator(`[data-id="${kept}"] .row-button`).click();
    await inbox.getByText("Cannot reach the service: it may have stopped").waitFor();
    await using back = await startService({
      plugins: [mail],
      config: { ui: { port }, storage },
    });
    await inbox.locator(".mail-head h2").waitFor();
    assertEquals(await inbox.locator(".mail-head h2").innerText(), "Kept");
    await fetch(`${back.api.url}/api/v1/events`, { method: "DELETE" });
    await until(`document.title.includes("Event no longer held")`);
  },
  { plugins: [mail], config: { storage }, expected: DOWN },
);

browserTest(
  "a page whose module could not be loaded has its menu, and loads once the service is back",
  async ({ page, service, open }) => {
    await open("/ui/mail/");
    await page.locator(".howto").first().waitFor();
    const { port } = service.ui;
    await service.stop();
    await page.getByText("Not connected: trying again").waitFor();
    await page.click(".menu-button");
    await page.click('.nav a[href="/ui/faults/"]');
    await page.getByText("This page cannot be shown").waitFor();
    await page.locator(".menu-button").waitFor();
    await using _ = await startService({ plugins: [mail], config: { ui: { port } } });
    await page.locator(".faults-page").waitFor();
  },
  { plugins: [mail], expected: DOWN, width: 400, height: 850 },
);

browserTest("an item deleted with others that are selected leaves its place", async (stage) => {
  const { page, service, open, until } = stage;
  for (const subject of ["One", "Two"]) await sendMail(service, { subject });
  await open("/ui/mail/");
  await page.locator(".row").first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".mail-head").waitFor();
  await page.keyboard.press("x");
  await page.click('[aria-label="Delete 1 message"]');
  await page.click("dialog .danger");
  await until(`document.querySelectorAll(".row").length === 1`);
  await page.getByText("No message selected").waitFor();
});
