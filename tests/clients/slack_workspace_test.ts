import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Logger, LogLevel, WebClient } from "npm:@slack/web-api@8.2.0";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startService, type TestService } from "../support/service.ts";

const BLOCKS = [{ type: "section" as const, text: { type: "mrkdwn" as const, text: "*b* é" } }];

const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

async function start() {
  const service = await startService({ plugins: [chat] });
  const client = new WebClient("xoxb-1", {
    slackApiUrl: `${service.ingress.url}/api/`,
    retryConfig: { retries: 0 },
    logger: silent,
  });
  return { service, client, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

async function failure(run: () => Promise<unknown>): Promise<unknown> {
  return ((await assertRejects(run)) as { data?: { error?: unknown } }).data?.error;
}

const unixNow = () => Math.floor(Date.now() / 1000);

Deno.test("@slack/web-api edits, reacts to and deletes a message: each makes an event, and the first is kept", async () => {
  await using running = await start();
  const { service, client } = running;
  const posted = await client.chat.postMessage({ channel: "general", text: "one", blocks: BLOCKS });
  const channel = posted.channel!;
  const ts = posted.ts!;
  assertMatch(channel, /^C[A-Z0-9]{10}$/);
  const again = await client.chat.postMessage({ channel: "#general", text: "two" });
  assertEquals(again.channel, channel, "a name with or without # is one channel");

  const updated = await client.chat.update({ channel, ts, text: "uno" });
  assertEquals([updated.channel, updated.ts, updated.text], [channel, ts, "uno"]);
  const [edited] = (await client.conversations.history({ channel, latest: again.ts! })).messages!;
  assertEquals([edited?.text, edited?.blocks, edited?.edited?.user], [
    "uno",
    undefined,
    "U0STANDIN1",
  ]);

  await client.reactions.add({ channel, timestamp: ts, name: "thumbsup" });
  const add = () => client.reactions.add({ channel, timestamp: ts, name: "thumbsup" });
  assertEquals(await failure(add), "already_reacted");
  const reactions = await client.reactions.get({ channel, timestamp: ts });
  assertEquals(reactions.message?.reactions, [{
    name: "thumbsup",
    users: ["U0STANDIN1"],
    count: 1,
  }]);
  assertEquals((await client.reactions.list({})).items?.length, 1);
  await client.reactions.remove({ channel, timestamp: ts, name: "thumbsup" });
  assertEquals((await client.reactions.list({})).items, []);

  const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
  assertEquals(permalink, `https://standin.slack.com/archives/${channel}/p${ts.replace(".", "")}`);
  const deleted = await client.chat.delete({ channel, ts });
  assertEquals([deleted.channel, deleted.ts], [channel, ts]);
  assertEquals(await failure(() => client.chat.delete({ channel, ts })), "message_not_found");
  assertEquals(
    await failure(() => client.chat.update({ channel, ts, text: "x" })),
    "message_not_found",
  );
  const texts = (await client.conversations.history({ channel })).messages!.map(({ text }) => text);
  assertEquals(texts, ["two"]);

  const events = captured(service);
  assertEquals(events.map(({ type }) => type), [
    "chat.message",
    "chat.message",
    "chat.edit",
    "chat.reaction",
    "chat.reaction",
    "chat.deletion",
  ]);
  const [first, , edit, added, removed, gone] = events;
  assertEquals(first!.payload.text, "one");
  assertEquals(first!.payload.channel, { id: channel, name: "#general" });
  for (const { payload } of [edit!, added!, removed!, gone!]) {
    assertEquals([payload.ts, payload.change?.event_id], [ts, first!.id]);
  }
  assertEquals([edit!.payload.text, edit!.payload.change?.kind], ["uno", "edit"]);
  assertEquals(edit!.meta.authorization, "Bearer xoxb-1");
  assertEquals(added!.payload.change, {
    kind: "reaction_added",
    event_id: first!.id,
    reaction: "thumbsup",
  });
  assertEquals([gone!.payload.text, gone!.summary], ["uno", "#general: deleted: uno"]);
});

Deno.test("@slack/web-api edits blocks and attachments, which are kept as the vendor keeps them", async () => {
  await using running = await start();
  const { client } = running;
  const attachments = [{ fallback: "f", text: "a" }];
  const { channel = "", ts = "" } = await client.chat.postMessage({
    channel: "C1",
    text: "one",
    blocks: BLOCKS,
    attachments,
    metadata: { event_type: "e", event_payload: { a: 1 } },
  });
  const message = async () => (await client.conversations.history({ channel })).messages![0]!;
  await client.chat.update({ channel, ts, attachments: [{ text: "b" }] });
  let now = await message();
  assertEquals([now.blocks?.length, now.attachments?.[0]?.text], [1, "b"]);
  await client.chat.update({ channel, ts, text: "two", attachments: [] });
  now = await message();
  assertEquals([now.text, now.blocks, now.attachments], ["two", undefined, undefined]);
  assertEquals(now.metadata?.event_type, "e");
  const long = () => client.chat.update({ channel, ts, text: "x".repeat(4001) });
  assertEquals(await failure(long), "msg_too_long");
  // An id is required, and this is a name.
  assertEquals(
    await failure(() => client.chat.update({ channel: "#general", ts, text: "x" })),
    "channel_not_found",
  );
});

Deno.test("@slack/web-api reads channels, threads and pages back", async () => {
  await using running = await start();
  const { client } = running;
  const root = await client.chat.postMessage({ channel: "alerts", text: "root" });
  const channel = root.channel!;
  for (const text of ["a", "b"]) {
    await client.chat.postMessage({ channel, text, thread_ts: root.ts! });
  }
  await client.chat.postMessage({ channel, text: "c", thread_ts: root.ts!, reply_broadcast: true });
  await client.chat.postMessage({ channel, text: "last" });

  const list = await client.conversations.list({ limit: 1 });
  const rest = await client.conversations.list({
    limit: 10,
    cursor: list.response_metadata!.next_cursor!,
  });
  const names = [...list.channels!, ...rest.channels!].map(({ name }) => name).sort();
  assertEquals(names, ["alerts", "general"]);
  const info = await client.conversations.info({ channel });
  assertEquals([info.channel?.name, info.channel?.is_general], ["alerts", false]);
  const { members = [] } = await client.conversations.members({ channel });
  assertEquals(members, ["U0STANDIN1", "U0STANDIN2"]);

  const history = await client.conversations.history({ channel, limit: 2 });
  assertEquals(history.messages?.map(({ text }) => text), ["last", "c"]);
  assertEquals(history.has_more, true);
  const older = await client.conversations.history({
    channel,
    limit: 2,
    cursor: history.response_metadata!.next_cursor!,
  });
  assertEquals(older.messages?.map(({ text }) => text), ["root"]);
  assertEquals([older.messages?.[0]?.reply_count, older.has_more], [3, false]);
  const thread = await client.conversations.replies({ channel, ts: root.ts! });
  assertEquals(thread.messages?.map(({ text }) => text), ["root", "a", "b", "c"]);
  const one = await client.conversations.history({
    channel,
    oldest: root.ts!,
    latest: root.ts!,
    inclusive: true,
  });
  assertEquals(one.messages?.map(({ text }) => text), ["root"]);

  const refusals: readonly [string, () => Promise<unknown>][] = [
    ["channel_not_found", () => client.conversations.info({ channel: "C0NOBODY" })],
    ["channel_not_found", () => client.conversations.history({ channel: "alerts" })],
    ["thread_not_found", () => client.conversations.replies({ channel, ts: "1.000000" })],
    ["invalid_cursor", () => client.conversations.list({ cursor: "x" })],
    ["invalid_cursor", () => client.conversations.list({ cursor: btoa("history:1") })],
    ["invalid_types", () => client.conversations.list({ types: "public" })],
    ["invalid_ts_oldest", () => client.conversations.history({ channel, oldest: "x" })],
    ["message_not_found", () => client.chat.getPermalink({ channel, message_ts: "1.000000" })],
    ["no_reaction", () => client.reactions.remove({ channel, timestamp: root.ts!, name: "x" })],
    ["invalid_name", () => client.reactions.add({ channel, timestamp: root.ts!, name: ":x:" })],
    ["bad_timestamp", () => client.reactions.add({ channel, timestamp: "x", name: "x" })],
    ["user_not_found", () => client.users.info({ user: "U0NOBODY" })],
    ["users_not_found", () => client.users.lookupByEmail({ email: "nobody" })],
    ["team_not_found", () => client.team.info({ team: "T0OTHER" })],
  ];
  for (const [error, run] of refusals) assertEquals(await failure(run), error);
});

Deno.test("@slack/web-api finds users, and opens a direct message with one", async () => {
  await using running = await start();
  const { service, client } = running;
  const found = await client.users.lookupByEmail({ email: "Grace@example.com" });
  const user = found.user!.id!;
  assertEquals([found.user?.name, found.user?.profile?.email], ["grace", "Grace@example.com"]);
  assertEquals((await client.users.lookupByEmail({ email: "grace@EXAMPLE.com" })).user?.id, user);
  assertEquals((await client.users.info({ user })).user?.name, "grace");
  const { members = [] } = await client.users.list({});
  assertEquals(members.map(({ name }) => name), ["slackbot", "standin", "ada", "grace"]);
  const { user_id } = await client.auth.test();
  assert(members.some(({ id }) => id === user_id));
  assertEquals((await client.team.info()).team?.id, (await client.auth.test()).team_id);

  const opened = await client.conversations.open({ users: user });
  const channel = opened.channel!.id!;
  const posted = await client.chat.postMessage({ channel: user, text: "hi" });
  assertEquals(posted.channel, channel);
  const ims = await client.conversations.list({ types: "im" });
  assertEquals(ims.channels?.map(({ id, user }) => [id, user]), [[channel, user]]);
  const [event] = captured(service);
  assertEquals(event!.payload.channel, { id: channel, name: "@grace" });
  assertEquals((await service.getJson<unknown[]>("/chat/messages?channel=grace")).length, 1);

  const group = await client.conversations.open({ users: `${user},U0STANDIN2`, return_im: true });
  const { is_mpim } = group.channel as { is_mpim?: boolean };
  assertEquals(is_mpim, true);
  assertEquals(
    await failure(() => client.apiCall("conversations.open", {})),
    "users_list_not_supplied",
  );
  assertEquals((await client.conversations.join({ channel: "C0NEW" })).channel?.id, "C0NEW");
  const created = await client.conversations.create({ name: "plans" });
  const there = await client.chat.postMessage({ channel: "#plans", text: "x" });
  assertEquals(there.channel, created.channel?.id);
  assertEquals(await failure(() => client.conversations.create({ name: "plans" })), "name_taken");
});

Deno.test("@slack/web-api schedules messages, and cancels one", async () => {
  await using running = await start();
  const { service, client } = running;
  const post_at = unixNow() + 3600;
  const first = await client.chat.scheduleMessage({ channel: "#general", text: "later", post_at });
  const second = await client.chat.scheduleMessage({
    channel: "#general",
    text: "last",
    post_at: post_at + 1,
  });
  assertEquals([first.post_at, first.message?.text], [post_at, "later"]);
  const list = await client.chat.scheduledMessages.list({});
  assertEquals(list.scheduled_messages?.map(({ id, text }) => [id, text]), [
    [first.scheduled_message_id, "later"],
    [second.scheduled_message_id, "last"],
  ]);
  const channel = first.channel!;
  const taken = { channel, scheduled_message_id: first.scheduled_message_id! };
  await client.chat.deleteScheduledMessage(taken);
  assertEquals(
    await failure(() => client.chat.deleteScheduledMessage(taken)),
    "invalid_scheduled_message_id",
  );
  const left = await client.chat.scheduledMessages.list({ channel });
  assertEquals(left.scheduled_messages?.map(({ text }) => text), ["last"]);
  assertEquals((await client.conversations.history({ channel })).messages, []);
  const at = (post_at: number) => () =>
    client.chat.scheduleMessage({ channel, text: "x", post_at });
  assertEquals(await failure(at(unixNow() - 10)), "time_in_past");
  assertEquals(await failure(at(unixNow() + 121 * 86_400)), "time_too_far");
  const events = captured(service);
  assertEquals(events.map(({ type }) => type), [
    "chat.scheduled",
    "chat.scheduled",
    "chat.deletion",
  ]);
  assertEquals(events[0]!.meta.post_at, post_at);
});

Deno.test("@slack/web-api posts an ephemeral message, which is in no history", async () => {
  await using running = await start();
  const { service, client } = running;
  const { channel = "" } = await client.chat.postMessage({ channel: "#general", text: "all" });
  const sent = await client.chat.postEphemeral({ channel, user: "U0STANDIN2", text: "psst" });
  assertMatch(sent.message_ts!, /^\d{10}\.\d{6}$/);
  assertEquals((await client.conversations.history({ channel })).messages?.length, 1);
  const ts = sent.message_ts!;
  assertEquals(
    await failure(() => client.chat.update({ channel, ts, text: "x" })),
    "message_not_found",
  );
  assertEquals(captured(service)[1]!.payload.visible_to, "U0STANDIN2");
});

Deno.test("@slack/web-api uploads files, and their bytes are in the event", async () => {
  await using running = await start();
  const { service, client } = running;
  const bytes = crypto.getRandomValues(new Uint8Array(5000));
  const { channel = "" } = await client.chat.postMessage({ channel: "#general", text: "x" });
  const result = await client.files.uploadV2({
    channel_id: channel,
    initial_comment: "two files",
    file_uploads: [
      { file: Buffer.from(bytes), filename: "noise.bin", title: "Noise" },
      { content: "hello é", filename: "hello.txt" },
    ],
  }) as unknown as { files: { files: { name: string; title: string; size: number }[] }[] };
  assertEquals(result.files[0]!.files.map(({ name, title, size }) => [name, title, size]), [
    ["noise.bin", "Noise", 5000],
    ["hello.txt", "hello.txt", 8],
  ]);
  const event = captured(service)[1]!;
  assertEquals([event.payload.text, event.payload.channel.id], ["two files", channel]);
  const [noise, hello] = event.payload.files!;
  assertEquals([noise!.filename, noise!.title, noise!.size], ["noise.bin", "Noise", 5000]);
  const blob = async (id: string) =>
    await (await fetch(`${service.api.url}/api/v1/blobs/${id}`)).bytes();
  assertEquals(await blob(noise!.blob.id), bytes);
  assertEquals(new TextDecoder().decode(await blob(hello!.blob.id)), "hello é");
  const [shared] = (await client.conversations.history({ channel })).messages!;
  assertEquals(shared?.files?.map(({ name }) => name), ["noise.bin", "hello.txt"]);
  const unknown = () =>
    client.files.completeUploadExternal({ files: [{ id: "F0NOBODY" }], channel_id: channel });
  assertEquals(await failure(unknown), "file_not_found");
  const { upload_url } = await client.files.getUploadURLExternal({ filename: "a", length: 1 });
  const send = async () => {
    const answer = await fetch(upload_url!, { method: "POST", body: "a" });
    return [answer.status, await answer.text()];
  };
  assertEquals(await send(), [200, "OK - 1"]);
  assertEquals(await send(), [404, "invalid_upload"]);
});

Deno.test("@slack/web-api opens, stacks and updates views, which are captured", async () => {
  await using running = await start();
  const { service, client } = running;
  const view = (text: string, more: object = {}) => ({
    type: "modal" as const,
    title: { type: "plain_text" as const, text },
    blocks: BLOCKS,
    ...more,
  });
  const trigger_id = "12345.98765.abcd";
  const opened = await client.views.open({
    trigger_id,
    view: view("First", { external_id: "own", private_metadata: "p" }),
  });
  assertEquals([opened.view?.type, opened.view?.private_metadata], ["modal", "p"]);
  const pushed = await client.views.push({ trigger_id, view: view("Second") });
  assertEquals(pushed.view?.previous_view_id, opened.view?.id);
  await client.views.update({
    external_id: "own",
    view: view("Changed"),
    hash: opened.view!.hash!,
  });
  const stale = () =>
    client.views.update({ view_id: opened.view!.id!, view: view("x"), hash: opened.view!.hash! });
  assertEquals(await failure(stale), "hash_conflict");
  const home = { type: "home" as const, blocks: BLOCKS };
  const published = await client.views.publish({ user_id: "U0STANDIN2", view: home });
  const again = await client.views.publish({ user_id: "U0STANDIN2", view: home });
  assertEquals(again.view?.id, published.view?.id);
  assertEquals(
    await failure(() => client.views.update({ view_id: "V0", view: view("x") })),
    "not_found",
  );
  assertEquals(
    await failure(() => client.views.open({ trigger_id: "", view: view("x") })),
    "invalid_arguments",
  );
  const events = captured(service);
  assertEquals(events.map(({ type, payload }) => [type, payload.channel.name]), [
    ["chat.view", "Modals"],
    ["chat.view", "Modals"],
    ["chat.view", "Modals"],
    ["chat.view", "@ada"],
    ["chat.view", "@ada"],
  ]);
  assertEquals(events[0]!.payload.text, "First\n*b* é");
  assertEquals(events[0]!.payload.contents?.[0]?.format, "chat1.view");
});

Deno.test("a reset and a cleared list leave an empty workspace", async () => {
  await using running = await start();
  const { service, client } = running;
  const { channel = "", ts = "" } = await client.chat.postMessage({ channel: "ops", text: "x" });
  await client.users.lookupByEmail({ email: "grace@example.com" });
  const names = async () => (await client.conversations.list()).channels!.map(({ name }) => name);
  assertEquals((await names()).sort(), ["general", "ops"]);
  const cleared = await fetch(`${service.api.url}/api/v1/chat/messages`, { method: "DELETE" });
  assertEquals(cleared.status, 204);
  assertEquals(await names(), ["general"]);
  assertEquals(
    await failure(() => client.chat.update({ channel, ts, text: "y" })),
    "channel_not_found",
  );
  assertEquals((await client.users.list({})).members?.length, 4);
  await service.reset();
  assertEquals((await client.users.list({})).members?.length, 3);
});
