/** Menus with options from the app, and files that a user uploads; the app is in the vendor's framework. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { BlockSuggestion, ViewSubmitAction } from "npm:@slack/bolt@5.1.0";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { startBolt } from "../support/slack_app.ts";

const plain = (text: string) => ({ type: "plain_text" as const, text });
const CITIES = ["Berlin", "Bern", "Bonn"].map((name) => ({
  text: plain(name),
  value: name.toLowerCase(),
}));

interface Offers {
  readonly offers: readonly {
    readonly event: string;
    readonly label: string;
    readonly params: Readonly<Record<string, { readonly schema: { oneOf?: { const: string }[] } }>>;
  }[];
}

Deno.test("a Bolt app offers the options of a menu, and gets the chosen one unchanged", async () => {
  await using running = await startBolt();
  const { app, service } = running;
  const asked: BlockSuggestion[] = [];
  app.options("city", async ({ ack, options }) => {
    asked.push(options as BlockSuggestion);
    await ack({ options: CITIES.filter(({ value }) => value.startsWith(options.value)) });
  });
  app.options("groups", async ({ ack }) => {
    await ack({ option_groups: [{ label: plain("B"), options: CITIES.slice(0, 2) }] });
  });
  const chosen: unknown[] = [];
  app.action("city", async ({ ack, action }) => {
    await ack();
    chosen.push((action as { selected_option?: unknown }).selected_option);
  });
  const elements = [
    { type: "external_select", action_id: "city", min_query_length: 2, placeholder: plain("City") },
    { type: "multi_external_select", action_id: "groups", placeholder: plain("Groups") },
  ];
  await app.client.chat.postMessage({
    channel: "C1",
    text: "Where?",
    blocks: [{ type: "actions", block_id: "b", elements }] as never,
  });
  const message = await service.waitFor<ChatMessage>("chat.message");
  const suggest = (action_id: string, value: unknown) =>
    service.callback(message, "suggest", { action_id, value });
  const [call] = await suggest("city", "be");
  assertEquals([call?.state, call?.outcome], ["done", "The app offered: Berlin, Bern"]);
  const { type, value, block_id, channel, container, token } = asked[0]!;
  assertEquals([type, value, block_id, channel?.id, container.type, typeof token], [
    "block_suggestion",
    "be",
    "b",
    "C1",
    "message",
    "string",
  ]);
  const { offers } = await service.getJson<Offers>(`/events/${message.id}/callbacks`);
  const menu = offers.find(({ label }) => label === "Fill in “City”")!;
  assertEquals(menu.params.value!.schema.oneOf?.map((one) => one.const), ["berlin", "bern"]);
  assertEquals(
    offers.filter(({ event }) => event === "suggest").map(({ label }) => label),
    ["Look up in “City”", "Look up in “Groups”"],
  );
  await service.callback(message, "choose", { action_id: "city", value: "bern" });
  assertEquals(chosen, [CITIES[1]]);
  const [grouped] = await suggest("groups", "ber");
  assertEquals(grouped?.outcome, "The app offered: Berlin, Bern");
  const rows: [action: string, value: unknown, reason: string][] = [
    ["city", "b", 'expected at least 2 characters, not "b"'],
    ["groups", "be", "expected at least 3 characters"],
    ["city", 7, "expected the value as text"],
    ["town", "be", "expected one of city, groups"],
  ];
  for (const [action, value, reason] of rows) {
    assertStringIncludes(String(await assertRejects(() => suggest(action, value))), reason);
  }
});

Deno.test("a menu in a modal loads options for its state, and an answer without any is shown", async () => {
  await using running = await startBolt();
  const { app, service } = running;
  let answer: unknown = { options: CITIES };
  app.options("city", ({ ack }) => ack(answer as never));
  let state: unknown;
  app.view(
    "trip",
    async ({ ack, view }: { ack: () => Promise<void>; view: ViewSubmitAction["view"] }) => {
      state = view.state.values.b!.city;
      await ack();
    },
  );
  const block = {
    type: "input",
    block_id: "b",
    label: plain("City"),
    element: { type: "multi_external_select", action_id: "city", min_query_length: 0 },
  };
  await app.client.views.open({
    trigger_id: "1.2",
    view: {
      type: "modal",
      callback_id: "trip",
      title: plain("Trip"),
      submit: plain("Go"),
      blocks: [block] as never,
    },
  });
  const view = await service.waitFor<ChatMessage>("chat.view");
  const [call] = await service.callback(view, "suggest", { action_id: "city" });
  assertEquals(call?.outcome, "The app offered: Berlin, Bern, Bonn");
  answer = { options: [{ value: "x" }] };
  const [wrong] = await service.callback(view, "suggest", { action_id: "city", value: "x" });
  assertEquals(wrong?.outcome, "Slack would show an error: option 0 has no text or no value");
  await service.callback(view, "submit", { values: { city: ["bonn", "berlin"] } });
  assertEquals(state, {
    type: "multi_external_select",
    selected_options: [CITIES[2], CITIES[0]],
  });
});

Deno.test("a Bolt app downloads the files that a user uploads in a modal", async () => {
  await using running = await startBolt();
  const { app, service } = running;
  let files: readonly Readonly<Record<string, unknown>>[] = [];
  app.view("report", async ({ ack, view }: { ack: () => Promise<void>; view: View }) => {
    files = (view.state.values.b!.files as unknown as { files: typeof files }).files;
    await ack();
  });
  const element = { type: "file_input", action_id: "files", filetypes: ["txt"], max_files: 2 };
  await app.client.views.open({
    trigger_id: "1.2",
    view: {
      type: "modal",
      callback_id: "report",
      title: plain("Report"),
      submit: plain("Send"),
      blocks: [{ type: "input", block_id: "b", label: plain("Files"), element }] as never,
    },
  });
  const view = await service.waitFor<ChatMessage>("chat.view");
  const submit = (...files: unknown[]) => service.callback(view, "submit", { values: { files } });
  const file = (filename: string, content = btoa("Grüße")) => ({ filename, content });
  const rows: [files: unknown[], reason: string][] = [
    [[], '"Files" (files) needs a value'],
    [[file("a.exe")], 'expected a file of type txt, not "a.exe"'],
    [[file("a.txt"), file("b.txt"), file("c.txt")], "expected at most 2 files"],
    [[file("a.txt", "?")], 'expected the content of "a.txt" in base64'],
    [["a.txt"], "expected files as"],
    [[{ name: "a.txt" }], 'unknown field "name"'],
  ];
  for (const [given, reason] of rows) {
    assertStringIncludes(String(await assertRejects(() => submit(...given))), reason);
  }
  const [call] = await submit({ ...file("a b.txt"), content_type: "text/plain" });
  assertEquals([call?.state, files.length], ["done", 1]);
  const { name, size, mimetype, filetype, url_private_download: url } = files[0]!;
  assertEquals([name, size, mimetype, filetype], ["a b.txt", 5, "text/plain", "txt"]);
  const headers = { authorization: "Bearer xoxb-any" };
  const downloaded = await fetch(String(url), { headers });
  assertEquals([downloaded.headers.get("content-type"), await downloaded.text()], [
    "text/plain",
    new TextDecoder().decode(Uint8Array.from("Grüße", (char) => char.charCodeAt(0))),
  ]);
  const unknown = await fetch(String(url).replace(/-F\w+/, "-F0"), { headers });
  assertEquals([unknown.status, await unknown.text()], [404, "file_not_found"]);
});

type View = ViewSubmitAction["view"];
