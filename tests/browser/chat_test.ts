import { assertEquals, assertStringIncludes } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { browserTest, type Stage } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

const HOOK = "/services/T00000000/B00000000/XXXX";
const TEAMS = "/webhookb2/1111@2222/IncomingWebhook/aaaa/3333";

/** Posts and returns the event id. */
async function post(service: TestService, path: string, body: unknown): Promise<string> {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  const url = response.headers.get("x-service-event-url");
  if (url === null) throw new Error(`Cannot post to ${path}: ${response.status} ${answer}`);
  return url.split("/").at(-1)!;
}

const say = (service: TestService, body: unknown): Promise<string> =>
  post(service, "/api/chat.postMessage", body);

const tsOf = (service: TestService, id: string): unknown =>
  (service.events.get(id)?.payload as { ts?: string }).ts;

const channels = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .row-title").allInnerTexts();

const texts = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".post-text").allInnerTexts();

for (const scheme of ["light", "dark"] as const) {
  browserTest(`replies appear below their message, in ${scheme} colours`, async (stage) => {
    const { page, service, open, until } = stage;
    const root = await say(service, { channel: "#general", text: "root", username: "Ada" });
    const reply = { channel: "#general", thread_ts: tsOf(service, root) };
    await say(service, { channel: "C2", text: "elsewhere" });
    await say(service, { ...reply, text: "first reply" });
    await say(service, { channel: "#general", text: "later" });
    await say(service, { ...reply, text: "second reply" });
    await say(service, { channel: "#general", text: "lost", thread_ts: "1.000001" });
    await open("/ui/chat/");
    await page.locator(".post").first().waitFor();
    assertEquals(await channels(stage), ["All channels", "#general", "C2"]);
    assertStringIncludes(await page.locator(".row").nth(1).innerText(), "5\nunread");
    assertEquals(await page.locator(".post").count(), 6);
    await page.locator(".row-button").nth(1).click();
    await until(`document.querySelectorAll(".post").length === 5`);
    assertEquals(await texts(stage), ["root", "first reply", "second reply", "later", "lost"]);
    assertEquals(
      await page.locator(".thread").first().locator(".replies .post-text").allInnerTexts(),
      ["first reply", "second reply"],
    );
    assertStringIncludes(await page.locator(".orphan").innerText(), "is no longer held");
    assertStringIncludes(
      await page.locator(".stream-head").innerText(),
      "5 messages · 3 threads · 3 replies · 1 without their first message",
    );
    await until(`document.querySelectorAll(".row .badge").length === 1`);
    // Live, in the open channel, and in a new one.
    await say(service, { ...reply, text: "third reply" });
    await say(service, { channel: "C3", text: "new here" });
    await until(`document.querySelectorAll(".replies:first-of-type .post").length === 4`);
    await until(`document.querySelectorAll(".row").length === 4`);
    assertEquals(await channels(stage), ["All channels", "C3", "#general", "C2"]);
    assertEquals(stage.foreign, []);
  }, { plugins: [chat], scheme });
}

