/** Events, slash commands and buttons of Slack, handled by an app in the vendor's framework. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ViewSubmitAction } from "npm:@slack/bolt@5.1.0";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startBolt as start } from "../support/slack_app.ts";

const ofSurface = (surface: string) => ({
  match: ({ meta }: { meta: Readonly<Record<string, unknown>> }) => meta.surface === surface,
});

Deno.test(
  "a Bolt app handles events, a slash command and a button, and its responses are captured",
  async () => {
    await using running = await start();
    const { app, service } = running;
    const seen: string[] = [];
    app.message(/help/, async ({ message, say }) => {
      seen.push(message.type);
      await say({
        text: "Approve?",
        blocks: [{
          type: "actions",
          block_id: "decision",
          elements: [
            {
              type: "button",
              action_id: "approve",
              value: "7",
              text: { type: "plain_text", text: "Approve" },
            },
          ],
        }],
      });
    });
    app.command("/deploy", async ({ command, ack, respond }) => {
      await ack(`Deploying ${command.text}`);
      await respond({ text: "Done", response_type: "in_channel" });
    });
    app.action("approve", async ({ ack, respond, action, body }) => {
      await ack();
      assertEquals([action.type, body.user.id], ["button", "U0STANDIN2"]);
      await respond(`Approved ${(action as { value?: string }).value}`);
    });
    app.event("reaction_added", ({ event }) => {
      seen.push(event.reaction);
      return Promise.resolve();
    });

    const verified = await service.inbound("chat1", { type: "url_verification" });
    assertEquals(verified.calls.map(({ state }) => state), ["done"]);

    const event = { type: "message", channel: "C123", user: "U9", text: "help me" };
    const [message] = (await service.inbound("chat1", { event })).calls;
    assertEquals(message?.state, "done");
    const asked = await service.waitFor<ChatMessage>("chat.message");
    assertEquals([asked.payload.text, asked.payload.channel.id], ["Approve?", "C123"]);

    const { offers } = await service.getJson<{ offers: { label: string; with?: unknown }[] }>(
      `/events/${asked.id}/callbacks`,
    );
    assertEquals(offers.map(({ label }) => label), ["Press “Approve”", "Reply", "React"]);
    const [pressed] = await service.callback(asked, "press", { action_id: "approve" });
    assertEquals(pressed?.state, "done");
    const approved = await service.waitFor<ChatMessage>("chat.message", ofSurface("response_url"));
    assertEquals([approved.payload.text, approved.meta.in_response_to], ["Approved 7", asked.id]);
    await service.callback(asked, "reaction", { reaction: "tada" });
    assertEquals(seen, ["message", "tada"]);

    const command = await service.inbound("chat1", { command: "/deploy", text: "now" });
    const answered = await service.waitFor<ChatMessage>(
      "chat.message",
      ofSurface("command_answer"),
    );
    assertEquals([answered.payload.text, answered.meta.response_type], [
      "Deploying now",
      "ephemeral",
    ]);
    assertEquals(command.calls[0]?.captured, [answered.id]);
    const done = await service.waitFor<ChatMessage>("chat.message", {
      match: ({ payload }) => payload.text === "Done",
    });
    assertEquals(done.meta.surface, "response_url");
  },
);

/** An app that opens a modal with each kind of input when its command is used. */
const ORDER = {
  type: "modal" as const,
  callback_id: "order",
  notify_on_close: true,
  private_metadata: "m1",
  title: { type: "plain_text" as const, text: "Order" },
  submit: { type: "plain_text" as const, text: "Send" },
  blocks: [
    {
      type: "input",
      block_id: "name_block",
      label: { type: "plain_text", text: "Name" },
      element: { type: "plain_text_input", action_id: "name", min_length: 2 },
    },
    {
      type: "input",
      block_id: "when_block",
      label: { type: "plain_text", text: "When" },
      element: { type: "datepicker", action_id: "when", initial_date: "2026-01-31" },
    },
    {
      type: "input",
      block_id: "extras_block",
      optional: true,
      label: { type: "plain_text", text: "Extras" },
      element: {
        type: "checkboxes",
        action_id: "extras",
        options: ["cheese", "olives"].map((value) => ({
          text: { type: "plain_text", text: value },
          value,
        })),
      },
    },
    {
      type: "section",
      block_id: "size_block",
      text: { type: "mrkdwn", text: "Size" },
      accessory: {
        type: "static_select",
        action_id: "size",
        options: ["small", "large"].map((value) => ({
          text: { type: "plain_text", text: value },
          value,
        })),
      },
    },
    {
      type: "input",
      block_id: "room_block",
      optional: true,
      label: { type: "plain_text", text: "Room" },
      element: {
        type: "conversations_select",
        action_id: "room",
        response_url_enabled: true,
      },
    },
  ],
};

