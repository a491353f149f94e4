/**
 * Precondition of the other tests: a page reaches only the interface, and every other attempt is
 * recorded.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { browserTest } from "../support/browser.ts";
import { openOutside } from "../support/outside.ts";

browserTest("requests to other ports and hosts are recorded, and reach nothing", async (stage) => {
  const { page, newPage, open, until, foreign } = stage;
  using other = openOutside("other");
  const { port } = new URL(other.url);
  const tried = [
    `http://127.0.0.1:${port}/`,
    other.url,
    "http://a.example/x?y",
    "https://b.example/",
  ];
  for (const url of tried) {
    // The browser's own error page would interrupt the next navigation of the same page.
    const tab = await newPage();
    await assertRejects(() => tab.goto(url), Error, "net::ERR_");
    await tab.close();
  }
  // Requests forbidden by the policy of the page are never sent.
  await open("/ui/mail/");
  await page.evaluate("fetch('http://c.example/').catch(() => {})");
  await until(() => foreign.length === tried.length);
  assertEquals(foreign, tried);
  assertEquals(other.count, 0);
}, { expected: /Content Security Policy|ERR_/ });
