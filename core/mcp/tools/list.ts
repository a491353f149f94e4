import { toQuery } from "../api.ts";
import { type ApiTable, filtersArgument, fromQuery } from "../schemas.ts";
import { answerWith, READS, type Tool } from "../tool.ts";
import { SELECTION, toRows, toValues } from "../rows.ts";

/** Rows of one response. */
const DEFAULT_ROWS = 20;
const MAX_ROWS = 100;
/** Characters of them, fewer than would be cut. */
const MAX_CHARACTERS = 15_000;

/** `list_events` */
export function listEvents(table: ApiTable): Tool {
  return {
    name: "list_events",
    title: "List captured events",
    description:
      "Lists what the application has sent and Standin has captured (mail, SMS, chat, push, files, S3, SNMP, " +
      "AS2, HL7), newest first, one short row each. Call get_event with an id for the content. To wait for " +
      "something that is still to come, use wait_for_event.",
    annotations: READS,
    properties: {
      ...fromQuery(table, ["GET", "/events"], [...SELECTION, "offset"]),
      limit: {
        type: "integer",
        minimum: 1,
        maximum: MAX_ROWS,
        description: `Maximum number of rows; ${DEFAULT_ROWS} by default`,
      },
      filters: filtersArgument(table),
    },
    async call(args, api) {
      const { limit, ...values } = toValues(args);
      const most = Math.min(Number(limit ?? DEFAULT_ROWS) || DEFAULT_ROWS, MAX_ROWS);
      const query = toQuery({ ...values, limit: most + 1, include_payload: false });
      const rows = toRows(await api.json({ method: "GET", path: `/events${query}` }));
      const events = thoseThatFit(rows.slice(0, most));
      const next = Number(values.offset ?? 0) + events.length;
      return answerWith({
        events,
        count: events.length,
        ...(rows.length > events.length ? { next_offset: next } : {}),
      });
    },
  };
}

/** The first rows that one response can hold, at least one. */
function thoseThatFit(rows: readonly object[]): readonly object[] {
  let length = 0;
  const end = rows.findIndex((row) => {
    length += JSON.stringify(row).length;
    return length > MAX_CHARACTERS;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}