/** Lets a command open the modal. The function that it returns uses it, and returns the event. */
function takeOrders({ app, service }: Awaited<ReturnType<typeof start>>) {
  app.command("/order", async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: ORDER as never });
  });
  return async () => {
    const known = new Set(service.events.list({ type: "chat.view" }).map(({ id }) => id));
    await service.inbound("chat1", { command: "/order" });
    const match = ({ id }: { id: string }) => !known.has(id);
    return await service.waitFor<ChatMessage>("chat.view", { match });
  };
}

Deno.test("a Bolt app gets what a user enters in a modal, and its answers are carried out", async () => {
  await using running = await start();
  const { app, service } = running;
  const order = takeOrders(running);
  const opened = await order();
  const seen: unknown[] = [];
  app.action("size", async ({ ack, action, body }) => {
    await ack();
    const { selected_option, type } = action as { selected_option: unknown; type: string };
    const { view } = body as unknown as {
      view: { id: string; state: { values: Record<string, Record<string, unknown>> } };
    };
    seen.push([type, selected_option, view.id, view.state.values.size_block!.size]);
  });
  app.view("order", async ({ ack, view, body: given }) => {
    const body = given as ViewSubmitAction;
    const { name_block, when_block, extras_block, room_block } = view.state.values;
    const name = name_block!.name!.value!;
    seen.push([
      view.private_metadata,
      name_block!.name,
      when_block!.when,
      extras_block!.extras!.selected_options!.map(({ value }) => value),
      body.response_urls?.map(({ block_id, channel_id }) => [block_id, channel_id]),
    ]);
    if (name === "Nobody") {
      return await ack({ response_action: "errors", errors: { name_block: "Who is that?" } });
    }
    if (name === "Push") {
      const title = { type: "plain_text" as const, text: "On top" };
      const view = { type: "modal" as const, callback_id: "top", title, blocks: [] };
      return await ack({ response_action: "push", view });
    }
    if (name === "Update") {
      const title = { type: "plain_text" as const, text: "Thanks" };
      const view = { type: "modal" as const, callback_id: "done", title, blocks: [] };
      return await ack({ response_action: "update", view });
    }
    await ack();
    if (room_block?.room?.selected_conversation) {
      await fetch(body.response_urls![0]!.response_url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: `Ordered for ${name}` }),
      }).then((response) => response.body?.cancel());
    }
  });

  const { offers } = await service.getJson<{
    offers: {
      label: string;
      params: { values?: { schema: { properties: Record<string, unknown> } } };
    }[];
  }>(`/events/${opened.id}/callbacks`);
  assertEquals(offers.map(({ label }) => label), [
    "Submit “Send”",
    "Close",
    "Fill in “Size”",
  ]);
  const { properties } = offers[0]!.params.values!.schema;
  assertEquals(Object.keys(properties), ["name", "when", "extras", "size", "room"]);
  assertEquals(properties.when, {
    title: "When",
    type: "string",
    format: "date",
    default: "2026-01-31",
  });

  const large = { text: { type: "plain_text", text: "large" }, value: "large" };
  await service.callback(opened, "choose", { action_id: "size", value: "large" });
  assertEquals(seen.splice(0), [[
    "static_select",
    large,
    opened.meta.view_id,
    { type: "static_select", selected_option: large },
  ]]);

  const submit = async (values: object, event = opened) => {
    const [call] = await service.callback(event, "submit", { values });
    return call!;
  };
  for (
    const [values, problem] of [
      [{}, '"Name" (name) needs a value'],
      [{ name: "A" }, "expected 2 to 3000 characters, not 1"],
      [
        { name: "Ada", extras: ["salt"] },
        '"salt" is not an option; expected one of cheese, olives',
      ],
      [{ name: "Ada", when: "31.1." }, "expected a date such as 2026-01-31"],
      [{ nam: "Ada" }, 'Cannot find element "nam"'],
    ] as const
  ) {
    assertStringIncludes(String(await submit(values).catch(String)), problem);
  }
  const wrong = await submit({ name: "Nobody", extras: ["olives"] });
  assertEquals(
    [wrong.state, wrong.outcome],
    ["done", "The modal stays open with errors: Name: Who is that?"],
  );
  assertEquals(seen.splice(0), [[
    "m1",
    { type: "plain_text_input", value: "Nobody" },
    { type: "datepicker", selected_date: "2026-01-31" },
    ["olives"],
    [],
  ]]);

  const pushed = await submit({ name: "Push" });
  assertEquals([pushed.outcome, pushed.captured?.length], ["A modal opens on top", 1]);
  const top = service.events.get(pushed.captured![0]!)!;
  assertEquals(top.meta.surface, "view_answer");
  const closed = await service.callback(top, "close");
  assertEquals(closed, []);

  const updated = await submit({ name: "Update" });
  assertEquals(updated.outcome, "The modal is updated");
  const after = service.events.get(updated.captured![0]!)!;
  assertEquals(after.meta.view_id, opened.meta.view_id);
  assertStringIncludes(
    String(await submit({ name: "Ada" }).catch(String)),
    "it was updated: use the event of its last version",
  );

  const again = await order();
  const sent = await submit({ name: "Ada", "room_block/room": "C777" }, again);
  assertEquals(sent.outcome, "The modal is closed");
  const told = await service.waitFor<ChatMessage>("chat.message", ofSurface("response_url"));
  assertEquals([told.payload.text, told.payload.channel.id], ["Ordered for Ada", "C777"]);
  assertStringIncludes(
    String(await submit({ name: "Ada" }, again).catch(String)),
    "Cannot answer the view: it was closed",
  );
});

