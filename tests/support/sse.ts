/** One frame of a server-sent event stream, or a comment. */
export interface Frame {
  readonly event?: string;
  readonly data?: string;
  readonly id?: string;
  readonly comment?: string;
}

/** Reads a server-sent event stream frame by frame. */
export class SseReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #buffer = "";

  constructor(response: Response) {
    if (response.body === null) throw new Error("Cannot read frames: the answer has no body");
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next frame; rejects when the stream ends. */
  async next(): Promise<Frame> {
    while (true) {
      const end = this.#buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return parseFrame(block);
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("Cannot read a frame: the stream ended");
      this.#buffer += value;
    }
  }

  /** Returns frames up to and including the first match. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame[]> {
    const seen: Frame[] = [];
    do seen.push(await this.next()); while (!fits(seen.at(-1)!));
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}

function parseFrame(block: string): Frame {
  const frame: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    frame[name === "" ? "comment" : name!] = value ?? "";
  }
  return frame;
}
