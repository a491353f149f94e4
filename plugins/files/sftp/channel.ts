// @ts-types="./ssh2.d.ts"
import type { ServerChannel } from "ssh2";
import { TimeSlice } from "../../../core/time_slice.ts";
import type { Channel } from "./session.ts";

/** What the channels of one connection share. */
export interface ChannelLink {
  /** Whether answers have to wait: for room, or for the end of a key exchange. */
  mustWait(): boolean;
  /** What is written meanwhile goes out at once. */
  together(write: () => void): void;
  /** The session took the chunks that the library held. */
  taken(): void;
}

/** A channel of the library as a session reads and writes it. */
export class OpenChannel implements Channel {
  readonly #channel: ServerChannel;
  readonly #link: ChannelLink;
  #ended = false;
  #gone = false;
  /** Since the last wait: requests that are all there are answered without one. */
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

  /** The client closed the channel or went away: nobody takes answers any more. */
  leave(): void {
    this.#gone = true;
    this.#wakeReader();
    this.#wakeWriter();
  }

  /** A writer that waits looks again whether it has to. */
  wake(): void {
    this.#wakeWriter();
  }

  async write(bytes: Uint8Array): Promise<void> {
    while (!this.#gone && this.#link.mustWait()) {
      await new Promise<void>((resolve) => this.#wakeWriter = resolve);
      this.#slice = new TimeSlice();
    }
    if (this.#slice.over) await this.#slice.yieldToEventLoop();
    if (this.#gone || this.#channel.destroyed) return;
    // The library says when the window took all of it, but says nothing once the channel is closed.
    await new Promise<void>((resolve) => {
      this.#wakeWriter = () => {
        if (this.#gone) resolve();
      };
      this.#link.together(() => void this.#channel.write(bytes, () => resolve()));
    });
  }

  /** Unlike the stream's own iterator it leaves the stream open at its end: the exit status is still to be sent. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk: Uint8Array | null = this.#channel.read();
      this.#link.taken();
      if (chunk !== null) yield chunk;
      else if (this.#ended || this.#gone) return;
      else {
        await new Promise<void>((resolve) => this.#wakeReader = resolve);
        this.#slice = new TimeSlice();
      }
    }
  }
}