Deno.test("a Bolt app learns that a modal was closed, and can clear all modals", async () => {
  await using running = await start();
  const { app, service } = running;
  const order = takeOrders(running);
  const opened = await order();
  const seen: unknown[] = [];
  app.view({ callback_id: "order", type: "view_closed" }, async ({ ack, body }) => {
    await ack();
    seen.push([body.type, (body as { is_cleared?: boolean }).is_cleared, body.view.id]);
  });
  app.view("order", ({ ack }) => ack({ response_action: "clear" }));
  const calls = await service.callback(opened, "close", { cleared: true });
  assertEquals(calls.map(({ name, state }) => [name, state]), [["view_closed", "done"]]);
  assertEquals(seen, [["view_closed", true, opened.meta.view_id]]);
  const { offers } = await service.getJson<{ offers: unknown[] }>(
    `/events/${opened.id}/callbacks`,
  );
  assertEquals(offers, []);

  const [call] = await service.callback(await order(), "submit", { values: { name: "Ada" } });
  assertEquals(call?.outcome, "All modals are closed");
});

Deno.test("a Bolt app gets every kind of element of a message as the vendor sends it", async () => {
  await using running = await start();
  const { app, service } = running;
  const option = (value: string) => ({ text: { type: "plain_text", text: value }, value });
  const options = [option("one"), option("two")];
  const elements = [
    { type: "static_select", options },
    { type: "multi_static_select", options },
    { type: "radio_buttons", options, initial_option: options[0] },
    { type: "checkboxes", options },
    { type: "overflow", options },
    { type: "datepicker" },
    { type: "timepicker" },
    { type: "datetimepicker" },
    { type: "users_select" },
    { type: "multi_users_select" },
    { type: "conversations_select" },
    { type: "channels_select" },
    { type: "external_select" },
  ].map((element) => ({ ...element, action_id: element.type }));
  const blocks = [
    { type: "actions", block_id: "all", elements },
    {
      type: "input",
      block_id: "note",
      dispatch_action: true,
      label: { type: "plain_text", text: "Note" },
      element: { type: "plain_text_input", action_id: "note" },
    },
    {
      type: "actions",
      elements: [{ type: "button", text: { type: "plain_text", text: "Save" }, value: "s" }],
    },
  ];
  await app.client.chat.postMessage({ channel: "C1", text: "Choose", blocks: blocks as never });
  const asked = await service.waitFor<ChatMessage>("chat.message");
  const seen: Record<string, unknown>[] = [];
  let state: Record<string, Record<string, Record<string, unknown>>> = {};
  app.action(/.*/, async ({ ack, action, body }) => {
    await ack();
    const { action_ts: _ts, ...rest } = action as unknown as Record<string, unknown>;
    seen.push(rest);
    state = (body as unknown as { state: { values: typeof state } }).state.values;
  });
  const choose = async (action_id: string, value: unknown) => {
    const [call] = await service.callback(asked, "choose", { action_id, value });
    assertEquals(call?.state, "done");
    const { type, block_id, ...rest } = seen.pop()!;
    assertEquals([type, block_id, rest.action_id], [action_id, "all", action_id]);
    delete rest.action_id;
    return rest;
  };
  const [one, two] = options;
  assertEquals(await choose("static_select", "two"), { selected_option: two });
  assertEquals(state.all!.radio_buttons, { type: "radio_buttons", selected_option: one });
  assertEquals(state.all!.overflow, undefined);
  assertEquals(await choose("static_select", null), { selected_option: null });
  assertEquals(await choose("multi_static_select", ["one", "two"]), { selected_options: options });
  assertEquals(await choose("radio_buttons", "two"), {
    initial_option: one,
    selected_option: two,
  });
  assertEquals(await choose("checkboxes", ["one"]), { selected_options: [one] });
  assertEquals(await choose("overflow", "one"), { selected_option: one });
  assertEquals(await choose("datepicker", "2026-02-28"), { selected_date: "2026-02-28" });
  assertEquals(await choose("timepicker", "09:30"), { selected_time: "09:30" });
  assertEquals(await choose("datetimepicker", "2026-01-31T12:00"), {
    selected_date_time: 1769860800,
  });
  assertEquals(await choose("users_select", "U1"), { selected_user: "U1" });
  assertEquals(await choose("multi_users_select", ["U1", "U2"]), { selected_users: ["U1", "U2"] });
  assertEquals(await choose("conversations_select", "C1"), { selected_conversation: "C1" });
  assertEquals(await choose("channels_select", "C1"), { selected_channel: "C1" });
  const external = { text: { type: "plain_text", text: "x", emoji: true }, value: "x" };
  assertEquals(await choose("external_select", "x"), { selected_option: external });

  await service.callback(asked, "choose", { action_id: "note", value: "Hello" });
  assertEquals(seen.pop(), {
    type: "plain_text_input",
    action_id: "note",
    block_id: "note",
    value: "Hello",
  });
  await service.callback(asked, "press", { action_id: "a0", values: { note: "Saved" } });
  assertEquals([seen.pop()!.value, state.note!.note!.value], ["s", "Saved"]);
  const wrong = await service.callback(asked, "choose", { action_id: "timepicker", value: "25:00" })
    .catch(String);
  assertStringIncludes(String(wrong), 'Cannot fill in "timepicker": expected a time such as 09:30');
});

Deno.test(
  "a Bolt app refuses a wrong signature, which is shown, and a response_url can be used five times",
  async () => {
    await using running = await start();
    const { app, service } = running;
    app.command("/known", ({ ack }) => ack());
    const [call] = (await service.inbound("chat1", { command: "/known" })).calls;
    assertEquals([call?.state, call?.attempts.length], ["done", 1]);
    assert(call!.attempts[0]!.request_headers.some(([name]) => name === "X-Slack-Signature"));
    const url = new URLSearchParams(call!.body).get("response_url")!;
    const respond = async () => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: "late" }),
      });
      return [response.status, await response.text()];
    };
    for (let use = 0; use < 5; use++) assertEquals(await respond(), [200, "ok"]);
    assertEquals(await respond(), [404, "used_url"]);
    const forged = await fetch(call!.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": String(Math.floor(Date.now() / 1000)),
        "x-slack-signature": "v0=00",
      },
      body: call!.body,
    });
    await forged.body?.cancel();
    assertEquals(forged.status, 401);
    const wrong = await service.inbound("chat1", { type: "event" }).catch(String);
    assertStringIncludes(String(wrong), 'expected "event" with its type');
  },
);
