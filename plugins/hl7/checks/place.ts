import { placeIn } from "../../../core/checks/place.ts";
import type { CheckPlace } from "../../../core/plugin.ts";
import { isHeader } from "../codec/segment.ts";
import type { Hl7Message, Segment } from "../model.ts";

/** A segment, or a field of it. */
export interface At {
  readonly segment: Segment;
  /** As the standard counts; absent for the whole segment. */
  readonly position?: number;
}

/**
 * Returns the place of a segment or field, such as `PID[1]-3`, with the text around it. An empty
 * field is shown by the separator before it, and one beyond the end of its segment by the segment's
 * name.
 */
export function placeOf(message: Hl7Message, { segment, position }: At): CheckPlace {
  const { id, index, occurrence, fields } = segment;
  const { field: separator } = message.separators;
  // The first field of a header is the separator itself.
  const values = isHeader(id) ? fields.slice(1) : fields;
  const line = [id, ...values.map(({ value }) => value)].join(separator);
  const path = `${id}[${occurrence}]`;
  return {
    ...placeIn("segments", line, spanOf(segment, { position, separator, line })),
    line: index,
    path: position === undefined ? path : `${path}-${position}`,
  };
}

function spanOf(
  { id, fields }: Segment,
  { position, separator, line }: {
    readonly position: number | undefined;
    readonly separator: string;
    readonly line: string;
  },
): { readonly start: number; readonly end: number } {
  if (position === undefined) return { start: 0, end: line.length };
  const skipped = isHeader(id) ? 1 : 0;
  const value = fields[position - 1]?.value;
  if (value === undefined || position <= skipped) return { start: 0, end: id.length };
  const before = fields.slice(skipped, position - 1);
  const start = before.reduce(
    (sum, field) => sum + field.value.length + separator.length,
    id.length,
  );
  const from = start + separator.length;
  return value === "" ? { start, end: from } : { start: from, end: from + value.length };
}

/** Returns the first header segment, if the message has one. */
export function headerOf(segments: readonly Segment[]): Segment | undefined {
  return segments.find(({ id }) => id === "MSH");
}
