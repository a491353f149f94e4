import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { browserTest, type Stage } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

/** Sends a message through push1 and returns its event id. */
async function sendFcm(service: TestService, message: unknown): Promise<string> {
  const response = await fetch(`${service.ingress.url}/v1/projects/shop/messages:send`, {
    method: "POST",
    body: JSON.stringify({ message }),
  });
  assertEquals(response.status, 200, await response.text());
  return response.headers.get("x-service-event-url")!.split("/").at(-1)!;
}

/** Sends a payload through push2 and returns its event id. */
async function sendApns(
  service: TestService,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${service.ingress.url}/3/device/phone`, {
    method: "POST",
    headers: { "apns-topic": "com.example.Taxi", ...headers },
    body: JSON.stringify(payload),
  });
  assertEquals(response.status, 200, await response.text());
  return response.headers.get("x-service-event-url")!.split("/").at(-1)!;
}

const verdicts = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .push-verdict").allInnerTexts();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `pushes are listed with a one-word verdict, live, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      await sendFcm(service, { token: "t", notification: { title: "Goal!", body: "2:1" } });
      await sendApns(service, { aps: { "content-available": 1 }, orderId: 5 });
      await open("/ui/push/");
      await page.locator(".row").first().waitFor();
      assertEquals(await verdicts(stage), ["silent", "shown"]);
      const silent = await page.locator(".row").first().innerText();
      assertStringIncludes(silent, "(nothing shown)");
      assertStringIncludes(
        silent,
        "Shows nothing: the app is woken and the app gets 1 key of data",
      );
      assertEquals(await page.locator(".push-row.kind-silent").count(), 1);
      // Live, without a reload.
      await sendApns(service, {});
      await until(`document.querySelectorAll(".row").length === 3`);
      assertEquals(await verdicts(stage), ["empty", "silent", "shown"]);
      assertEquals(await page.locator(".row .row-title").allInnerTexts(), [
        "(nothing shown)",
        "(nothing shown)",
        "Goal!",
      ]);
      assertEquals(stage.foreign, []);
    },
    { plugins: [push], scheme },
  );
}

browserTest("an Apple push is drawn as a card with its whole alert", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendApns(service, {
    aps: {
      alert: { title: "Your taxi", subtitle: "Two minutes", "loc-key": "TAXI", "loc-args": ["2"] },
      badge: 3,
      sound: "horn.aiff",
    },
    ride: 7,
  }, { "apns-priority": "5", "apns-expiration": "0", "apns-collapse-id": "ride" });
  await open(`/ui/push/?id=${id}`);
  await page.locator(".ios-card").waitFor();
  const card = await page.locator(".ios-card").innerText();
  for (const text of ["Your taxi", "Two minutes", "TAXI · 2", "badge 3", "horn.aiff"]) {
    assertStringIncludes(card, text);
  }
  const facts = await page.locator(".push-facts").innerText();
  for (const text of ["normal (sent as 5)", "at once", "ride", "device phone"]) {
    assertStringIncludes(facts, text);
  }
  assertStringIncludes(await page.locator(".push-warning").innerText(), "only speaks HTTP/2");
  assertStringIncludes(await page.locator(".item-part").innerText(), "ride");
  await page.click('[role="tab"]:has-text("payload")');
  assertStringIncludes(await page.locator(".item-part").innerText(), "loc-args");
}, { plugins: [push] });

browserTest(
  "a push to any phone is drawn for both; its image stays a URL",
  async (stage) => {
    const { page, service, open } = stage;
    const id = await sendFcm(service, {
      topic: "news",
      notification: { title: "Sale", body: "Today", image: "https://evil.example/i.png" },
    });
    await open(`/ui/push/?id=${id}`);
    await page.locator(".android-card").waitFor();
    assertStringIncludes(await page.locator(".android-card").innerText(), "shop");
    assertEquals(
      await page.locator(".android-card .card-image").innerText(),
      "https://evil.example/i.png",
    );
    await page.click('[role="tab"]:has-text("iOS")');
    await page.locator(".ios-card").waitFor();
    assertEquals(await page.locator(".push-detail img").count(), 0);
    assertEquals(stage.foreign, []);
  },
  { plugins: [push] },
);

