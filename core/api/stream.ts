import type { CapturedEvent, EventFilter, StreamItem } from "../events/event.ts";
import { CONNECTED, eventFrames, namedFrame, PING, PING_MS } from "../events/sse.ts";
import { toEventView } from "../events/view.ts";
import { FILTER_PARAMS } from "../http/list.ts";
import type { ParamValues } from "../http/route.ts";
import type { ApiState } from "./state.ts";

/** The public stream: two frames an event, and `gap`. */
export function streamEvents(
  state: ApiState,
  options: { filter: EventFilter; after: string | undefined; includeRaw: boolean },
): Response {
  const raw = options.includeRaw ? "body" : "none";
  return sendStream(state, {
    filter: options.filter,
    after: options.after,
    first: CONNECTED,
    toFrames(item) {
      if (item.kind === "gap") return namedFrame("gap", "{}");
      if (item.kind === "captured") return framesOf(state, item.event, raw);
      return "";
    },
  });
}

/** Query parameters of the UI's own stream. */
export const UI_STREAM_PARAMS = { namespace: FILTER_PARAMS.namespace };

/** The UI's own stream: every change has a name, the rejected journal included. All namespaces unless one is given. */
export function streamForUi(
  state: ApiState,
  { namespace }: ParamValues<typeof UI_STREAM_PARAMS>,
): Response {
  return sendStream(state, {
    filter: namespace === undefined ? {} : { namespace },
    after: undefined,
    first: namedFrame(
      "hello",
      JSON.stringify({ version: state.version, rejected: state.rejected.count }),
    ),
    toFrames(item) {
      switch (item.kind) {
        case "captured":
          return namedFrame("captured", toUiJson(state, item.event));
        case "deleted":
          return namedFrame("deleted", JSON.stringify({ id: item.id, plugin: item.plugin }));
        case "cleared":
          return namedFrame(
            "cleared",
            JSON.stringify({ plugin: item.plugin, namespace: item.namespace }),
          );
        case "gap":
          return namedFrame("gap", "{}");
      }
    },
    follow: (send) =>
      state.rejected.onChange(() =>
        send(namedFrame("rejected", JSON.stringify({ count: state.rejected.count })))
      ),
  });
}

interface Written {
  readonly event: CapturedEvent;
  readonly raw: "none" | "body";
  readonly frames: string;
}

/** The frames written last, by service: a thousand readers are sent the same ones, one right after the other. */
const lastWritten = new WeakMap<ApiState, Written>();

function framesOf(state: ApiState, event: CapturedEvent, raw: "none" | "body"): string {
  const last = lastWritten.get(state);
  if (last?.event === event && last.raw === raw) return last.frames;
  const view = toEventView(event, { url: state.eventUrl(event.id), raw });
  const frames = eventFrames(event, JSON.stringify(view));
  lastWritten.set(state, { event, raw, frames });
  return frames;
}

/** The record, and how many of its plugin are held: what made room for it has no frame of its own. */
function toUiJson(state: ApiState, event: CapturedEvent): string {
  const view = toEventView(event, { url: state.eventUrl(event.id), raw: "none" });
  return JSON.stringify({ ...view, held: state.events.count(event.plugin) });
}

interface StreamAbout {
  readonly filter: EventFilter;
  readonly after: string | undefined;
  readonly first: string;
  toFrames(item: StreamItem): string;
  /** Sends frames of another source, until the returned function is called. */
  follow?(send: (frames: string) => void): () => void;
}

/** Frames of another source that a reader may leave unread before the next ones are left out. */
const SIDE_FRAMES = 16;

function sendStream(state: ApiState, about: StreamAbout): Response {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const signal = AbortSignal.any([state.signal, ended.signal]);
  let timer: ReturnType<typeof setInterval> | undefined;
  let unfollow: (() => void) | undefined;
  const stop = () => {
    clearInterval(timer);
    unfollow?.();
    ended.abort();
  };
  const items = state.events.subscribe(about.filter, {
    signal,
    ...(about.after === undefined ? {} : { after: about.after }),
  })[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const send = (frames: string) => {
        if ((controller.desiredSize ?? 0) > -SIDE_FRAMES) {
          controller.enqueue(encoder.encode(frames));
        }
      };
      controller.enqueue(encoder.encode(about.first));
      timer = setInterval(() => send(PING), PING_MS);
      unfollow = about.follow?.(send);
      signal.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      // One event at a time, and only when the reader has taken the one before: the bounded queue of the
      // subscription is the only place where a slow reader's events wait.
      while (true) {
        const next = await items.next();
        if (next.done) {
          stop();
          controller.close();
          return;
        }
        const frames = about.toFrames(next.value);
        if (frames === "") continue;
        controller.enqueue(encoder.encode(frames));
        return;
      }
    },
    cancel: stop,
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    },
  });
}
