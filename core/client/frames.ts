/**
 * Server-sent events (WHATWG HTML, section 9.2.6), cut anywhere:
 *
 *   *( field ":" [ " " ] value end-of-line ) end-of-line
 *
 * @module
 */

/** One frame. */
export interface Frame {
  /** `message` by default. */
  readonly event: string;
  readonly data: string;
  /** Id of this frame, or of the last one that had an id. */
  readonly id: string;
}

/** Parses frames from text as it arrives. */
export class FrameReader {
  #rest = "";
  #event = "";
  #data: string[] = [];
  #id = "";

  /** Returns the frames that `text` completes. */
  push(text: string): Frame[] {
    const frames: Frame[] = [];
    // A CR at the very end may be half of a CR LF.
    const whole = this.#rest + text;
    const lines = whole.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const frame = this.#take(line);
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  #take(line: string): Frame | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch(): Frame | undefined {
    const [event, data] = [this.#event, this.#data];
    this.#event = "";
    this.#data = [];
    if (data.length === 0) return undefined;
    return { event: event === "" ? "message" : event, data: data.join("\n"), id: this.#id };
  }
}
