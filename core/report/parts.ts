/** The parts of an event in a report: from its plugin, else its text. */
import type { BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent, EventText } from "../events/event.ts";
import { readHtml } from "../extract/html_text.ts";
import type { Logger } from "../log.ts";
import type { AnyPlugin } from "../plugin.ts";
import type { ReportPart } from "./part.ts";

/** The visible parts of an event, and its searchable text. */
export interface Parts {
  readonly parts: readonly ReportPart[];
  readonly text: string;
}

/** Returns the parts of an event. One that its plugin cannot read has none. */
export async function partsOf(
  event: Omit<CapturedEvent, "seq">,
  { plugins, blobs, log }: {
    readonly plugins: readonly AnyPlugin[];
    readonly blobs: BlobStore;
    readonly log: Logger;
  },
): Promise<Parts> {
  const whole: CapturedEvent = { ...event, seq: 0 };
  const plugin = plugins.find(({ id }) => id === event.plugin);
  try {
    const texts = plugin?.texts?.(whole) ?? [];
    const report = await plugin?.report?.();
    const parts = await report?.parts(whole, { blobs }) ?? texts.map(toPart);
    return { parts, text: texts.map(textOf).join("\n") };
  } catch (error) {
    const { id } = event;
    log.warn("Cannot present an event: only its payload is shown", {
      plugin: event.plugin,
      id,
      error,
    });
    return { parts: [], text: "" };
  }
}

function toPart(part: EventText): ReportPart {
  return { kind: "text", label: "Text", text: textOf(part) };
}

function textOf({ kind, text }: EventText): string {
  return kind === "html" ? readHtml(text).text : text;
}
