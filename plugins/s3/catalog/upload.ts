import type { Algorithm, ChecksumType, Completion, ObjectAbout, UploadPart } from "./model.ts";

/** The start of a multipart upload. */
export interface UploadStart extends ObjectAbout {
  readonly bucket: string;
  readonly key: string;
  /** Checksum algorithm that the client intends to use for the parts. */
  readonly algorithm?: Algorithm;
  readonly checksumType?: ChecksumType;
}

/** An open multipart upload. */
export class Upload {
  readonly id: string;
  readonly start: UploadStart;
  readonly initiated: Date;
  /** By number. */
  readonly parts = new Map<number, UploadPart>();
  /** The completion under way: a second request waits for its end. */
  completing: Promise<Completion> | undefined;
  #inFlight = 0;

  constructor(id: string, about: { start: UploadStart; initiated: Date }) {
    this.id = id;
    this.start = about.start;
    this.initiated = about.initiated;
  }

  /** Whether a request that changes it is under way. */
  get busy(): boolean {
    return this.#inFlight > 0;
  }

  /** Returns the parts in order of number. */
  sorted(): readonly UploadPart[] {
    return [...this.parts.values()].sort((a, b) => a.number - b.number);
  }

  /** Runs work during which the upload counts as busy. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#inFlight++;
    try {
      return await run();
    } finally {
      this.#inFlight--;
    }
  }
}
