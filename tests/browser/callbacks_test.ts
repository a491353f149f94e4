/** Calls to the application on the page of an event: buttons, and the log of the results. */
import { Buffer } from "node:buffer";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, type Stage } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { startReceiver } from "../support/receiver.ts";

const port = freePort();

const field = (label: string) =>
  `.field:has(label:text-is("${label}")) input, .field:has(label:text-is("${label}")) select`;

/** Sends a mail to the SendGrid provider; resolves with the id of its event. */
async function send(service: Stage["service"]): Promise<string> {
  const response = await fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.key", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.com" },
      subject: "Invoice",
      content: [{ type: "text/plain", value: "Hello: https://shop.example/confirm?id=7" }],
    }),
  });
  await response.body?.cancel();
  return (await service.waitFor("mail.message")).id;
}

browserTest(
  "a button reports a bounce, and the log shows the call and the answer as text",
  async ({ page, service, open }) => {
    await using receiver = startReceiver(
      ({ body }) => new Response(body.includes("bounce") ? "<b>noted</b>" : ""),
      { port },
    );
    const id = await send(service);
    await open(`/ui/events/${id}`);
    await page.click('.callback-offers button:has-text("Bounce")');
    await page.locator('.callback-log li:has-text("bounced") .chip:has-text("done")').waitFor();
    await page.click('.callback-log li:has-text("bounced") summary');
    const text = await page.locator('.callback-log li:has-text("bounced")').innerText();
    assertStringIncludes(text, "<b>noted</b>");
    assertStringIncludes(text, "X-Twilio-Email-Event-Webhook-Signature");
    const names = service.callbacks(id).map(({ name }) => name);
    assertEquals(names.toSorted(), ["bounced", "delivered", "opened", "processed"]);
    assertEquals(receiver.received.length, 4);
    await page.click(".found-link a.out");
    await page.locator('.callback-log li:has-text("clicked") .chip:has-text("done")').waitFor();
    const [click] = JSON.parse(receiver.received[4]!.body);
    assertEquals([click.event, click.url], ["click", "https://shop.example/confirm?id=7"]);
  },
  {
    config: {
      callbacks: { enabled: true, opens: true, webhooks: { mail2: `http://127.0.0.1:${port}` } },
    },
  },
);

const paramsPort = freePort();

browserTest(
  "a callback is made with parameters from a form beside its button",
  async ({ page, service, open }) => {
    await using receiver = startReceiver(undefined, { port: paramsPort });
    const id = await send(service);
    await open(`/ui/events/${id}`);
    await page.click('[aria-label="Bounce: set parameters"]');
    await page.fill(field("reason"), "552 5.2.2 Over quota");
    await page.keyboard.press("Enter");
    await page.locator('.callback-log li:has-text("bounced") .chip:has-text("done")').waitFor();
    assertEquals(await page.locator(".callbacks form").count(), 0);
    const bounce = receiver.received.find(({ body }) => body.includes("bounce"));
    assertStringIncludes(bounce!.body, "552 5.2.2 Over quota");
  },
  {
    config: {
      callbacks: { enabled: true, webhooks: { mail2: `http://127.0.0.1:${paramsPort}` } },
    },
  },
);

const inboundPort = freePort();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `inbound calls are sent from a form, and every call is in the log, in ${scheme} colours`,
    async ({ page, service, open, until }) => {
      await using receiver = startReceiver(() => new Response("<i>noted</i>"), {
        port: inboundPort,
      });
      await open("/ui/");
      await page.keyboard.press("g");
      await page.keyboard.press("b");
      await page.getByText("No calls yet").waitFor();
      await page.keyboard.press("n");
      await until(`document.activeElement?.tagName === "SELECT"`);
      await page.selectOption(field("Provider"), "chat/chat1");
      await page.selectOption(field("Template"), "URL verification");
      assertStringIncludes(
        await page.evaluate<string>(
          `document.querySelector(".callback-form textarea").value`,
        ),
        "url_verification",
      );
      await page.fill(".callback-form textarea", "{");
      await page.click("text=Call the application");
      await page.getByText("Cannot read the payload: expected JSON").waitFor();
      await page.selectOption(field("Provider"), "sms/sms1");
      await page.click("text=Call the application");
      await page.locator('.event-head .chip:has-text("done")').waitFor();
      const text = await page.locator(".pane-detail").innerText();
      assertStringIncludes(text, "<i>noted</i>");
      assertStringIncludes(text, "X-Twilio-Signature");
      assertStringIncludes(receiver.received[0]!.body, "Where+is+my+order");
      const [call] = service.callbacks();
      assertEquals(await page.locator(".row.selected").getAttribute("data-id"), call!.id);
      await page.click(`.facts a[href="/ui/events/${call!.event}"]`);
      await page.locator(".event-item").waitFor();
    },
    {
      scheme,
      width: scheme === "dark" ? 400 : 1280,
      config: {
        callbacks: {
          enabled: true,
          inbound: { sms1: `http://127.0.0.1:${inboundPort}/sms` },
        },
      },
    },
  );
}

