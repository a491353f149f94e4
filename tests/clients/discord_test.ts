import { Buffer } from "node:buffer";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AttachmentBuilder, EmbedBuilder, WebhookClient } from "npm:discord.js@14.28.1";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startService, type TestService } from "../support/service.ts";

const ID = "1234567890123456789";

function connect(service: TestService, { id = ID, token = "token" } = {}) {
  return new WebhookClient({ id, token }, {
    rest: {
      api: `${service.ingress.url}/api`,
      retries: 0,
      // No timers that outlive a test.
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
    },
  });
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<ChatMessage>[] {
  return (service.events.list({ plugin: "chat" }) as CapturedEvent<ChatMessage>[]).reverse();
}

/** Status and number of a refusal. */
async function refusal(run: () => Promise<unknown>): Promise<[unknown, unknown]> {
  const error = await assertRejects(run) as { status?: unknown; code?: unknown };
  return [error.status, error.code];
}

Deno.test(
  "discord.js sends, reads, edits and deletes, and the events hold all of it",
  async () => {
    await using service = await startService({ plugins: [chat] });
    const webhook = connect(service);
    const embed = new EmbedBuilder().setTitle("T é").setDescription("D").addFields({
      name: "n",
      value: "v",
    });
    const sent = await webhook.send({
      content: "hello",
      username: "deploy",
      embeds: [embed],
      allowedMentions: { parse: [] },
      files: [new AttachmentBuilder(Buffer.from("bytes é"), { name: "a.txt", description: "A" })],
    });
    assertMatch(sent.id, /^\d{18,19}$/);
    const read = await webhook.fetchMessage(sent.id);
    const of = (message: object) =>
      message as {
        content: string;
        author: { username: string };
        embeds: { title: string; type: string }[];
        attachments: { filename: string; size: number; description: string }[];
        edited_timestamp: string | null;
        channel_id: string;
      };
    assertEquals([of(read).content, of(read).author.username], ["hello", "deploy"]);
    assertEquals([of(read).embeds[0]?.title, of(read).embeds[0]?.type], ["T é", "rich"]);
    const [file] = of(read).attachments;
    assertEquals([file?.filename, file?.size, file?.description], ["a.txt", 8, "A"]);
    assertEquals(of(read).edited_timestamp, null);

    const edited = await webhook.editMessage(sent.id, { content: "changed" });
    assertEquals([of(edited).content, of(edited).embeds.length], ["changed", 1]);
    assertEquals(of(edited).attachments.length, 1);
    assert(of(edited).edited_timestamp !== null);
    const bare = await webhook.editMessage(sent.id, { embeds: [], attachments: [] });
    assertEquals([of(bare).embeds, of(bare).attachments], [[], []]);
    await webhook.deleteMessage(sent.id);
    assertEquals(await refusal(() => webhook.fetchMessage(sent.id)), [404, 10008]);

    const [first, edit, , deletion] = captured(service);
    assertEquals(captured(service).map(({ type }) => type), [
      "chat.message",
      "chat.edit",
      "chat.edit",
      "chat.deletion",
    ]);
    assertEquals([first!.payload.text, first!.payload.author.name], ["hello", "deploy"]);
    assertEquals(first!.payload.ts, sent.id);
    assertEquals(first!.payload.channel, { id: of(read).channel_id, name: "Discord 456789" });
    assertEquals(first!.payload.contents?.[0]?.format, "chat3.embeds");
    assertEquals([first!.meta.webhook_id, first!.meta.webhook_token], [ID, "token"]);
    const blob = await fetch(
      `${service.api.url}/api/v1/blobs/${first!.payload.files![0]!.blob.id}`,
    );
    assertEquals(await blob.text(), "bytes é");
    assertEquals([edit!.payload.text, edit!.payload.change], ["changed", {
      kind: "edit",
      event_id: first!.id,
    }]);
    assertEquals(deletion!.payload.text, "changed");
  },
);

Deno.test("discord.js posts to threads, and renames and deletes the webhook", async () => {
  await using service = await startService({ plugins: [chat] });
  const webhook = connect(service);
  const sent = await webhook.send({ content: "in a thread", threadId: "22222222222222222" });
  assertEquals(await refusal(() => webhook.fetchMessage(sent.id)), [404, 10008]);
  const there = { threadId: "22222222222222222" };
  assertEquals((await webhook.fetchMessage(sent.id, there)).id, sent.id);
  const [event] = captured(service);
  assertEquals(event!.payload.channel, {
    id: "22222222222222222",
    name: "Discord 456789 › 222222",
  });
  await webhook.edit({ name: "Renamed" });
  const named = await webhook.send("by name");
  assertEquals((named as unknown as { author: { username: string } }).author.username, "Renamed");
  await webhook.delete();
  assertEquals(await refusal(() => webhook.send("x")), [404, 10015]);
  assertEquals(captured(service).map(({ type }) => type), [
    "chat.message",
    "chat.call",
    "chat.message",
    "chat.call",
  ]);
});

Deno.test("discord.js sends as many emoji as characters, and no more", async () => {
  const config = { plugins: { chat: { providers: { chat3: {} } } } };
  await using service = await startService({ plugins: [chat], config });
  const webhook = connect(service);
  const emoji = (count: number) => "👋".repeat(count);
  await webhook.send({ content: emoji(2000), embeds: [{ title: emoji(256) }] });
  assertEquals(await refusal(() => webhook.send({ content: emoji(2001) })), [400, 50035]);
  assertEquals(
    await refusal(() => webhook.send({ embeds: [{ title: emoji(257) }] })),
    [400, 50035],
  );
  const fields = (count: number) =>
    Array.from({ length: count }, () => ({ name: "n", value: emoji(999) }));
  await webhook.send({ embeds: [{ fields: fields(6) }] });
  assertEquals(await refusal(() => webhook.send({ embeds: [{ fields: fields(7) }] })), [
    400,
    50035,
  ]);
  assertEquals(service.events.count(), 2);
});

Deno.test("discord.js understands every refusal", async () => {
  const config = { plugins: { chat: { providers: { chat3: { webhook_token: "token" } } } } };
  await using service = await startService({ plugins: [chat], config });
  const webhook = connect(service);
  assertEquals(await refusal(() => connect(service, { token: "other" }).send("x")), [401, 50027]);
  assertEquals(await refusal(() => webhook.send({ content: "" })), [400, 50006]);
  const error = await assertRejects(() =>
    webhook.send({ content: "x".repeat(2001), username: "Discord fan" })
  ) as { rawError?: { errors?: unknown }; message: string };
  assertEquals(error.rawError?.errors, {
    content: {
      _errors: [{ code: "BASE_TYPE_MAX_LENGTH", message: "Must be 2000 or fewer in length." }],
    },
    username: {
      _errors: [{
        code: "USERNAME_INVALID_CONTAINS",
        message: 'Username cannot contain "discord"',
      }],
    },
  });
  const fields = Array.from({ length: 7 }, () => ({ name: "n", value: "v".repeat(1000) }));
  assertEquals(await refusal(() => webhook.send({ embeds: [{ fields }] })), [400, 50035]);
  assertEquals(
    await refusal(() => webhook.send({ embeds: [{ url: "javascript:alert(1)" }] })),
    [400, 50035],
  );
  assertEquals(service.events.count(), 0);
  assertEquals(service.rejected.list({ provider: "chat3" }).length, 5);
});
