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
    // Entries shown in the tree count as read.
    await until(`!document.querySelector("nav .badge")`);
    // Live, while the page is open.
    await ftp.put("STOR live.txt", text("now"));
    await until(`document.querySelectorAll(".files-row").length === 3`);
    await page.click(".row .row-button");
    await until(
      `[...document.querySelectorAll(".files-row .row-title")].some((one) => one.textContent === "note.txt")`,
    );
    await page.click(".row .row-button");
    await page.locator(".panel-preview pre").waitFor();
    assertEquals(await page.locator(".panel-preview pre").innerText(), "Hello <b>Ada</b>");
    assertEquals(
      await page.locator(".panel-head a[download]").getAttribute("href"),
      "/api/v1/files/content/dir/note.txt",
    );
    await page.click(".crumbs .button");
    await until(`document.querySelectorAll(".files-row").length === 3`);
    assertEquals(stage.foreign, []);
  }, { plugins: [files], scheme });
}

browserTest(
  "a directory of 4000 files renders only visible rows",
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

browserTest("files can be sorted, searched and linked", async (stage) => {
  const { page, service, open, until } = stage;
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR deep/er/report.txt", text("x".repeat(30)));
  await ftp.put("STOR small.txt", text("1"));
  await ftp.put("STOR large.txt", text("x".repeat(3000)));
  const names = () => page.locator(".files-row .row-title").allInnerTexts();
  await open("/ui/files/");
  await until(`document.querySelectorAll(".files-row").length === 3`);
  assertEquals(await names(), ["deep", "large.txt", "small.txt"]);
  await page.click('.browse-columns button:has-text("Name")');
  await until(`location.search === "?order=-name"`);
  assertEquals(await names(), ["deep", "small.txt", "large.txt"]);
  await page.click('.browse-columns button:has-text("Size")');
  await until(`location.search === "?order=-size"`);
  assertEquals(await names(), ["deep", "large.txt", "small.txt"]);
  await page.fill('[aria-label="Search files"]', "REPORT");
  await until(`document.querySelectorAll(".files-row").length === 1`);
  assertEquals(await names(), ["deep/er/report.txt"]);
  await page.click(".row .row-button");
  await page.locator(".panel-facts").waitFor();
  const facts = await page.locator(".panel-facts dt").allInnerTexts();
  assertEquals(facts, ["Path", "Address", "Size", "Type", "Modified", "Protocol"]);
  await page.click('[aria-label="Copy the address"]');
  const { url } = service.endpoint("ftp");
  assertEquals(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    `${url}/deep/er/report.txt`,
  );
  await page.fill('[aria-label="Search files"]', "");
  await page.keyboard.press("Escape");
  await open("/ui/files/?path=/deep/er");
  await page.locator(".crumbs .icon").first().waitFor();
  assertEquals(await page.locator(".crumbs .button").allInnerTexts(), ["Root", "deep", "er"]);
  assertEquals(await page.locator(".crumbs > .icon").count(), 2);
  await page.keyboard.press("u");
  await until(`location.search === "?path=%2Fdeep"`);
}, { plugins: [files] });

for (const width of [640, 400]) {
  browserTest(`at ${width} pixels the list of files takes the full width`, async (stage) => {
    const { page, service, open } = stage;
    await using ftp = await FtpClient.open(service);
    await ftp.put("STOR a-name-of-25-characters.x", text("1"));
    await open("/ui/files/");
    await page.locator(".files-row").first().waitFor();
    assertEquals(
      await page.evaluate<number[]>(`(() => {
        const row = document.querySelector(".files-row").getBoundingClientRect();
        return [row.left, row.right];
      })()`),
      [0, width],
    );
    const isCut = `(() => {
      const { scrollWidth, clientWidth } = document.querySelector(".files-row .row-title");
      return scrollWidth > clientWidth;
    })()`;
    assertEquals(await page.evaluate<boolean>(isCut), false);
    assertEquals(await page.locator(".files-row .least").isVisible(), width >= 640);
  }, { plugins: [files], width, height: 850 });
}