browserTest(
  "blocks are drawn, pictures stay links, and the JSON is one click away",
  async (stage) => {
    const { page, service, open } = stage;
    const plain = (text: string) => ({ type: "plain_text", text });
    await post(service, HOOK, {
      channel: "C1",
      text: "for notifications",
      blocks: [
        { type: "header", text: plain("Build failed") },
        {
          type: "section",
          text: {
            type: "mrkdwn",
            text: "*bold* `code` <https://example.com/log|the log> &lt;b&gt;",
          },
          accessory: { type: "button", text: plain("Open"), url: "https://example.com/open" },
        },
        { type: "section", fields: [plain("left"), plain("right")] },
        { type: "divider" },
        { type: "image", image_url: "https://example.com/graph.png", alt_text: "Graph" },
        {
          type: "rich_text",
          elements: [{
            type: "rich_text_list",
            style: "bullet",
            elements: [{
              type: "rich_text_section",
              elements: [{ type: "text", text: "point", style: { bold: true } }],
            }],
          }],
        },
        { type: "input", label: plain("Reason"), element: { type: "plain_text_input" } },
        { type: "actions", elements: [{ type: "button", text: plain("Retry") }] },
        { type: "context", elements: [{ type: "mrkdwn", text: "by _CI_" }] },
        { type: "unheard_of" },
      ],
      attachments: [{
        color: "#e01e5a",
        title: "Incident",
        title_link: "https://example.com/i",
        fields: [{ title: "Severity", value: "high" }],
      }],
    });
    await open("/ui/chat/");
    await page.locator(".blocks").first().waitFor();
    assertEquals(await page.locator(".blocks .block-header").innerText(), "Build failed");
    const section = page.locator(".block-section").first();
    assertEquals(await section.locator("strong").innerText(), "bold");
    assertEquals(await section.locator("code").innerText(), "code");
    assertStringIncludes(await section.innerText(), "the log <b>");
    assertEquals(await page.locator(".fields").first().locator(".rich").allInnerTexts(), [
      "left",
      "right",
    ]);
    assertEquals(await page.locator(".picture a").innerText(), "Graph");
    assertEquals(await page.locator(".bullets li strong").innerText(), "point");
    assertEquals(await page.locator(".action-mark").allInnerTexts(), ["Open", "Retry"]);
    assertEquals(await page.locator(".input-label").innerText(), "Reason");
    assertEquals(await page.locator(".block-context em").innerText(), "CI");
    assertStringIncludes(await page.locator(".blocks").innerText(), "unheard_of");
    assertStringIncludes(await page.locator(".attachment-card").innerText(), "Severity");
    assertEquals(
      await page.evaluate(
        `getComputedStyle(document.querySelector(".attachment-card")).borderLeftColor`,
      ),
      "rgb(224, 30, 90)",
    );
    await page.locator(".post").first().hover();
    await page.click('.post [aria-label="JSON"]');
    assertStringIncludes(await page.locator(".json").first().innerText(), '"Build failed"');
    assertEquals(await page.locator(".json").count(), 2);
    assertEquals(stage.foreign, []);
  },
  { plugins: [chat] },
);

browserTest("Adaptive Cards and MessageCards are drawn", async (stage) => {
  const { page, service, open } = stage;
  await post(service, TEAMS, {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        type: "AdaptiveCard",
        body: [
          {
            type: "TextBlock",
            text: "**Approve** [this](https://example.com/this)",
            weight: "Bolder",
          },
          { type: "FactSet", facts: [{ title: "Until", value: "Friday" }] },
          {
            type: "ColumnSet",
            columns: [
              { items: [{ type: "Image", url: "https://example.com/a.png", altText: "Ada" }] },
              { items: [{ type: "TextBlock", text: "Ada Lovelace" }] },
            ],
          },
          { type: "Input.ChoiceSet", choices: [{ title: "Yes" }, { title: "No" }] },
        ],
        actions: [{ type: "Action.Submit", title: "Approve" }],
      },
    }],
  });
  await post(service, TEAMS, {
    "@type": "MessageCard",
    themeColor: "0076D7",
    title: "Project Tango",
    text: "A **new** task",
    sections: [{ activityTitle: "Larry", facts: [{ name: "Due", value: "Monday" }] }],
    potentialAction: [{
      "@type": "OpenUri",
      name: "View",
      targets: [{ uri: "https://example.com/v" }],
    }],
  });
  await open("/ui/chat/");
  await page.locator(".message-card").waitFor();
  const [adaptive = "", message = ""] = await page.locator(".card").allInnerTexts();
  for (const part of ["Approve this", "Until", "Friday", "Ada Lovelace", "Yes / No"]) {
    assertStringIncludes(adaptive, part);
  }
  for (const part of ["Project Tango", "A new task", "Larry", "Due", "Monday", "View"]) {
    assertStringIncludes(message, part);
  }
  assertEquals(await page.locator(".row .row-title").nth(1).innerText(), "Teams aaaa/3333");
  assertEquals(await page.locator(".card img").count(), 0);
  assertEquals(stage.foreign, []);
}, { plugins: [chat] });

