import type { CapturedEvent, EventFilter, StreamItem } from "../events/event.ts";
import { jsonChunks } from "../bytes/json_chunks.ts";
import { compact } from "../compact.ts";
import { CONNECTED, eventFrames, namedChunks, namedFrame, PING, PING_MS } from "../events/sse.ts";
import { toEventView } from "../events/view.ts";
import { noteHeld } from "../http/answer.ts";
import { FILTER_PARAMS } from "../http/list.ts";
import type { ParamValues } from "../http/route.ts";
import type { ApiState, EventReader } from "./state.ts";
import { StreamPace } from "./stream_pace.ts";

/** The public stream: two frames per event, and `gap`. */
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
      if (item.kind === "gap") return [namedFrame("gap", "{}")];
      return item.kind === "captured" ? framesOf(state, item.event, raw) : [];
    },
  });
}

/** Query parameters of the UI's own stream. */
export const UI_STREAM_PARAMS = { namespace: FILTER_PARAMS.namespace };

/** The UI's stream: a named frame per change, including rejected requests. All namespaces by default. */
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
          return namedChunks("captured", jsonChunks(toUiView(state, item.event)));
        case "deleted":
          return [namedFrame("deleted", JSON.stringify({ id: item.id, plugin: item.plugin }))];
        case "cleared":
          return [
            namedFrame(
              "cleared",
              JSON.stringify({ plugin: item.plugin, namespace: item.namespace }),
            ),
          ];
        case "gap":
          return [namedFrame("gap", "{}")];
      }
    },
    side: {
      onChange: (listener) => state.rejected.onChange(listener),
      toFrames: () => namedFrame("rejected", JSON.stringify({ count: state.rejected.count })),
    },
  });
}

function framesOf(
  state: ApiState,
  event: CapturedEvent,
  raw: "none" | "body",
): Iterable<string> {
  const view = toEventView(event, { url: state.eventUrl(event.id), raw });
  return eventFrames(event, jsonChunks(view));
}

/** The record, and the number of its plugin's events: eviction has no frame. */
function toUiView(state: ApiState, event: CapturedEvent): object {
  const view = toEventView(event, { url: state.eventUrl(event.id), raw: "none" });
  return { ...view, held: state.events.count(event.plugin) };
}

interface StreamAbout {
  /** Equal for streams that show the same items in the same way. */
  readonly kind: string;
  readonly filter: EventFilter;
  readonly after: string | undefined;
  readonly first: string;
  toFrames(item: StreamItem): Iterable<string>;
  /** Further news, of which only the latest counts. */
  readonly side?: {
    /** Calls back on news, until the returned function is called. */
    onChange(listener: () => void): () => void;
    toFrames(): string;
  };
}

/** Bytes sent at once. */
const CHUNK_BYTES = 65_536;
/** Characters of frames that are serialized at once, and kept for other readers. */
const BATCH_CHARS = 262_144;

/** Bytes held for a reader that reads nothing: one batch, and a chunk on its way. */
const READER_BYTES = 131_072;

const encoder = new TextEncoder();
const pace = new StreamPace();

/** Serialized items of a stream: readers at the same position share the same bytes. */
interface Batch {
  readonly kind: string;
  readonly items: readonly StreamItem[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const lastBatch = new WeakMap<ApiState, Batch>();

function* allFrames(
  items: readonly StreamItem[],
  toFrames: StreamAbout["toFrames"],
): Generator<string> {
  for (const item of items) yield* toFrames(item);
}

/** Returns the next text of about this many characters; fewer only at the end. */
function gather(chunks: Iterator<string>, chars: number): { text: string; ended: boolean } {
  let text = "";
  while (text.length < chars) {
    const { value, done } = chunks.next();
    if (done === true) return { text, ended: true };
    text += value;
  }
  return { text, ended: false };
}

function isSame(a: readonly StreamItem[], b: readonly StreamItem[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sendStream(state: ApiState, about: StreamAbout): Response {
  const stream = new EventStream(state, about);
  // One chunk at a time, after the reader has taken the last: a slow reader's events wait in its subscription, which is
  // bounded.
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(about.first)),
    async pull(controller) {
      const chunk = await stream.next();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => stream.stop(),
  });
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
  };
  return noteHeld(new Response(body, { headers }), READER_BYTES);
}

/** Output of one reader, chunk by chunk. */
class EventStream {
  readonly #state: ApiState;
  readonly #about: StreamAbout;
  readonly #ended = new AbortController();
  readonly #items: EventReader;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #unfollow: (() => void) | undefined;
  #left: Uint8Array<ArrayBuffer> = new Uint8Array();
  /** Remaining parts of long frames. */
  #rest: Iterator<string> | undefined;
  #sideDue = false;
  #pingDue = false;

  constructor(state: ApiState, about: StreamAbout) {
    this.#state = state;
    this.#about = about;
    const signal = AbortSignal.any([state.signal, this.#ended.signal]);
    this.#items = state.follow(about.filter, {
      signal,
      ...compact({ after: about.after }),
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

  /** Ends the stream. */
  stop(): void {
    clearInterval(this.#timer);
    this.#unfollow?.();
    this.#ended.abort();
  }

  /** Returns the next bytes; `undefined` at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#left.length === 0) {
      if (this.#rest === undefined && !this.#hasWord && !await this.#items.ready()) {
        return undefined;
      }
      await pace.turn();
      if (this.#rest === undefined) this.#take();
      else this.#goOn(this.#rest);
    }
    const chunk = this.#left.subarray(0, CHUNK_BYTES);
    this.#left = this.#left.subarray(chunk.length);
    pace.spent(chunk.length);
    return chunk;
  }

  /** Returns whether there is news besides items. */
  get #hasWord(): boolean {
    return this.#sideDue || this.#pingDue;
  }

  #take(): void {
    const { kind, toFrames } = this.#about;
    const items = this.#items.take(CHUNK_BYTES);
    const last = lastBatch.get(this.#state);
    if (items.length === 0) this.#left = this.#takeWord();
    else if (last?.kind === kind && isSame(last.items, items)) this.#left = last.bytes;
    else {
      const frames = allFrames(items, toFrames);
      // Long frames are serialized for each reader on demand, so that their chunks are not all held.
      if (this.#goOn(frames)) lastBatch.set(this.#state, { kind, items, bytes: this.#left });
    }
  }

  /** Serializes the next chunk of long frames. Returns whether it was the last. */
  #goOn(frames: Iterator<string>): boolean {
    // The rest of long frames is held by each reader alone.
    const chars = this.#rest === undefined ? BATCH_CHARS : CHUNK_BYTES;
    const { text, ended } = gather(frames, chars);
    this.#left = encoder.encode(text);
    this.#rest = ended ? undefined : frames;
    return ended;
  }

  #takeWord(): Uint8Array<ArrayBuffer> {
    const word = this.#sideDue ? this.#about.side?.toFrames() ?? "" : this.#pingDue ? PING : "";
    this.#sideDue = this.#pingDue = false;
    return encoder.encode(word);
  }
}
