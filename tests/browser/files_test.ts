import { assertEquals, assertStringIncludes } from "@std/assert";
import { files } from "../../plugins/files/mod.ts";
import { browserTest } from "../support/browser.ts";
import { FtpClient } from "../support/ftp.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

for (const scheme of ["light", "dark"] as const) {
  browserTest(`the tree is walked, previewed and emptied, in ${scheme} colours`, async (stage) => {
    const { page, service, open, until } = stage;
    await using ftp = await FtpClient.open(service);
    await ftp.put("STOR dir/note.txt", text("Hello <b>Ada</b>"));
    await ftp.put("STOR top.bin", text("\0\x01"));
    await open("/ui/files/");
    await page.locator(".files-row").first().waitFor();
    assertEquals(await page.locator(".files-row .row-title").allInnerTexts(), ["dir", "top.bin"]);
    assertStringIncludes(await page.locator(".page-count").innerText(), "2 files in 1 directory");
    assertStringIncludes(
      await page.locator(".files-activity").innerText(),
      "uploaded /top.bin (2 B)",
    );
    // What the tree shows counts as read.
    await until(`!document.querySelector("nav .badge")`);
    // Live, while the page is open.
    await ftp.put("STOR live.txt", text("now"));
    await until(`document.querySelectorAll(".files-row").length === 3`);
    await page.click(".row .row-button");
    await until(
      `[...document.querySelectorAll(".files-row .row-title")].some((one) => one.textContent === "note.txt")`,
    );
    await page.click(".row .row-button");
    await page.locator(".files-preview pre").waitFor();
    assertEquals(await page.locator(".files-preview pre").innerText(), "Hello <b>Ada</b>");
    assertEquals(
      await page.locator(".files-head a[download]").getAttribute("href"),
      "/api/v1/files/content/dir/note.txt",
    );
    await page.click(".files-crumbs .button");
    await until(`document.querySelectorAll(".files-row").length === 3`);
    assertEquals(stage.foreign, []);
  }, { plugins: [files], scheme });
}

browserTest(
  "a directory of 4000 files draws only the rows in sight",
  async ({ page, service, open }) => {
    await using ftp = await FtpClient.open(service);
    for (let i = 0; i < 40; i++) {
      for (let k = 0; k < 100; k++) await ftp.talk.send(`MKD many/${i * 100 + k}\r\n`);
      for (let k = 0; k < 100; k++) await ftp.reply();
    }
    await open("/ui/files/?path=/many");
    await page.locator(".files-row").first().waitFor();
    const drawn = await page.locator(".files-row").count();
    assertEquals(drawn > 5 && drawn < 200, true, `${drawn} rows are drawn`);
  },
  { plugins: [files] },
);