browserTest("filters and links are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  const root = await say(service, { channel: "C1", text: "alpha", username: "Ada" });
  const reply = await say(service, {
    channel: "C1",
    text: "beta",
    username: "Bob",
    thread_ts: tsOf(service, root),
  });
  await say(service, { channel: "C2", text: "gamma" });
  await open("/ui/chat/?author=ADA");
  await until(`document.querySelectorAll(".post").length === 1`);
  assertEquals(await texts(stage), ["alpha"]);
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".post").length === 3`);
  await page.fill('[aria-label="Search messages"]', "beta");
  await until(`document.querySelectorAll(".post").length === 1`);
  // The reply is found without its root, and has a link to it.
  await page.click(".orphan a");
  await page.locator(".post.selected").waitFor();
  await open(`/ui/chat/?id=${reply}`);
  await page.locator(".post.selected").waitFor();
  assertEquals(await page.locator(".post.selected .post-text").innerText(), "beta");
  assertEquals(await page.locator(".stream-head h2").innerText(), "C1");
  const [first] = await service.getJson<{ ui_url: string }[]>("/chat/channels");
  await open(first!.ui_url);
  await until(`document.querySelector(".stream-head h2")?.innerText === "C2"`);
}, { plugins: [chat] });

browserTest("the stream follows new messages unless the reader has scrolled up", async (stage) => {
  const { page, service, open, until } = stage;
  for (let i = 0; i < 30; i++) await say(service, { channel: "C1", text: `message ${i}` });
  await open("/ui/chat/");
  await until(`document.querySelectorAll(".post").length === 30`);
  const fromEnd = `(() => {
    const box = document.querySelector(".stream-scroll");
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  })()`;
  await until(`${fromEnd} < 2`);
  await say(service, { channel: "C1", text: "message 30" });
  await until(`document.querySelectorAll(".post").length === 31 && ${fromEnd} < 2`);
  await page.evaluate(`document.querySelector(".stream-scroll").scrollTo(0, 40)`);
  await until(`document.querySelector(".stream-scroll").scrollTop === 40`);
  // A frame later, the page knows the scroll position.
  await page.evaluate(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`,
  );
  await say(service, { channel: "C1", text: "message 31" });
  await until(`document.querySelectorAll(".post").length === 32`);
  assertEquals(await page.evaluate(`document.querySelector(".stream-scroll").scrollTop`), 40);
}, { plugins: [chat] });

browserTest(
  "edits, reactions and a deletion appear below their message, and files can be fetched",
  async (stage) => {
    const { page, service, open, until } = stage;
    const id = await say(service, { channel: "#general", text: "first *words*" });
    const { channel, ts } = service.events.get(id)!.payload as {
      channel: { id: string };
      ts: string;
    };
    const call = (method: string, more: object) =>
      post(service, `/api/${method}`, { channel: channel.id, ...more });
    await call("reactions.add", { timestamp: ts, name: "tada" });
    await open("/ui/chat/");
    await page.locator(".post").first().waitFor();
    assertEquals(await page.locator(".post-change").count(), 1);
    assertStringIncludes(await page.locator(".post-change").first().innerText(), "🎉");
    // Live, below a visible message.
    await call("chat.update", { ts, text: "second words" });
    const edit = await call("chat.delete", { ts });
    await until(`document.querySelectorAll(".post-change").length === 3`);
    assertEquals(await page.locator(".post").count(), 1);
    assertEquals(await texts(stage), ["first words", "second words"]);
    assertStringIncludes(await page.locator(".post-head").innerText(), "deleted");
    assertStringIncludes(await page.locator(".stream-head").innerText(), "1 channel");
    await open(`/ui/chat/?id=${edit}`);
    await page.locator(".post-change.selected").waitFor();
    const form = new FormData();
    form.append("payload_json", '{"content":"see","embeds":[{"title":"An embed"}]}');
    form.append("files[0]", new Blob(["abc"]), "<b>a.txt");
    const hook = `${service.ingress.url}/api/webhooks/1234567890/tok`;
    await (await fetch(hook, { method: "POST", body: form })).body?.cancel();
    await open("/ui/chat/?channel=all");
    await page.locator(".post-files").waitFor();
    assertStringIncludes(await page.locator(".post-files").innerText(), "<b>a.txt");
    const href = await page.locator(".post-files a").getAttribute("href");
    assertEquals(await (await fetch(`${service.api.url}${href}`)).text(), "abc");
    assertEquals(await page.locator(".card .block-header").innerText(), "An embed");
    assertEquals(stage.foreign, []);
  },
  { plugins: [chat] },
);

