import { Buffer } from "node:buffer";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { browserTest, sendMail, type Stage } from "../support/browser.ts";
import { startService } from "../support/service.ts";

/** A bundle from an instance with these captures. */
async function bundleOf(...subjects: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  await using other = await startService({ plugins: [mail] });
  for (const subject of subjects) await sendMail(other, { subject });
  return await (await fetch(`${other.api.url}/api/v1/export`)).bytes();
}

/** Opens a page. The returned function presses Import with the keyboard, and chooses a file. */
async function openChoosing({ page, open }: Stage, path: string) {
  let name = "";
  let buffer = Buffer.of();
  // Before the page opens, because the browser takes a moment to report its file chooser.
  page.on("filechooser", (chooser) => {
    void chooser.setFiles({ name, mimeType: "application/zip", buffer });
  });
  await open(path);
  return async (file: string, bytes: Uint8Array): Promise<void> => {
    [name, buffer] = [file, Buffer.from(bytes)];
    await page.locator('[aria-label^="Import"]').focus();
    await page.keyboard.press("Enter");
  };
}

for (const scheme of ["light", "dark"] as const) {
  browserTest(`a bundle is opened by keyboard, once, in ${scheme} colours`, async (stage) => {
    const { page, until } = stage;
    const bundle = await bundleOf("Kept one", "Kept two");
    const choose = await openChoosing(stage, "/ui/");
    await choose("kept.zip", bundle);
    await page.getByText("2 events imported.").waitFor();
    const said = await page.locator("dialog").innerText();
    assertMatch(said, /^Imported\s+kept\.zip, [\d.]+ KB\s/);
    // The list behind the dialog shows them at once.
    await until(`document.querySelectorAll(".feed li").length === 2`);
    await page.keyboard.press("Escape");
    await until(`document.querySelector("dialog") === null`);
    await until(`document.activeElement.getAttribute("aria-label").startsWith("Import")`);

    await choose("kept.zip", bundle);
    await page.getByText("2 already there, and left unchanged.").waitFor();
    await page.click("text=Show events");
    await until(`location.pathname === "/ui/events/"`);
    await until(`document.querySelectorAll(".row").length === 2`);
    assertEquals(await page.locator("dialog").count(), 0);
    assertEquals(stage.foreign, []);
  }, { scheme, plugins: [mail] });
}

browserTest("an invalid bundle is refused with the reason, and nothing changes", async (stage) => {
  const { page, service } = stage;
  const choose = await openChoosing(stage, "/ui/events/");
  const name = "<img src=x onerror=alert(1)>.zip";
  await choose(name, new TextEncoder().encode("no archive"));
  const problem = page.locator('dialog [role="alert"]');
  await problem.waitFor();
  assertMatch(await problem.innerText(), /^Cannot /);
  assertStringIncludes(await page.locator("dialog").innerText(), name);
  assertEquals(await page.locator("dialog img").count(), 0);
  await page.click("text=Close");
  assertEquals(service.events.count(), 0);
}, { expected: /status of 400/, plugins: [mail] });

browserTest("a large upload shows progress, and can be canceled", async (stage) => {
  const { page, service, until } = stage;
  const choose = await openChoosing(stage, "/ui/");
  // The response is held back until it is released.
  const held = Promise.withResolvers<void>();
  await page.route("**/api/v1/import", async (route) => {
    await held.promise;
    await route.abort();
  });
  await choose("large.zip", new Uint8Array(3_000_000));
  await page.locator('dialog progress[aria-label="Sent"]').waitFor();
  await page.click("dialog >> text=Cancel");
  await until(`document.querySelector("dialog") === null`);
  held.resolve();
  assertEquals(service.events.count(), 0);
}, { plugins: [mail] });

browserTest("events can be downloaded as a bundle", async (stage) => {
  const { page, service, open } = stage;
  await open("/ui/");
  assertEquals(await page.locator('button[aria-label^="Export"]').getAttribute("disabled"), "");
  await sendMail(service, { subject: "Downloaded" });
  const link = page.locator('a[aria-label^="Export"]');
  await link.waitFor();
  const download = page.waitForEvent("download");
  await link.click();
  const file = await download;
  assertEquals(file.suggestedFilename(), "standin-bundle.zip");
  assertEquals(new URL(file.url()).pathname, "/api/v1/export");
  await file.cancel();
}, { plugins: [mail] });
