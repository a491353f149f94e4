import { toBytes } from "@std/streams/to-bytes";
import type { CapturedEvent, CheckContext } from "../../../core/plugin.ts";
import type { As2Message } from "../model.ts";

/** The subject of the checks of a business message. */
export interface As2Subject {
  readonly event: CapturedEvent<As2Message>;
  /** Text of an X12 or EDIFACT document. */
  readonly document: string | undefined;
}

/** Largest document that is read, in bytes. */
const MAX_DOCUMENT = 4 * 1024 * 1024;

/** Reads the document of a message. */
export async function readSubject(event: CapturedEvent, ctx: CheckContext): Promise<As2Subject> {
  const as2 = event as CapturedEvent<As2Message>;
  const { format, blob, size } = as2.payload.payload;
  const isEdi = format === "x12" || format === "edifact";
  if (!isEdi || blob === undefined || size > MAX_DOCUMENT) {
    return { event: as2, document: undefined };
  }
  const opened = await ctx.blobs.open(blob.id);
  const document = opened && new TextDecoder("latin1").decode(await toBytes(opened.body));
  return { event: as2, document };
}
