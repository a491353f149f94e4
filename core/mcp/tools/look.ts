/** Tools that look at one event. */
import { isObject } from "../message.ts";
import { eventPath } from "../resources.ts";
import type { JsonSchema } from "../../http/route.ts";
import { answerWith, READS, type Tool } from "../tool.ts";

const ID: Readonly<Record<string, JsonSchema>> = {
  id: { type: "string", description: "Id of the event, as in list_events" },
};

/** `extract` */
export const extract: Tool = {
  name: "extract",
  title: "Extract codes and links",
  description: "Returns the one-time codes, links and tokens in the text of an event, the most " +
    "likely code first: what a user would type or click next.",
  annotations: READS,
  properties: ID,
  required: ["id"],
  async call(args, api) {
    const { id } = args;
    const event = await api.json({ method: "GET", path: `${eventPath(id)}?include_raw=0` });
    const found = isObject(event) ? event.extracted : undefined;
    return answerWith(isObject(found) ? found : { codes: [], links: [], tokens: [] });
  },
};

/** `check_event` */
export const checkEvent: Tool = {
  name: "check_event",
  title: "Check one event",
  description:
    "Returns what the real vendor or the reader of an event would not accept, worst first: unfilled " +
    "placeholders, missing text part, links to private hosts, and so on, each with level, message, place and " +
    "source. An empty list means that nothing was found. list_events with checks: error finds the events.",
  annotations: READS,
  properties: ID,
  required: ["id"],
  async call(args, api) {
    const { id } = args;
    const found = await api.json({ method: "GET", path: `${eventPath(id)}/checks` });
    return answerWith(isObject(found) ? found : { checks: [], count: 0 });
  },
};
