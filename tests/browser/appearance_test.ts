import { assert, assertEquals } from "@std/assert";
import { browserTest, sendMail, sendSamples, type Stage } from "../support/browser.ts";

/**
 * Checks every kind of page in the light and dark scheme: lists, each with one item open, and the
 * page of an event of each plugin. Returns the findings with their place.
 */
async function visit(
  { page, service, open, settle }: Stage,
  problems: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  const inks = new Set<string>();
  const look = async (place: string): Promise<void> => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await settle();
      inks.add(await page.evaluate<string>("getComputedStyle(document.body).color"));
      const here = await page.evaluate<string[]>(problems);
      found.push(...here.map((one) => `${place}, ${colorScheme}: ${one}`));
    }
  };
  await sendSamples(service);
  await sendMail(service, {
    subject: "Averylongwordwithoutanyspace".repeat(8),
    to: Array.from({ length: 12 }, (_, i) => `recipient-number-${i}@example.org`),
    text: `Your code is 482913. ${"x".repeat(600)} https://shop.example/${"long/".repeat(40)}`,
    html: "<p>Hello</p>",
    attachments: [{ filename: `${"long-name-".repeat(15)}.txt`, content: "YQ==" }],
  });
  await (await fetch(`${service.ingress.url}/nothing-here/${"a".repeat(300)}`)).body?.cancel();
  // Applies to nothing sent in this test.
  const rule = {
    name: "A long name of a rule ".repeat(9),
    on: "hl7/mllp",
    outcome: ["error", "reject", "silent"],
    match: { ["place".repeat(30)]: "value".repeat(30) },
  };
  const added = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rule),
  });
  assertEquals(added.status, 201, await added.text());
  const plugins = await service.getJson<{ name: string }[]>("/plugins");
  for (
    const path of [
      "",
      "events/",
      "stories/",
      "rejected/",
      "faults/",
      ...plugins.map(({ name }) => `${name}/`),
    ]
  ) {
    await open(`/ui/${path}`);
    if (path === "") await page.locator(".card").first().waitFor();
    else await page.locator(".row-button").first().waitFor();
    await look(`/ui/${path}`);
    if (path === "") continue;
    await page.locator(".row-button").first().click();
    await look(`/ui/${path} with an item opened`);
  }
  for (const { name } of plugins) {
    const [event] = await service.getJson<{ id: string }[]>(`/events?plugin=${name}&limit=1`);
    await open(`/ui/events/${event!.id}`);
    await page.locator(".event").waitFor();
    await look(`page of an event of ${name}`);
  }
  await open("/ui/faults/");
  await page.locator(".row-button").first().click();
  await page.click('[aria-label^="Use as template"]');
  await page.fill('[aria-label="Value"]', "");
  await page.selectOption('[aria-label="How"]', "json");
  await page.click("text=Add fault");
  await page.locator(".form-problem").waitFor();
  await look("form of a fault");
  await open("/ui/mail/?search=code");
  await page.locator(".row").first().waitFor();
  await page.click('[aria-label="How to send"] >> visible=true');
  await page.locator(".snippet").waitFor();
  await look("how to send");
  // Otherwise the same colours would be checked twice.
  assertEquals(inks.size, 2);
  return found;
}

/**
 * Texts whose contrast with their background is below 4.5, or 3 for large ones (WCAG 2.2, 1.4.3):
 * ratio, colours and text. For a gradient, the nearest colour counts. Disabled controls are exempt.
 */
const POOR_CONTRAST = `(() => {
  const parse = (text) => (text.match(/rgba?\\([^)]*\\)/g) ?? []).map((one) => {
    const [r, g, b, a = 1] = one.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  });
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const luminance = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const groundsOf = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      const picture = parse(style.backgroundImage).filter(([, , , a]) => a === 1);
      if (picture.length > 0 && !at.matches(".tabs")) layers.push(picture);
      const [colour] = parse(style.backgroundColor);
      if (colour !== undefined && colour[3] > 0) {
        layers.push([colour]);
        if (colour[3] === 1) break;
      }
      if (picture.length > 0 && !at.matches(".tabs")) break;
    }
    let grounds = [[255, 255, 255, 1]];
    for (const layer of layers.reverse()) {
      grounds = layer.flatMap((colour) => grounds.map((ground) => over(colour, ground)));
    }
    return grounds;
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (text === "" || element.closest(":disabled, .hidden, .skip, noscript, style, script")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const [colour] = parse(style.color);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const grounds = groundsOf(element);
    const worst = Math.min(...grounds.map((ground) => ratio(over(colour, ground), ground)));
    if (worst < least) {
      poor.push(worst.toFixed(2) + " " + style.color + " ." + element.className + " " + text.slice(0, 40));
    }
  }
  return [...new Set(poor)];
})()`;

