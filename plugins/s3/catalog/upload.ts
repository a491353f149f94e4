import type { Algorithm, ChecksumType, Completion, ObjectAbout, UploadPart } from "./model.ts";

/** What a multipart upload begins with. */
export interface UploadStart extends ObjectAbout {
  readonly bucket: string;
  readonly key: string;
  /** Algorithm that the client means to use for the parts. */
  readonly algorithm?: Algorithm;
  readonly checksumType?: ChecksumType;
}

/** A multipart upload that is neither complete nor aborted. */
export class Upload {
  readonly id: string;
  readonly start: UploadStart;
  readonly initiated: Date;
  /** By number. */
  readonly parts = new Map<number, UploadPart>();
  /** The completion under way: a second request for it waits for the same end. */
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

  /** Parts by number. */
  sorted(): readonly UploadPart[] {
    return [...this.parts.values()].sort((a, b) => a.number - b.number);
  }

  /** Does something during which the upload counts as busy. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#inFlight++;
    try {
      return await run();
    } finally {
      this.#inFlight--;
    }
  }
}
