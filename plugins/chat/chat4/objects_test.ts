import { assertEquals, assertNotEquals } from "@std/assert";
import { CONTENT_METHODS, readContent } from "./content.ts";
import type { Json } from "./fields.ts";
import { complete, toFileObject, uniqueId } from "./objects.ts";
import { Params } from "./params.ts";

/** Members that https://core.telegram.org/bots/api#available-types requires. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  live_photo: ["duration", "height", "width"],
  document: [],
  audio: ["duration"],
  video: ["duration", "height", "width"],
  animation: ["duration", "height", "width"],
  voice: ["duration"],
  video_note: ["duration", "length"],
  sticker: ["height", "is_animated", "is_video", "type", "width"],
};

for (const [kind, members] of Object.entries(FILES)) {
  Deno.test(`a ${kind} has its required members`, () => {
    const object = toFileObject(kind, { reference: "id" }) as Json;
    const wanted = ["file_id", "file_unique_id", ...members];
    assertEquals(wanted.filter((name) => object[name] === undefined), []);
    assertEquals(object.file_unique_id, uniqueId("id"));
  });
}

Deno.test("a photo is a list of sizes", () => {
  assertEquals(toFileObject("photo", { reference: "id" }), [
    { file_id: "id", file_unique_id: uniqueId("id"), width: 512, height: 512 },
  ]);
});

const PRICES = '[{"label":"a","amount":1045}]';

/** Calls with required parameters only, and the members that the page requires of each object. */
const CONTENT: Readonly<
  Record<string, readonly [params: Readonly<Record<string, string>>, members: readonly string[]]>
> = {
  sendlocation: [{ latitude: "1", longitude: "2" }, ["latitude", "longitude"]],
  sendvenue: [
    { latitude: "1", longitude: "2", title: "t", address: "a" },
    ["location", "title", "address"],
  ],
  sendcontact: [{ phone_number: "+1", first_name: "f" }, ["phone_number", "first_name"]],
  senddice: [{}, ["emoji", "value"]],
  sendpoll: [{ question: "q", options: '["a","b"]' }, [
    ...["id", "question", "options", "total_voter_count", "is_closed", "is_anonymous", "type"],
    ...["allows_multiple_answers", "allows_revoting", "members_only"],
  ]],
  sendgame: [{ game_short_name: "g" }, ["title", "description", "photo"]],
  sendinvoice: [
    { title: "t", description: "d", payload: "p", currency: "EUR", prices: PRICES },
    ["title", "description", "start_parameter", "currency", "total_amount"],
  ],
  sendchecklist: [
    { business_connection_id: "b", checklist: '{"title":"t","tasks":[{"id":1,"text":"x"}]}' },
    ["title", "tasks"],
  ],
  sendrichmessage: [{ rich_message: '{"html":"h"}' }, ["blocks"]],
};

function made(method: string, seed = "1"): Json {
  const { kind, result } = readContent(
    method,
    new Params(new Map(Object.entries(CONTENT[method]![0])), []),
  )!;
  return complete(kind, result, { seed, seconds: 1000, attached: new Map() });
}

for (const method of CONTENT_METHODS) {
  Deno.test(`${method} returns an object with its required members`, () => {
    const object = made(method);
    assertEquals(CONTENT[method]![1].filter((name) => object[name] === undefined), []);
  });
}

Deno.test("options of polls have ids of their own", () => {
  const options = made("sendpoll").options as readonly Json[];
  assertEquals(options.map(({ text, voter_count }) => [text, voter_count]), [["a", 0], ["b", 0]]);
  assertEquals(new Set(options.map(({ persistent_id }) => persistent_id)).size, 2);
});

Deno.test("values that are made up are the same for the same message, and differ between messages", () => {
  assertEquals(made("sendpoll"), made("sendpoll"));
  assertNotEquals(made("sendpoll").id, made("sendpoll", "2").id);
  const values = Array.from({ length: 100 }, (_, seed) => made("senddice", String(seed)).value);
  assertEquals(values.toSorted().filter((one, at, all) => one !== all[at - 1]), [1, 2, 3, 4, 5, 6]);
});