browserTest("a message is deleted after asking, and all are cleared", async (stage) => {
  const { page, service, open, until } = stage;
  await say(service, { channel: "C1", text: "one" });
  await say(service, { channel: "C1", text: "two" });
  await open("/ui/chat/");
  await page.locator(".post").first().hover();
  await page.click('.post [aria-label="Delete"]');
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".post").length === 1`);
  assertEquals(service.events.count("chat"), 1);
  await page.click('[aria-label="Clear all messages"]');
  await page.click("dialog .button.danger");
  await page.getByText("No messages yet").waitFor();
  assertEquals(service.events.count("chat"), 0);
}, { plugins: [chat] });

browserTest("hostile texts, links and colours stay harmless", async (stage) => {
  const { page, service, open } = stage;
  const evil = "<img src=https://evil.example/x onerror=alert(1)>";
  await say(service, {
    channel: `#${evil}`,
    username: evil,
    text: `${evil} \u202e <javascript:alert(1)|click> *${evil}*`,
  });
  await post(service, HOOK, {
    channel: "C1",
    attachments: [{
      color: "#fff;background:url(https://evil.example/c)",
      title: "t",
      title_link: "javascript:alert(1)",
      text: "<data:text/html,x|y>",
      image_url: "https://evil.example/i",
      thumb_url: "https://evil.example/t",
    }],
  });
  await post(service, HOOK, {
    channel: "C1",
    blocks: [{ type: "section", text: 5 }, { type: "context", elements: {} }, {
      type: "actions",
      elements: [null],
    }],
  });
  await open("/ui/chat/");
  await page.locator(".attachment-card").waitFor();
  assertEquals(await page.locator(".post img").count(), 0);
  assertEquals(
    await page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll(".post-main a.out")].map((a) => a.protocol))]`,
    ),
    ["https:"],
  );
  assertEquals(await page.locator("a a").count(), 0);
  const text = await page.locator(".post-text").first().innerText();
  assertStringIncludes(text, "U+202E");
  assertStringIncludes(text, "click");
  assertEquals(stage.foreign, []);
}, { plugins: [chat] });

browserTest("at 400 pixels one pane shows at a time, and nothing overflows", async (stage) => {
  const { page, service, open, until } = stage;
  const long = "x".repeat(300);
  await post(service, HOOK, {
    channel: "C1",
    blocks: [
      { type: "section", fields: [{ type: "mrkdwn", text: long }, { type: "mrkdwn", text: long }] },
      { type: "actions", elements: [{ type: "button", text: { type: "plain_text", text: long } }] },
      { type: "image", image_url: `https://example.com/${long}`, alt_text: "" },
    ],
  });
  await post(service, TEAMS, {
    "@type": "MessageCard",
    title: long,
    sections: [{ facts: [{ name: long, value: long }] }],
  });
  await open("/ui/chat/");
  await page.locator(".row-button").nth(2).click();
  await page.locator(".blocks").waitFor();
  assertEquals(await page.evaluate(`document.querySelector(".pane-list").offsetWidth`), 0);
  const fits = () =>
    page.evaluate<boolean>(`document.querySelector(".stream-scroll").scrollWidth <= 400`);
  assertEquals(await fits(), true);
  await open("/ui/chat/?channel=all");
  await page.locator(".message-card").waitFor();
  assertEquals(await fits(), true);
  await page.click('[aria-label="Back to the channels"]');
  await until(`document.querySelector(".pane-list").offsetWidth === 400`);
}, { plugins: [chat], width: 400 });
