/** The page of stories: lanes of one flow along a time axis, live, with hostile text, in both schemes and at 400 pixels. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { MemoryEventStore } from "../../core/events/store.ts";
import { browserTest, type Stage } from "../support/browser.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACED = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

async function post(
  { service }: Stage,
  path: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(service.ingress.url + path, { method: "POST", body, headers });
  const text = await answer.text();
  assert(answer.headers.has("x-service-event-url"), text);
}

async function sendMail(
  stage: Stage,
  { to = "ada@example.org", subject = "Welcome", headers = {} }: {
    to?: string;
    subject?: string;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  const body = JSON.stringify({ from: "shop@example.com", to, subject, text: "Hello" });
  const own = { authorization: "Bearer re_any", "content-type": "application/json" };
  await post(stage, "/emails", body, { ...own, ...headers });
}

async function sendSms(stage: Stage, headers = {}): Promise<void> {
  const body = new URLSearchParams({ To: "+447700900123", From: "+447700900999", Body: "Code 42" });
  const path = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
  await post(stage, path, body, headers);
}

/** A flow of three protocols, and a mail of it two hours later. */
async function sendFlow(stage: Stage): Promise<void> {
  await sendMail(stage, { headers: TRACED });
  await sendSms(stage, TRACED);
  await post(stage, "/services/T0/B0/x", JSON.stringify({ text: "New customer: Ada" }), TRACED);
  const [first] = stage.service.events.list({ plugin: "mail" });
  const { seq: _, ...mail } = first!;
  const received_at = new Date(mail.received_at.getTime() + 7_200_000);
  const id = received_at.getTime().toString(16).padStart(12, "0") + mail.id.slice(12);
  await (stage.service.events as MemoryEventStore).restore([{
    ...mail,
    id,
    received_at,
    summary_parts: { title: "How was it?", to: ["ada@example.org"] },
  }]);
}

browserTest(
  "a flow is one line of lanes, grows live, and its marks lead to the items",
  async (stage) => {
    const { page, open, until } = stage;
    await open("/ui/");
    await page.click('.nav-item[href="/ui/stories/"]');
    await page.getByText("No stories yet").waitFor();
    await page.getByText("Single events are hidden").waitFor();
    await sendMail(stage, { headers: TRACED });
    await sendSms(stage, TRACED);
    await page.locator(".row").waitFor();
    assertStringIncludes(await page.locator(".row").innerText(), "2 events");
    await page.keyboard.press("j");
    await page.locator(".lane").first().waitFor();
    assertEquals(await page.locator(".lane").count(), 2);
    assertStringIncludes(await page.locator(".story-links").innerText(), TRACE);
    await post(stage, "/services/T0/B0/x", JSON.stringify({ text: "New customer" }), TRACED);
    await until(`document.querySelectorAll(".lane").length === 3`);
    assertEquals(await page.locator(".story-events li").count(), 3);
    await page.keyboard.press("ArrowRight");
    await until(`document.querySelectorAll(".story-events li")[1].className === "current"`);
    await until(`document.activeElement.dataset.step === "1"`);
    assertEquals(await page.locator(".lane-mark.current").count(), 1);
    await page.keyboard.press("o");
    await until(`location.pathname.startsWith("/ui/events/")`);
    await page.click('.event-actions a[href^="/ui/stories/"]');
    await until(`document.querySelectorAll(".story-events li").length === 3`);
    stage.service.events.clear("chat");
    await until(`document.querySelectorAll(".lane").length === 2`);
    stage.service.events.clear();
    await page.getByText("it is unknown or no longer held").waitFor();
  },
  { expected: /404/ },
);

browserTest(
  "a pause is collapsed and labelled, and single events are shown on demand",
  async (stage) => {
    const { page, open, until } = stage;
    await sendMail(stage, { to: "bob@example.org", subject: "Single" });
    await sendFlow(stage);
    await open("/ui/stories/");
    await page.click(".row-button");
    assertStringIncludes(await page.locator(".lane-head").innerText(), "2 h");
    assertEquals(await page.locator(".row").count(), 1);
    await page.click('[aria-label="Also show single events"]');
    await until(`document.querySelectorAll(".row").length === 2`);
    await page.fill('[aria-label="Search in events"]', "Single");
    await until(`document.querySelectorAll(".row").length === 1`);
    assertStringIncludes(await page.locator(".row").innerText(), "Single");
    await page.fill('[aria-label="Search in events"]', "nowhere");
    await page.getByText("Nothing found").waitFor();
  },
);

for (const scheme of ["light", "dark"] as const) {
  browserTest(`hostile text stays text, and 400 pixels are enough (${scheme})`, async (stage) => {
    const { page, open, settle } = stage;
    const subject = `<img src=x onerror="document.title='hit'">\u202e${"long".repeat(60)}`;
    await sendMail(stage, { subject, headers: { "x-correlation-id": "<b>c</b>" } });
    await sendSms(stage, { "x-correlation-id": "<b>c</b>" });
    await open("/ui/stories/");
    await page.click(".row-button");
    await page.locator(".story-events").waitFor();
    await settle();
    assertStringIncludes(await page.locator(".story-title").innerText(), "<img src=x");
    assertStringIncludes(await page.locator(".story-links").innerText(), "<b>c</b>");
    assertEquals(await page.locator(".story img").count(), 0);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assertEquals(width, 400);
    await page.click('[aria-label="Back to the list"]');
    await page.locator(".row").waitFor();
  }, { scheme, width: 400, height: 700 });
}