browserTest(
  "all text has enough contrast, in light and dark",
  async (stage) => {
    assertEquals(await visit(stage, POOR_CONTRAST), []);
  },
);

/**
 * Elements that make a page wider than its window, or are only reachable by horizontal scrolling,
 * except for elements that scroll on their own (tabs, code, dumps).
 */
const TOO_WIDE = `(() => {
  const wide = [];
  if (document.documentElement.scrollWidth > innerWidth) wide.push("the page");
  for (const element of document.querySelectorAll("main, main *")) {
    if (element.closest("svg") || element.matches(".tabs, pre, .hidden")) continue;
    const { overflowX } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) {
      wide.push(element.className + ": " + element.scrollWidth + " in " + element.clientWidth);
    }
    const { right, width } = element.getBoundingClientRect();
    const clipped = element.parentElement.closest(".tabs, pre, .hex") !== null ||
      /hidden|clip/.test(getComputedStyle(element.parentElement).overflowX);
    if (width > 0 && right > innerWidth + 1 && !clipped) wide.push(element.className + " ends at " + right);
  }
  return [...new Set(wide)];
})()`;

browserTest(
  "no page is wider than 400 pixels, in light or dark",
  async (stage) => {
    assertEquals(await visit(stage, TOO_WIDE), []);
  },
  { width: 400, height: 850 },
);

browserTest(
  "the overview shows each number once, and one address per listener",
  async (stage) => {
    const { page, service, open } = stage;
    for (const subject of ["One", "Two", "Three"]) await sendMail(service, { subject });
    await open("/ui/");
    const mail = page.locator(".card:has(a[href='/ui/mail/'])");
    await mail.waitFor();
    const head = await mail.locator("header").innerText();
    assertEquals(head.match(/\d+/g), ["3"]);
    const text = await mail.innerText();
    assertEquals(text.split(service.ingress.url).length - 1, 1);
    for (const name of ["Mailjet (mail1)", "SendGrid (mail2)", "Resend (mail3)", "SMTP"]) {
      assert(text.includes(name), name);
    }
    // S3 and AS2 both call their provider "http".
    for (const [plugin, name] of [["s3", "S3 (http)"], ["as2", "AS2 (http)"]] as const) {
      const chips = await page.locator(`.card:has(a[href='/ui/${plugin}/']) .chip`).allInnerTexts();
      assertEquals(chips, [name]);
    }
    assert((await mail.locator(".activity-axis").innerText()).includes("1 h ago"));
  },
);

browserTest("at 400 pixels recent events come before the cards", async (stage) => {
  const { page, service, open } = stage;
  await sendMail(service, { subject: "Just now" });
  await open("/ui/");
  await page.locator(".card").first().waitFor();
  assert(
    await page.evaluate<boolean>(
      `document.querySelector(".feed").getBoundingClientRect().bottom <=
        document.querySelector(".cards").getBoundingClientRect().top`,
    ),
  );
}, { width: 400, height: 850 });

browserTest("an item without a title is shown by its own text", async (stage) => {
  const { page, service, open } = stage;
  const body = JSON.stringify({ channel: "#builds", text: "*Build 512* passed :rocket:" });
  const headers = { authorization: "Bearer xoxb-1", "content-type": "application/json" };
  const posted = await fetch(`${service.ingress.url}/api/chat.postMessage`, {
    method: "POST",
    headers,
    body,
  });
  await posted.body?.cancel();
  await open("/ui/");
  await page.locator(".card-last a").first().waitFor();
  assertEquals(await page.locator(".card-last a").innerText(), "Build 512 passed 🚀");
  assertEquals(await page.locator(".feed-title").innerText(), "Build 512 passed 🚀");
});

browserTest("the copy button does not cover the code", async (stage) => {
  const { page, open } = stage;
  await open("/ui/mail/");
  await page.locator(".snippet pre").waitFor();
  assert(
    await page.evaluate<boolean>(`[...document.querySelectorAll(".snippet")].every((snippet) =>
      snippet.querySelector("button").getBoundingClientRect().bottom <=
        snippet.querySelector("pre").getBoundingClientRect().top)`),
  );
});