/** Opens a modal with a text, a date, boxes and a menu; resolves with the id of its event. */
async function openModal(service: Stage["service"]): Promise<string> {
  const text = (text: string) => ({ type: "plain_text", text });
  const options = ["cheese", "olives"].map((value) => ({ text: text(value), value }));
  const input = (label: string, element: object, more: object = {}) => ({
    type: "input",
    block_id: `${label.toLowerCase()}_block`,
    label: text(label),
    element,
    ...more,
  });
  const blocks = [
    input("Name", { type: "plain_text_input", action_id: "name" }),
    input("When", { type: "datepicker", action_id: "when", initial_date: "2026-01-31" }),
    input("Extras", { type: "checkboxes", action_id: "extras", options }, { optional: true }),
    input("Size", { type: "static_select", action_id: "size", options }, { optional: true }),
    input("Note", { type: "plain_text_input", action_id: "note", multiline: true }, {
      optional: true,
    }),
    input("Slip", { type: "file_input", action_id: "slip" }, { optional: true }),
    {
      type: "actions",
      elements: [{ type: "button", action_id: "help", text: text("Help"), value: "h" }],
    },
  ];
  const view = { type: "modal", title: text("Order"), submit: text("Send"), blocks };
  const response = await fetch(`${service.ingress.url}/api/views.open`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ trigger_id: "1.2", view }),
  });
  await response.body?.cancel();
  return (await service.waitFor("chat.view")).id;
}

const modalPort = freePort();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `a modal is filled in and submitted, and the page shows the app's answer, in ${scheme} colours`,
    async ({ page, service, open }) => {
      await using receiver = startReceiver(({ body }) => {
        const isWrong = new URLSearchParams(body).get("payload")!.includes('"value":"Nobody"');
        const errors = { name_block: "<i>Who?</i>" };
        return isWrong ? Response.json({ response_action: "errors", errors }) : new Response();
      }, { port: modalPort });
      const id = await openModal(service);
      await open(`/ui/events/${id}`);
      const offers = page.locator(".callback-offers > .callback-offer");
      await offers.first().waitFor();
      assertEquals(await offers.allInnerTexts(), [
        "Submit “Send”…",
        "Close",
        "Press “Help”",
      ]);
      const submit = async (name: string) => {
        await page.click('button:has-text("Submit “Send”")');
        await page.fill(field("Name"), name);
        await page.fill(field("When"), "2026-02-28");
        await page.click('.callbacks label:has-text("olives")');
        await page.selectOption(field("Size"), "cheese");
        await page.fill(".callbacks textarea", "Ring twice");
        await page.setInputFiles('.callbacks input[type="file"]', {
          name: "slip.txt",
          mimeType: "text/plain",
          buffer: Buffer.from("Four"),
        });
        await page.click("text=Call the application");
      };
      await submit("Nobody");
      await page.getByText("The modal stays open with errors: Name: <i>Who?</i>").first().waitFor();
      await submit("Ada");
      await page.getByText("The modal is closed").first().waitFor();
      await page.locator(".callback-offers").waitFor({ state: "hidden" });
      const { view } = JSON.parse(new URLSearchParams(receiver.received[1]!.body).get("payload")!);
      const [slip] = view.state.values.slip_block.slip.files;
      assertEquals([slip.name, slip.size, slip.mimetype], ["slip.txt", 4, "text/plain"]);
      delete view.state.values.slip_block;
      assertEquals(
        Object.fromEntries(
          Object.values<Record<string, Record<string, unknown>>>(view.state.values)
            .flatMap((block) => Object.entries(block))
            .map(([name, { type: _type, ...value }]) => [name, Object.values(value)[0]]),
        ),
        {
          name: "Ada",
          when: "2026-02-28",
          extras: [{ text: { type: "plain_text", text: "olives" }, value: "olives" }],
          size: { text: { type: "plain_text", text: "cheese" }, value: "cheese" },
          note: "Ring twice",
        },
      );
    },
    {
      scheme,
      config: {
        callbacks: {
          enabled: true,
          inbound: { chat1: `http://127.0.0.1:${modalPort}/slack/events` },
        },
      },
    },
  );
}

browserTest("the page says how to turn callbacks on", async ({ page, open }) => {
  await open("/ui/callbacks/");
  await page.getByText("Callbacks are off").waitFor();
});
