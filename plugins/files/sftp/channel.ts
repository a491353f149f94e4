// @ts-types="./ssh2.d.ts"
import type { ServerChannel } from "ssh2";
import { TimeSlice } from "../../../core/time_slice.ts";
import type { Channel } from "./session.ts";

/** State shared by the channels of one connection. */
export interface ChannelLink {
  /** Whether responses must wait for room, or for the end of a key exchange. */
  mustWait(): boolean;
  /** Runs `write`, and sends its output at once. */
  together(write: () => void): void;
  /** Releases the chunks that the library held for the session. */
  taken(): void;
  /** The session has processed this many bytes. */
  done(bytes: number): void;
  /** Reading from the client pauses meanwhile. */
  holdUp(work: Promise<void>): Promise<void>;
}

/** A channel of the library, as a session reads and writes it. */
export class OpenChannel implements Channel {
  readonly #channel: ServerChannel;
  readonly #link: ChannelLink;
  #ended = false;
  #gone = false;
  /** Made for faults alone. */
  #left: AbortController | undefined;
  /** Responses since the last wait: requests that have arrived are answered without waiting. */
  #slice = new TimeSlice();
  #wakeReader = (): void => {};
  #wakeWriter = (): void => {};

  constructor(channel: ServerChannel, link: ChannelLink) {
    this.#channel = channel;
    this.#link = link;
    channel.on("readable", () => this.#wakeReader());
    for (const event of ["end", "close", "error"] as const) {
      channel.on(event, () => {
        this.#ended = true;
        this.#wakeReader();
      });
    }
  }

  get isGone(): boolean {
    return this.#gone;
  }

  get gone(): AbortSignal {
    this.#left ??= new AbortController();
    if (this.#gone) this.#left.abort();
    return this.#left.signal;
  }

  /** The client closed the channel or disconnected: responses can no longer be sent. */
  leave(): void {
    this.#gone = true;
    this.#left?.abort();
    this.#wakeReader();
    this.#wakeWriter();
  }

  /** Wakes a writer, which checks again whether it must wait. */
  wake(): void {
    this.#wakeWriter();
  }

  holdUp(work: Promise<void>): Promise<void> {
    return this.#link.holdUp(work);
  }

  async write(bytes: Uint8Array): Promise<void> {
    while (!this.#gone && this.#link.mustWait()) {
      await new Promise<void>((resolve) => this.#wakeWriter = resolve);
      this.#slice = new TimeSlice();
    }
    if (this.#slice.over) await this.#slice.yieldToEventLoop();
    if (this.#gone || this.#channel.destroyed) return;
    // The library calls back when the window has taken all of it, but not after the channel closed.
    const writtenMs = performance.now();
    await new Promise<void>((resolve) => {
      this.#wakeWriter = () => {
        if (this.#gone) resolve();
      };
      this.#link.together(() => void this.#channel.write(bytes, () => resolve()));
    });
    this.#slice.waited(writtenMs);
  }

  /** Unlike the iterator of the stream, leaves the stream open at its end, for the exit status. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk: Uint8Array | null = this.#channel.read();
      this.#link.taken();
      if (chunk !== null) {
        yield chunk;
        this.#link.done(chunk.length);
      } else if (this.#ended || this.#gone) return;
      else {
        await new Promise<void>((resolve) => this.#wakeReader = resolve);
        this.#slice = new TimeSlice();
      }
    }
  }
}
