import { ToolError, toQuery } from "../api.ts";
import { type ApiTable, filtersArgument, fromQuery } from "../schemas.ts";
import { answerWith, CLEARS, type Tool } from "../tool.ts";
import { SELECTION, toValues } from "../rows.ts";

/** `clear_events` */
export function clearEvents(table: ApiTable): Tool {
  return {
    name: "clear_events",
    title: "Delete captured events",
    description: "Deletes the captured events that list_events would list for the same filters, " +
      "for a clean start. To delete every event, give all: true and nothing else.",
    annotations: CLEARS,
    properties: {
      ...fromQuery(table, ["DELETE", "/events"], SELECTION),
      filters: filtersArgument(table),
      all: { type: "boolean", description: "Delete every event; required if there is no filter" },
    },
    async call(args, api) {
      const { all, ...values } = toValues(args);
      const isFiltered = Object.values(values).some((value) => value !== "");
      if (isFiltered === (all === true)) {
        throw new ToolError("Cannot tell what to delete: set either filters, or all: true");
      }
      await api.read({ method: "DELETE", path: `/events${toQuery(values)}` });
      return answerWith({ cleared: isFiltered ? values : "all" });
    },
  };
}
