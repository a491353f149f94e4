import { assertEquals } from "@std/assert";
import { judgePush, type PushContent } from "./derive.ts";

const NOTHING: PushContent = { dataKeys: 0, wakes: false, carries: false };

Deno.test("the kind of a push is its effect on a device, and the sentence explains it", () => {
  const table: readonly (readonly [Partial<PushContent>, string, string])[] = [
    [{ alert: { title: "T" } }, "notification", "Shows text"],
    [{ alert: { localization: { body_key: "K" } } }, "notification", "Shows text"],
    [{ alert: { badge: 3 } }, "notification", "Sets the badge to 3"],
    [{ alert: { badge: 0 } }, "notification", "Clears the badge"],
    [{ alert: { sound: "ping" } }, "notification", 'Plays the sound "ping"'],
    [
      { alert: { body: "B", badge: 1, sound: "default" } },
      "notification",
      'Shows text, sets the badge to 1, plays the sound "default"',
    ],
    [
      { alert: { body: "B" }, alertSection: "webpush" },
      "notification",
      "Shows text, on the web only",
    ],
    [
      { alert: { body: "B" }, pushType: "background", wakes: true },
      "notification",
      "Shows text; it was declared as background, which must show nothing",
    ],
    [{ wakes: true }, "silent", "Shows nothing: the app is woken"],
    [{ dataKeys: 1 }, "silent", "Shows nothing: the app gets 1 key of data"],
    [
      { wakes: true, dataKeys: 2 },
      "silent",
      "Shows nothing: the app is woken and the app gets 2 keys of data",
    ],
    [{ carries: true }, "silent", "Shows nothing: the system hands it to the app"],
    [
      { alert: { category: "c", image: "https://example.com/i.png" } },
      "empty",
      "Shows nothing and carries nothing: no text, badge, sound or data",
    ],
    [{}, "empty", "Shows nothing and carries nothing: no text, badge, sound or data"],
    [
      { unreadable: "the payload is not JSON" },
      "empty",
      "Shows nothing: the payload is not JSON",
    ],
  ];
  for (const [content, kind, explain] of table) {
    assertEquals(judgePush({ ...NOTHING, ...content }), { kind, explain });
  }
});

Deno.test("a sound of any length and content stays a short line in the sentence", () => {
  const { explain } = judgePush({ ...NOTHING, alert: { sound: `a\n\u0007${"x".repeat(5000)}` } });
  assertEquals(explain, `Plays the sound "a ${"x".repeat(58)}…"`);
});
