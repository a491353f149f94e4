/**
 * Modals and App Homes: https://docs.slack.dev/surfaces/modals. They are captured, and kept for
 * updates.
 */
import { compact } from "../../../core/compact.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type ChatAbout } from "../capture.ts";
import type { ChatMessage } from "../model.ts";
import { directIdOf, IDENTITY, isUser, newId } from "./ids.ts";
import type { Method, MethodCall } from "./methods.ts";
import type { Json } from "./objects.ts";
import type { Env } from "./options.ts";
import { textOfBlocks } from "./readable_text.ts";
import { fail, failMissing } from "./refusals.ts";
import type { View } from "./store.ts";

/** Longest JSON of a view, in characters, and maximum number of stacked modals. */
const MAX_JSON = 250_000;
/**
 * Maximum number of blocks of a view (https://docs.slack.dev/reference/views), and of objects and
 * lists in it, because each takes much memory.
 */
const MAX_BLOCKS = 100;
const MAX_NESTED = 10_000;
export const MAX_STACKED = 3;

/** https://docs.slack.dev/reference/methods/views.open */
export const openView: Method = (call) => {
  triggerIn(call);
  const given = viewIn(call);
  const id = newId("V", call.ctx.uuid());
  return keep(call, given, { id, rootId: id });
};

/** https://docs.slack.dev/reference/methods/views.push: on top of the modal opened last. */
export const pushView: Method = (call) => {
  triggerIn(call);
  const given = viewIn(call);
  const below = call.env.store.findView(({ userId }) => userId === undefined) ?? fail("not_found");
  let stacked = 1;
  for (let at: View | undefined = below; at?.previousId !== undefined; stacked++) {
    const { previousId } = at;
    at = call.env.store.findView(({ id }) => id === previousId);
  }
  if (stacked >= MAX_STACKED) fail("push_limit_reached");
  const id = newId("V", call.ctx.uuid());
  return keep(call, given, { id, rootId: below.rootId, previousId: below.id });
};

/** https://docs.slack.dev/reference/methods/views.publish */
export const publishView: Method = (call) => {
  const user = call.given.text("user_id")?.trim() ?? "";
  if (user === "") failMissing("user_id");
  if (!isUser(user)) fail("invalid_arguments", ["user not found: user_id"]);
  const given = viewIn(call);
  const known = call.env.store.findView(({ userId }) => userId === user);
  checkHash(call, known);
  const id = known?.id ?? newId("V", call.ctx.uuid());
  return keep(call, given, { id, rootId: id, userId: user });
};

/** https://docs.slack.dev/reference/methods/views.update */
export const updateView: Method = (call) => {
  const id = call.given.text("view_id") ?? "";
  const externalId = call.given.text("external_id") ?? "";
  if (id === "" && externalId === "") failMissing("view_id");
  const given = viewIn(call);
  const known =
    call.env.store.findView((one) => id === "" ? one.externalId === externalId : one.id === id) ??
      fail("not_found");
  checkHash(call, known);
  return keep(call, given, known);
};

function triggerIn({ given }: MethodCall): void {
  const id = given.text("trigger_id") || given.text("interactivity_pointer") || "";
  if (id === "") failMissing("trigger_id");
}

function checkHash({ given }: MethodCall, known: View | undefined): void {
  const hash = given.text("hash") ?? "";
  if (hash !== "" && known !== undefined && hash !== known.hash) fail("hash_conflict");
}

/** A view, as sent and parsed. */
export interface GivenView {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

function viewIn({ given }: MethodCall): GivenView {
  return readView(given.json("view") ?? failMissing("view"));
}

/** Parses a view. Throws like `fail()`. */
export function readView(text: string): GivenView {
  if (text.length > MAX_JSON || text.split(/[[{]/, MAX_NESTED + 2).length > MAX_NESTED + 1) {
    fail("view_too_large");
  }
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  if (!isJsonObject(json)) {
    return fail("invalid_arguments", ["must be valid JSON [json-pointer:/view]"]);
  }
  const { type, title, blocks } = json;
  const problems = [
    ...(type === "modal" || type === "home" || type === "workflow_step"
      ? []
      : ["missing required field: type [json-pointer:/view]"]),
    ...(type === "modal" && !isJsonObject(title)
      ? ["missing required field: title [json-pointer:/view]"]
      : []),
    ...(Array.isArray(blocks) ? [] : ["missing required field: blocks [json-pointer:/view]"]),
    ...(Array.isArray(blocks) && blocks.length > MAX_BLOCKS
      ? [`no more than ${MAX_BLOCKS} items allowed [json-pointer:/view/blocks]`]
      : []),
  ];
  return problems.length === 0 ? { text, json } : fail("invalid_arguments", problems);
}

/** Where a view is shown. */
type Place = Pick<View, "id" | "rootId" | "previousId" | "userId">;

function keep(call: MethodCall, given: GivenView, place: Place): Json {
  const { call: { path, raw, headers }, given: args } = call;
  const { view } = keepView(given, place, call.env, {
    raw,
    meta: {
      surface: "web_api",
      method: path.replace("/api/", ""),
      ...compact({ token: args.text("token"), trigger_id: args.text("trigger_id") }),
      ...presentedCredentials(headers),
    },
  });
  return { view: toView(view) };
}

/** Shows a view, and captures it. Throws like `fail()`. */
export function keepView(
  given: GivenView,
  { id, rootId, previousId, userId }: Place,
  env: Env,
  about: ChatAbout,
): { readonly view: View; readonly event: CapturedEvent<ChatMessage> } {
  const { json } = given;
  const externalId = typeof json.external_id === "string" ? json.external_id : "";
  const taken = externalId !== "" &&
    env.store.findView((one) => one.externalId === externalId && one.id !== id) !== undefined;
  if (taken) fail("duplicate_external_id");
  const view = env.store.setView({
    ...{ id, rootId, externalId, json },
    hash: env.store.nextTs(env.ctx.now().getTime()),
    ...compact({ previousId, userId }),
  });
  return { view, event: capture(given, view, env, about) };
}

function capture(
  { text, json }: GivenView,
  { id, hash, userId }: View,
  env: Env,
  { raw, meta }: ChatAbout,
): CapturedEvent<ChatMessage> {
  const title = isJsonObject(json.title) && typeof json.title.text === "string"
    ? json.title.text
    : "";
  const lines = [title, textOfBlocks(json.blocks as readonly unknown[])];
  const workspace = env.store.workspace(env.ctx);
  return captureChat(env, {
    channel: userId === undefined ? { id: "views", name: "Modals" } : {
      id: directIdOf(userId),
      name: `@${workspace.person(userId)?.name ?? userId}`,
    },
    author: { id: IDENTITY.bot_id, name: "", icon_url: "", bot: true },
    text: lines.filter((line) => line !== "").join("\n"),
    contents: [{ format: "chat1.view", json: text }],
    ts: hash,
  }, {
    type: "chat.view",
    raw,
    meta: { ...meta, view_id: id, ...compact({ direct_to: userId }) },
  });
}

/** https://docs.slack.dev/reference/views */
export function toView({ id, rootId, previousId, externalId, hash, json }: View): Json {
  return {
    private_metadata: "",
    callback_id: "",
    clear_on_close: false,
    notify_on_close: false,
    close: null,
    submit: null,
    ...json,
    external_id: externalId,
    id,
    team_id: IDENTITY.team_id,
    state: { values: {} },
    hash,
    root_view_id: rootId,
    previous_view_id: previousId ?? null,
    app_id: IDENTITY.app_id,
    bot_id: IDENTITY.bot_id,
  };
}
