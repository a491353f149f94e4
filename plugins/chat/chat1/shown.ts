/** What a user sees of an event: a message, or a view that may still be open. */
import { compact } from "../../../core/compact.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import type { Context } from "./app_calls.ts";
import { type Element, nameBlocks } from "./elements.ts";
import type { View } from "./store.ts";

type Json = Readonly<Record<string, unknown>>;
/** An event of the chat plugin. */
export type ChatEvent = CapturedEvent<ChatMessage>;

/** Returns the view that an event shows; `undefined` for a message. */
export function viewOf({ type, payload, meta }: ChatEvent, { env }: Context): View | undefined {
  if (type !== "chat.view") return undefined;
  const json = payload.contents?.find(({ format }) => format === "chat1.view")?.json;
  const id = String(meta.view_id);
  const shown: View = {
    ...{ id, rootId: id, externalId: "", hash: payload.ts ?? "" },
    ...compact({ userId: typeof meta.direct_to === "string" ? meta.direct_to : undefined }),
    json: isJsonObject(json) ? json : {},
  };
  // After a restart, only the event remains.
  const kept = env.store.findView((view) => view.id === id);
  return kept?.hash === shown.hash ? kept : shown;
}

/** Returns why a view is no longer visible; `undefined` if it is open. */
export function reasonGone(view: View, { env: { store } }: Context): string | undefined {
  if (store.isClosed(view.id)) return "it was closed";
  const kept = store.findView(({ id }) => id === view.id);
  return kept === undefined || kept.hash === view.hash
    ? undefined
    : "it was updated: use the event of its last version";
}

/** Returns an open view. Throws `RangeError` for a closed one. */
export function openViewOf(event: ChatEvent, context: Context): View {
  const view = viewOf(event, context);
  if (view === undefined) throw new RangeError("Cannot answer a view: the event is not a view");
  const gone = reasonGone(view, context);
  if (gone !== undefined) throw new RangeError(`Cannot answer the view: ${gone}`);
  return view;
}

/** Returns the visible blocks, with their ids. */
export function blocksOf(event: ChatEvent, view: View | undefined): readonly Json[] {
  if (view !== undefined) return nameBlocks(view.json.blocks);
  const { contents = [] } = event.payload;
  return nameBlocks(
    contents.filter(({ format }) => format === "chat1.blocks")
      .flatMap(({ json }) => Array.isArray(json) ? json : []),
  );
}

/** https://docs.slack.dev/reference/views/modal-views: inputs require a submit button. */
export function canSubmit({ json }: View, all: readonly Element[]): boolean {
  return isJsonObject(json.submit) || all.some(({ isInput }) => isInput);
}

/** Time of a message; webhook posts have none. */
export function tsOf({ payload, received_at }: ChatEvent): string {
  return payload.ts ?? `${Math.floor(received_at.getTime() / 1000)}.000000`;
}
