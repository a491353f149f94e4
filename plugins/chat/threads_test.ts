import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { type ChatEvent, countOrphans, gatherChannels, placeOf } from "./threads.ts";

interface Said {
  readonly channel: number;
  readonly ts: number;
  readonly parent: number;
}

/** Events newest first, as the store lists them. A ts or parent of 0 is absent. */
function events(said: readonly Said[]): ChatEvent[] {
  return said.map(({ channel, ts, parent }, index): ChatEvent => ({
    id: `e${index}`,
    seq: index,
    plugin: "chat",
    provider: "chat1",
    type: "chat.message",
    received_at: new Date(index),
    summary: "",
    summary_parts: {},
    meta: {},
    payload: {
      channel: { id: `C${channel}` },
      author: { bot: true },
      text: "",
      ...(ts === 0 ? {} : { ts: `${ts}.0` }),
      ...(parent === 0 ? {} : { thread_ts: `${parent}.0` }),
    },
    raw: { transport: "http", text: true, body: new Uint8Array() },
    blobs: [],
  })).reverse();
}

Deno.test("channels, threads and orphans equal a naive count", () => {
  const said = fc.record({
    channel: fc.integer({ min: 1, max: 3 }),
    ts: fc.integer({ min: 0, max: 6 }),
    parent: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 40 }), (all) => {
      const held = events(all);
      const channels = gatherChannels(held);
      assertEquals([...channels.keys()], [...new Set(held.map((e) => e.payload.channel.id))]);
      for (const channel of channels.values()) {
        const own = held.filter((event) => event.payload.channel.id === channel.id);
        const isReply = (e: ChatEvent) =>
          !!e.payload.thread_ts && e.payload.thread_ts !== e.payload.ts;
        const rootOf = (e: ChatEvent) => isReply(e) ? e.payload.thread_ts! : e.payload.ts ?? e.id;
        const roots = new Set(own.map(rootOf));
        const answered = new Set(own.filter((e) => !isReply(e)).map(rootOf));
        assertEquals(channel.messages, own.length);
        assertEquals(channel.replies, own.filter(isReply).length);
        assertEquals(channel.threads.size, roots.size);
        assertEquals(countOrphans(channel), roots.size - answered.size);
        for (const event of own) {
          const place = placeOf(event, channel);
          const parents = own.filter((e) => !isReply(e) && rootOf(e) === rootOf(event));
          const expected = isReply(event) ? parents.at(-1)?.id ?? "" : event.id;
          assertEquals([place.reply, place.root_id], [isReply(event), expected]);
          assertEquals(place.thread_key, `${channel.key}.${rootOf(event)}`);
        }
      }
    }),
    fuzzed(200),
  );
});

Deno.test("a channel takes the name of its newest message that has one", () => {
  const [named] = events([{ channel: 1, ts: 1, parent: 0 }]);
  const old = { ...named!, payload: { ...named!.payload, channel: { id: "C1", name: "old" } } };
  const recent = { ...named!, payload: { ...named!.payload, channel: { id: "C1", name: "new" } } };
  assertEquals(gatherChannels([named!, recent, old]).get("C1")!.name, "new");
});
