import { concat } from "../bytes/concat.ts";
import type { CapturedEvent, EventFilter, StreamItem } from "../events/event.ts";
import { CONNECTED, eventFrames, namedFrame, PING, PING_MS } from "../events/sse.ts";
import { toEventView } from "../events/view.ts";
import { FILTER_PARAMS } from "../http/list.ts";
import type { ParamValues } from "../http/route.ts";
import type { ApiState, EventReader } from "./state.ts";
import { StreamPace } from "./stream_pace.ts";

/** The public stream: two frames an event, and `gap`. */
export function streamEvents(
  state: ApiState,
  options: { filter: EventFilter; after: string | undefined; includeRaw: boolean },
): Response {
  const raw = options.includeRaw ? "body" : "none";
  return sendStream(state, {
    kind: `events ${raw}`,
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
    kind: "ui",
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
    side: {
      onChange: (listener) => state.rejected.onChange(listener),
      toFrames: () => namedFrame("rejected", JSON.stringify({ count: state.rejected.count })),
    },
  });
}

function framesOf(state: ApiState, event: CapturedEvent, raw: "none" | "body"): string {
  const view = toEventView(event, { url: state.eventUrl(event.id), raw });
  return eventFrames(event, JSON.stringify(view));
}

/** The record, and how many of its plugin are held: what made room for it has no frame of its own. */
function toUiJson(state: ApiState, event: CapturedEvent): string {
  const view = toEventView(event, { url: state.eventUrl(event.id), raw: "none" });
  return JSON.stringify({ ...view, held: state.events.count(event.plugin) });
}

interface StreamAbout {
  /** Equal for streams that show the same items in the same way. */
  readonly kind: string;
  readonly filter: EventFilter;
  readonly after: string | undefined;
  readonly first: string;
  toFrames(item: StreamItem): string;
  /** What else there is to tell, which a later word on it replaces. */
  readonly side?: {
    /** Calls back when there is something new, until the returned function is called. */
    onChange(listener: () => void): () => void;
    toFrames(): string;
  };
}

/** Bytes that are handed over at once. */
const PIECE_BYTES = 65_536;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const pace = new StreamPace();

/** Some items as a stream shows them: readers that are level with each other are sent the same bytes. */
interface Batch {
  readonly kind: string;
  readonly items: readonly StreamItem[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const lastBatch = new WeakMap<ApiState, Batch>();

function toBytes(
  state: ApiState,
  { kind, toFrames }: StreamAbout,
  items: readonly StreamItem[],
): Uint8Array<ArrayBuffer> {
  const last = lastBatch.get(state);
  if (last?.kind === kind && isSame(last.items, items)) return last.bytes;
  const bytes = encoder.encode(items.map(toFrames).join(""));
  lastBatch.set(state, { kind, items, bytes });
  return bytes;
}

function isSame(a: readonly StreamItem[], b: readonly StreamItem[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sendStream(state: ApiState, about: StreamAbout): Response {
  const stream = new EventStream(state, about);
  // One piece at a time, and only when the reader has taken the one before: a slow reader's events wait in its
  // subscription, which is bounded.
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(about.first)),
    async pull(controller) {
      const piece = await stream.next();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel: () => stream.stop(),
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

/** What one reader is sent, piece by piece. */
class EventStream {
  readonly #state: ApiState;
  readonly #about: StreamAbout;
  readonly #ended = new AbortController();
  readonly #items: EventReader;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #unfollow: (() => void) | undefined;
  #left: Uint8Array<ArrayBuffer> = NOTHING;
  #sideDue = false;
  #pingDue = false;

  constructor(state: ApiState, about: StreamAbout) {
    this.#state = state;
    this.#about = about;
    const signal = AbortSignal.any([state.signal, this.#ended.signal]);
    this.#items = state.follow(about.filter, {
      signal,
      ...(about.after === undefined ? {} : { after: about.after }),
    });
    this.#timer = setInterval(() => {
      this.#pingDue = true;
      this.#items.nudge();
    }, PING_MS);
    this.#unfollow = about.side?.onChange(() => {
      this.#sideDue = true;
      this.#items.nudge();
    });
    signal.addEventListener("abort", () => this.stop(), { once: true });
    if (signal.aborted) this.stop();
  }

  /** Nothing more is sent. */
  stop(): void {
    clearInterval(this.#timer);
    this.#unfollow?.();
    this.#ended.abort();
  }

  /** The next bytes; `undefined` at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#left.length === 0) {
      if (!this.#sideDue && !this.#pingDue && !await this.#items.ready()) return undefined;
      await pace.turn();
      this.#left = this.#take();
    }
    const piece = this.#left.subarray(0, PIECE_BYTES);
    this.#left = this.#left.subarray(piece.length);
    pace.spent(piece.length);
    return piece;
  }

  #take(): Uint8Array<ArrayBuffer> {
    const items = this.#items.take(PIECE_BYTES);
    const events = items.length === 0 ? NOTHING : toBytes(this.#state, this.#about, items);
    const side = this.#sideDue ? this.#about.side?.toFrames() ?? "" : "";
    const ping = this.#pingDue && events.length === 0 && side === "" ? PING : "";
    this.#sideDue = this.#pingDue = false;
    return side + ping === "" ? events : concat([events, encoder.encode(side + ping)]);
  }
}
