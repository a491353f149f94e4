/** Presentation of items in a report: plugins return data, which core lays out and escapes. */
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { MaybePromise } from "../result.ts";

/** A part of an item. All of it may be hostile text. */
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

/** Preformatted text. */
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
  /** Must not contain links, or load anything from other machines; pictures are `data:` URLs. */
  readonly html: string;
}

/** A message, shown as a bubble. */
export interface ReportMessage {
  /** Kind of part. */
  readonly kind: "message";
  /** Who wrote it. */
  readonly from?: string | undefined;
  /** Content: plain or formatted. */
  readonly text: string | readonly ReportRun[];
}

/** A span of formatted text. */
export interface ReportRun {
  /** The text, which may contain line breaks. */
  readonly text: string;
  /** Style; plain by default. */
  readonly look?: "strong" | "em" | "strike" | "code";
}

/** A notification, as a device shows it. */
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
  /** Column headings. */
  readonly columns: readonly string[];
  /** Cells of each row. */
  readonly rows: readonly (readonly string[])[];
}

/** A file, offered for download, and shown if it is a picture. */
export interface ReportFile {
  /** Kind of part. */
  readonly kind: "file";
  /** As stated by the sender. */
  readonly name?: string | undefined;
  /** As stated by the sender. */
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
