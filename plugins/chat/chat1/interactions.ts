/**
 * Actions of a user on a message or view, as they are sent to the app.
 * https://docs.slack.dev/reference/interaction-payloads/block_actions-payload and
 * https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
 */
import { compact } from "../../../core/compact.ts";
import type { OutgoingCall } from "../../../core/plugin.ts";
import { type Context, interactionCall, newTrigger, responseUrl, secondsOf } from "./app_calls.ts";
import {
  type Element,
  elementsOf,
  findElement,
  isEmpty,
  keyOf,
  nameBlocks,
  stateOf,
  type StateValues,
  valueOf,
} from "./elements.ts";
import { storeGivenFiles } from "./file_inputs.ts";
import { IDENTITY } from "./ids.ts";
import { toView } from "./modals.ts";
import { blocksOf, canSubmit, type ChatEvent, openViewOf, tsOf } from "./shown.ts";
import { withOffered } from "./suggestions.ts";
import type { View } from "./store.ts";

type Json = Readonly<Record<string, unknown>>;
/** Values of elements, by element name. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * Returns a block_actions payload for a press or a choice. Throws `RangeError` for an unknown
 * element.
 */
export function actionCall(
  event: ChatEvent,
  { name, key, value, values }: {
    readonly name: "press" | "choose";
    readonly key: string;
    readonly value: unknown;
    readonly values: Given;
  },
  context: Context,
): OutgoingCall {
  const view = event.type === "chat.view" ? openViewOf(event, context) : undefined;
  const blocks = blocksOf(event, view);
  const all = withOffered(elementsOf(blocks), event.id, context);
  const active = all.filter(({ acts, kind }) =>
    acts && (kind === undefined) === (name === "press")
  );
  if (active.length === 0) {
    const what = name === "press" ? "no buttons" : "nothing to choose or enter";
    throw new RangeError(
      `Cannot ${name}: the ${view === undefined ? "message" : "view"} has ${what}`,
    );
  }
  const element = findElement(active, key);
  const own = element.kind === undefined || element.kind.isMomentary
    ? {}
    : { [`${element.block_id}/${element.action_id}`]: value };
  const state = { values: stateOf(all, { ...values, ...own }) };
  const about = {
    type: "block_actions",
    trigger_id: newTrigger(context),
    actions: [{ ...toAction(element, value), action_ts: secondsOf(context) }],
  };
  const payload = view === undefined
    ? { ...about, ...inMessage(event, { blocks, state, context }) }
    : { ...about, ...inView(view, { blocks, state }) };
  return interactionCall(payload, { context });
}

/** An action as the app receives it. */
function toAction(element: Element, value: unknown): Json {
  const { type, action_id, block_id, json, kind } = element;
  const head = { type, action_id, block_id };
  if (kind === undefined) {
    const { text, style, url } = json;
    const given = value ?? json.value;
    if (given !== undefined && typeof given !== "string") {
      throw new RangeError("Cannot press the button: expected its value as text");
    }
    return { ...head, text, ...compact({ value: given, style, url }) };
  }
  const shown = Object.entries(json).filter(([name]) =>
    name === "placeholder" || /^initial_(?!value)/.test(name)
  );
  return { ...head, ...Object.fromEntries(shown), ...valueOf(element, value) };
}

function inMessage(
  event: ChatEvent,
  { blocks, state, context }: {
    readonly blocks: readonly Json[];
    readonly state: { readonly values: StateValues };
    readonly context: Context;
  },
): Json {
  const { channel: { id, name = id }, text } = event.payload;
  const ts = tsOf(event);
  return {
    container: { type: "message", message_ts: ts, channel_id: id, is_ephemeral: false },
    channel: { id, name },
    message: {
      type: "message",
      user: IDENTITY.user_id,
      bot_id: IDENTITY.bot_id,
      ts,
      text,
      blocks,
    },
    state,
    response_url: responseUrl("actions", { channel: id, eventId: event.id }, context),
  };
}

function inView(
  view: View,
  { blocks, state }: {
    readonly blocks: readonly Json[];
    readonly state: { readonly values: StateValues };
  },
): Json {
  return {
    container: { type: "view", view_id: view.id },
    view: { ...toView(view), blocks, state },
  };
}

/**
 * Returns a view_submission payload. Throws `RangeError` for values that the vendor's client would
 * not submit.
 */
export async function submissionCall(
  event: ChatEvent,
  values: Given,
  context: Context,
): Promise<OutgoingCall> {
  const view = openViewOf(event, context);
  const blocks = blocksOf(event, view);
  const all = withOffered(elementsOf(blocks), event.id, context);
  if (view.json.type !== "modal" || !canSubmit(view, all)) {
    throw new RangeError("Cannot submit the view: expected a modal with a submit button");
  }
  const state = { values: stateOf(all, await storeGivenFiles(all, values, context)) };
  const missing = all.find((one) => one.isRequired && isEmpty(one, state.values));
  if (missing !== undefined) {
    const key = keyOf(missing, all);
    throw new RangeError(`Cannot submit the view: "${missing.label}" (${key}) needs a value`);
  }
  return interactionCall({
    type: "view_submission",
    trigger_id: newTrigger(context),
    view: { ...toView(view), blocks, state },
    response_urls: responseUrlsOf(all, { state: state.values, event, context }),
  }, { context, note: { submitted: view.id, inputs: inputBlocksOf(all) } });
}

/** Labels of input blocks by their ids. */
function inputBlocksOf(all: readonly Element[]): Json {
  return Object.fromEntries(
    all.filter(({ isInput }) => isInput).map(({ block_id, label }) => [block_id, label]),
  );
}

/** https://docs.slack.dev/surfaces/modals#modal_response_url: for chosen conversations whose element enables it. */
function responseUrlsOf(
  all: readonly Element[],
  { state, event, context }: {
    readonly state: StateValues;
    readonly event: ChatEvent;
    readonly context: Context;
  },
): readonly Json[] {
  return all.flatMap(({ action_id, block_id, json, isInput }) => {
    const { selected_channel, selected_conversation } = state[block_id]?.[action_id] ?? {};
    const channel = selected_channel ?? selected_conversation;
    if (!isInput || json.response_url_enabled !== true || typeof channel !== "string") return [];
    const url = responseUrl("actions", { channel, eventId: event.id }, context);
    return [{ block_id, action_id, channel_id: channel, response_url: url }];
  });
}

/**
 * Closes a modal, or the whole stack. Returns a view_closed payload for each one with
 * `notify_on_close`. https://docs.slack.dev/surfaces/modals#handling_close
 */
export function closingCalls(
  event: ChatEvent,
  { isCleared }: { readonly isCleared: boolean },
  context: Context,
): readonly OutgoingCall[] {
  const view = openViewOf(event, context);
  if (view.json.type !== "modal") throw new RangeError("Cannot close the view: it is not a modal");
  const { store } = context.env;
  const clears = isCleared || view.json.clear_on_close === true;
  const stack = clears ? store.stackOf(view.rootId) : [];
  const closed = stack.length === 0 ? [view] : stack;
  const calls = closed.filter(({ json }) => json.notify_on_close === true).map((one) => {
    const blocks = nameBlocks(one.json.blocks);
    const state = { values: stateOf(elementsOf(blocks), {}) };
    return interactionCall({
      type: "view_closed",
      view: { ...toView(one), blocks, state },
      is_cleared: clears,
    }, { context });
  });
  for (const { id } of closed) store.closeView(id);
  return calls;
}
