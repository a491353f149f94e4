import { isObject } from "../message.ts";
import { type ApiTable, bodyOf, fromBody } from "../schemas.ts";
import { answerWith, READS, type Tool } from "../tool.ts";
import { toRow, toRows } from "../rows.ts";

/** `expect_events` */
export function expectEvents(table: ApiTable): Tool {
  const { properties } = bodyOf(table, "POST", "/expect");
  return {
    name: "expect_events",
    title: "Assert on events",
    description:
      "Asserts on captured events: which match, how many, in which order, or that none does. Waits where it may " +
      'still come true. Returns {"met": true} with the events, or {"met": false} with the closest event and each ' +
      "condition: wanted, got, met. Example: " +
      '{"plugin": "mail", "match": {"payload.subject": {"contains": "Welcome"}, "to[*].email": ' +
      '"ada@example.org", "codes[0]": {"regex": "^[0-9]{6}$"}}, "count": 1}. Filters of the plugin go ' +
      "beside the other keys.",
    annotations: READS,
    properties: fromBody(properties),
    isOpen: true,
    async call(args, api) {
      const verdict = await api.json({ method: "POST", path: "/expect", body: args }, [409]);
      if (!isObject(verdict)) return answerWith({ met: false });
      const { events, closest, ...told } = verdict;
      return answerWith({
        ...told,
        events: toRows(events),
        ...(isObject(closest) ? { closest: { ...closest, event: toRow(closest.event) } } : {}),
      });
    },
  };
}
