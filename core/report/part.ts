/** How a plugin presents its items in a report: as data, which core lays out and escapes. */
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { MaybePromise } from "../maybe_promise.ts";

/** One part of an item. Everything in it may be hostile text. */
export type ReportPart =
  | ReportFacts
  | ReportText
  | ReportPage
  | ReportMessage
  | ReportNotice
  | ReportTable
  | ReportFile;

/** Names and values. */
export interface ReportFacts {
  /** Kind of part. */
  readonly kind: "facts";
  /** In the order of display; rows without a value are left out. */
  readonly rows: readonly (readonly [name: string, value: string | number | undefined])[];
}

/** Text as it is, lines and spaces kept. */
export interface ReportText {
  /** Kind of part. */
  readonly kind: "text";
  /** Heading. */
  readonly label: string;
  /** The text. */
  readonly text: string;
  /** Whether it is hidden until the reader asks for it. */
  readonly folded?: boolean;
}

/** An HTML document, shown in a frame that runs and loads nothing. */
export interface ReportPage {
  /** Kind of part. */
  readonly kind: "page";
  /** Heading. */
  readonly label: string;
  /** Without links and anything else that would contact another machine; pictures as `data:` URLs. */
  readonly html: string;
}

/** What somebody wrote, as a bubble. */
export interface ReportMessage {
  /** Kind of part. */
  readonly kind: "message";
  /** Who wrote it. */
  readonly from?: string | undefined;
  /** What they wrote: as it is, or formatted. */
  readonly text: string | readonly ReportRun[];
}

/** A piece of formatted text. */
export interface ReportRun {
  /** The words, and line breaks. */
  readonly text: string;
  /** How they look; plain by default. */
  readonly look?: "strong" | "em" | "strike" | "code";
}

/** What a device shows. */
export interface ReportNotice {
  /** Kind of part. */
  readonly kind: "notice";
  /** The app. */
  readonly app?: string | undefined;
  /** First line. */
  readonly title?: string | undefined;
  /** The text. */
  readonly text?: string | undefined;
}

/** A table. */
export interface ReportTable {
  /** Kind of part. */
  readonly kind: "table";
  /** Heading. */
  readonly label: string;
  /** Heads of the columns. */
  readonly columns: readonly string[];
  /** Cells of each row. */
  readonly rows: readonly (readonly string[])[];
}

/** Bytes: to be saved, and shown if they are a picture. */
export interface ReportFile {
  /** Kind of part. */
  readonly kind: "file";
  /** As the sender states it. */
  readonly name?: string | undefined;
  /** As the sender states it. */
  readonly type?: string | undefined;
  /** Where the bytes are. */
  readonly blob: BlobRef;
}

/** Parts of the run available to a plugin. */
export interface ReportContext {
  /** Bytes of attachments and files. */
  readonly blobs: BlobStore;
}

/** Presentation of a plugin's items. */
export interface PluginReport {
  /** Returns the parts of an item, in the order of display. */
  parts(event: CapturedEvent, ctx: ReportContext): MaybePromise<readonly ReportPart[]>;
}
