import { ToolError, toQuery } from "../api.ts";
import { isObject } from "../message.ts";
import { type ApiTable, filtersArgument, fromQuery } from "../schemas.ts";
import { answerWith, READS, type Tool } from "../tool.ts";
import { SELECTION, toRows, toValues } from "../rows.ts";

/** `wait_for_event` */
export function waitForEvent(table: ApiTable): Tool {
  return {
    name: "wait_for_event",
    title: "Wait for an event",
    description:
      "Waits until a matching event is captured, and returns it as a row with its one-time codes and links. " +
      "Events that are held already count, so call it after making the application send; give after or since to " +
      'skip older ones. Returns {"met": false} with what was captured instead when the time is over. With absent ' +
      "it confirms that nothing of the kind arrives until the timeout.",
    annotations: READS,
    properties: {
      ...fromQuery(table, ["GET", "/events/wait"], [...SELECTION, "count", "timeout", "absent"]),
      filters: filtersArgument(table),
    },
    async call(args, api) {
      const query = toQuery({
        ...toValues(args),
        include_payload: false,
        include_extracted: true,
      });
      const found = await api.json({ method: "GET", path: `/events/wait${query}` }, [409]);
      if (Array.isArray(found)) return answerWith({ met: true, events: toRows(found) });
      const reason = isObject(found) ? found.error : undefined;
      if (typeof reason !== "string") throw new ToolError("Cannot read the result of the wait");
      return answerWith({ met: false, reason });
    },
  };
}
