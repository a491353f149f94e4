/** Names, sizes and texts that need more room than usual, or have none. */
import { assert, assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { browserTest, sendMail } from "../support/browser.ts";
import { MllpClient } from "../support/mllp.ts";
import type { TestService } from "../support/service.ts";

/** Stores an object under this key, whose text it is, in the bucket `box`. */
async function put(service: TestService, key: string): Promise<void> {
  const { url } = service.endpoint("http");
  for (const [path, body] of [["box", ""], [`box/${encodeURIComponent(key)}`, key]] as const) {
    const stored = await fetch(`${url}/${path}`, { method: "PUT", body });
    assertEquals(stored.status, 200, await stored.text());
  }
}

browserTest("a mail without a subject is called so everywhere", async (stage) => {
  const { page, service, open, until } = stage;
  const html = "<p>Hello</p>";
  for (const subject of ["   ", "\u00a0"]) await sendMail(service, { subject, html });
  await open("/ui/");
  await until(`document.querySelectorAll(".feed-title").length === 2`);
  assertEquals(await page.locator(".feed-title").allInnerTexts(), ["(no subject)", "(no subject)"]);
  assertEquals(await page.locator(".card-last a").innerText(), "(no subject)");
  await open("/ui/events/");
  await page.locator(".row").first().waitFor();
  assertEquals(await page.locator(".row-title").first().innerText(), "(no subject)");
  await open("/ui/stories/");
  await page.locator(".row-button").first().click();
  assertEquals(await page.locator(".row-title").innerText(), "(no subject)");
  assertEquals(await page.locator(".story-title").innerText(), "(no subject)");
  assertEquals(await page.locator(".story-own").first().innerText(), "(no subject)");
  await open("/ui/mail/");
  await page.locator(".row-button").first().click();
  await page.locator(".mail-head").waitFor();
  assertEquals(await page.locator(".mail-subject").first().innerText(), "(no subject)");
  assertEquals(await page.locator(".mail-head h2").innerText(), "(no subject)");
  await page.keyboard.press("#");
  assert((await page.locator("dialog").innerText()).includes("“(no subject)” is deleted"));
});

browserTest("a story that begins with a text message shows the text", async (stage) => {
  const { page, service, open } = stage;
  for (const body of ["Where is my order?", "At the door"]) {
    const sent = await fetch(
      `${service.ingress.url}/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`,
      {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`AC${"0".repeat(32)}:x`)}` },
        body: new URLSearchParams({ To: "+4915112345678", From: "+15005550006", Body: body }),
      },
    );
    assertEquals(sent.status, 201, await sent.text());
  }
  await open("/ui/stories/");
  await page.locator(".row").first().waitFor();
  assertEquals(await page.locator(".row-title").innerText(), "Where is my order?");
});

/** Whether the text of an element begins at its left edge. */
const beginsLeft = (selector: string) =>
  `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left - element.getBoundingClientRect().left < 2;
})()`;

browserTest("names in Arabic begin where the others do", async ({ page, service, open }) => {
  await put(service, "ملف.txt");
  const id = await sendMail(service, { from: "متجر <shop@example.com>" });
  await open("/ui/s3/?bucket=box");
  await page.locator(".browse-row bdi").first().waitFor();
  assert(await page.evaluate<boolean>(beginsLeft(".browse-row bdi")));
  await open(`/ui/mail/?id=${id}`);
  await page.locator(".mail-from-name").waitFor();
  assert(await page.evaluate<boolean>(beginsLeft(".mail-from-name")));
}, { plugins: [mail, s3] });

browserTest(
  "at 900 pixels a list leaves room for the selected item, and a long id stays in its row",
  async ({ page, service, open }) => {
    using client = await MllpClient.open(service.endpoint("mllp"));
    await client.sendMessage(`MSH|^~\\&|A|B|C|D|2024||ADT^A01|${"LONGID".repeat(8)}|P|2.3\r`);
    await client.answer();
    await open("/ui/events/");
    await page.locator(".row").first().waitFor();
    const room = await page.evaluate<number>(
      `document.querySelector(".pane-detail").getBoundingClientRect().width`,
    );
    assert(room >= 360, `${room} pixels`);
    await open("/ui/hl7/");
    await page.locator(".hl7-parties .chip").waitFor();
    assert(
      await page.evaluate<boolean>(
        `document.querySelector(".hl7-parties .chip").getBoundingClientRect().right <
          document.querySelector(".row").getBoundingClientRect().right`,
      ),
    );
  },
  { width: 900 },
);

browserTest(
  "at 400 pixels a title is whole beside a count that is not",
  async ({ page, service, open, until }) => {
    for (let at = 0; at < 101; at++) await sendMail(service, { subject: `Order ${at}` });
    await open("/ui/events/?search=Order%201");
    await until(`document.querySelector(".page-count")?.textContent === "12 of 101 events"`);
    assert(
      await page.evaluate<boolean>(
        `(([title]) => title.scrollWidth <= title.clientWidth)(document.querySelectorAll("h1"))`,
      ),
    );
    assertEquals(await page.locator("h1").innerText(), "All events");
  },
  { width: 400, height: 850 },
);

browserTest(
  "at 400 pixels a long file name has the whole width",
  async ({ page, service, open }) => {
    const key = "long-name-".repeat(12);
    await put(service, key);
    await open(`/ui/s3/?bucket=box&key=${key}`);
    await page.locator(".panel-head h2").waitFor();
    const width = await page.evaluate<number>(
      `document.querySelector(".panel-head h2").getBoundingClientRect().width`,
    );
    assert(width > 360, `${width} pixels`);
  },
  { plugins: [s3], width: 400, height: 850 },
);