browserTest("an alert for one platform is drawn on that phone only", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendFcm(service, {
    token: "t",
    apns: { payload: { aps: { alert: { title: "Apple only" } } } },
  });
  await open(`/ui/push/?id=${id}`);
  await page.locator(".ios-card").waitFor();
  assertStringIncludes(await page.locator(".push-explain").innerText(), "on Apple devices only");
  await page.click('[role="tab"]:has-text("Android")');
  assertStringIncludes(await page.locator(".phone").innerText(), "Nothing is shown");
}, { plugins: [push] });

browserTest("a silent push cannot be mistaken for a notification", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendFcm(service, { token: "t", data: { sync: "1" } });
  await open(`/ui/push/?id=${id}`);
  await page.locator(".phone.kind-silent").waitFor();
  assertEquals(await page.locator(".lock-card").count(), 0);
  assertStringIncludes(await page.locator(".phone").innerText(), "Nothing is shown");
  assertEquals(await page.locator(".item-head .push-verdict").innerText(), "silent");
}, { plugins: [push] });

browserTest("filters narrow the list and are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  await sendFcm(service, { token: "t", notification: { title: "alpha" } });
  await sendFcm(service, { topic: "news", data: { a: "b" } });
  await open("/ui/push/?kind=silent");
  await page.locator(".row").first().waitFor();
  assertEquals(await verdicts(stage), ["silent"]);
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".row").length === 2`);
  await page.fill('[aria-label="Search pushes"]', "ALPHA");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(await verdicts(stage), ["shown"]);
  await page.fill('[aria-label="Search pushes"]', "nothing like it");
  await page.getByText("No push matches").waitFor();
}, { plugins: [push] });

browserTest("a push is deleted after asking, and all are cleared", async (stage) => {
  const { page, service, open, until } = stage;
  const id = await sendFcm(service, { token: "t" });
  await sendFcm(service, { token: "t" });
  await open(`/ui/push/?id=${id}`);
  await page.click(".item-actions .button.danger");
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(service.events.count("push"), 1);
  await page.click('[aria-label="Clear all pushes"]');
  await page.click("dialog .button.danger");
  await page.getByText("No pushes yet").waitFor();
  assertEquals(service.events.count("push"), 0);
  assertStringIncludes(await page.locator(".howto").innerText(), "messages:send");
}, { plugins: [push] });

browserTest("hostile texts stay texts", async (stage) => {
  const { page, service, open } = stage;
  const hostile = "<img src=https://evil.example/x onerror=alert(1)> \u202e javascript:alert(1)";
  const id = await sendApns(service, {
    aps: {
      alert: { title: hostile, subtitle: hostile, body: hostile.repeat(20) },
      sound: hostile,
      category: hostile,
    },
    [hostile]: hostile,
  }, { "apns-topic": "<b>app</b>" });
  await open(`/ui/push/?id=${id}`);
  await page.locator(".ios-card").waitFor();
  assertStringIncludes(await page.locator(".card-title").first().innerText(), "<img src=");
  assertStringIncludes(await page.locator(".card-title").first().innerText(), "U+202E");
  assertEquals(await page.locator(".push-detail img, .push-detail .lock-card a").count(), 0);
  assert((await page.locator(".card-body").innerText()).length < 1000);
  assertEquals(stage.foreign, []);
}, { plugins: [push] });

browserTest("a narrow screen shows either the list or the push", async (stage) => {
  const { page, service, open } = stage;
  await sendFcm(service, { token: "t", notification: { title: "Narrow" } });
  await open("/ui/push/");
  await page.click(".row .row-button");
  await page.locator(".android-card").waitFor();
  const wide = await page.evaluate<boolean>(
    `document.documentElement.scrollWidth > document.documentElement.clientWidth`,
  );
  assertEquals(wide, false);
  await page.click('[aria-label="Back to the list"]');
  await page.locator(".row .row-title").first().waitFor();
}, { plugins: [push], width: 390, height: 780 });
