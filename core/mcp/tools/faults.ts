/** Tools for faults on demand. */
import { isObject } from "../message.ts";
import { type ApiTable, bodyOf, fromBody } from "../schemas.ts";
import { findProviders } from "./send.ts";
import { ADDS, answerWith, CLEARS, READS, type Tool } from "../tool.ts";

/** `add_fault` */
export function addFault(table: ApiTable): Tool {
  const { anyOf } = bodyOf(table, "POST", "/faults");
  const [rule] = anyOf as readonly Readonly<Record<string, unknown>>[];
  return {
    name: "add_fault",
    title: "Make a provider fail",
    description:
      "Makes a provider fail from now on as the real service does, to test how the application copes. Example: " +
      '{"on": "mail/mail2", "outcome": ["rate_limit", "rate_limit"], "match": {"to[*].email": ' +
      '"ada@example.org"}} refuses two requests, then works as usual. list_faults with outcomes_of lists the ' +
      "outcomes of a provider and their parameters. Returns the rule with its id; clear_faults removes it.",
    annotations: ADDS,
    properties: fromBody(rule?.properties),
    required: ["on"],
    isOpen: true,
    async call(args, api) {
      const added = await api.json({ method: "POST", path: "/faults", body: args });
      return answerWith(isObject(added) ? added : {});
    },
  };
}

/** `list_faults` */
export const listFaults: Tool = {
  name: "list_faults",
  title: "List faults",
  description:
    "Lists the rules that make providers fail, with their hits so far. With outcomes_of it lists what can go " +
    "wrong with a provider instead, for add_fault.",
  annotations: READS,
  properties: {
    outcomes_of: {
      type: "string",
      description: "A provider such as mail/mail2 or sendgrid, or a plugin such as mail",
    },
  },
  async call(args, api) {
    const { outcomes_of: on } = args;
    if (on === undefined) {
      const held = await api.json({ method: "GET", path: "/faults" });
      return answerWith(isObject(held) ? held : {});
    }
    const found = await api.json({ method: "GET", path: "/faults/outcomes" });
    const all = isObject(found) && Array.isArray(found.outcomes) ? found.outcomes : [];
    const meant = await findProviders(api, String(on));
    const outcomes = all.filter((one) => meant.includes(String(one.on)));
    const places = [...new Set(all.map((one) => one.on))];
    return answerWith(outcomes.length > 0 ? { outcomes } : { outcomes, known: places });
  },
};

/** `clear_faults` */
export const clearFaults: Tool = {
  name: "clear_faults",
  title: "Remove faults",
  description:
    "Removes one fault by its id, or all; those from the configuration file stay, with " +
    "their hits reset to 0.",
  annotations: CLEARS,
  properties: { id: { type: "string", description: "Id of one fault; all by default" } },
  async call(args, api) {
    const { id } = args;
    const path = id === undefined
      ? "/faults"
      : `/faults/${encodeURIComponent(String(id).toWellFormed())}`;
    await api.read({ method: "DELETE", path });
    return answerWith({ cleared: id ?? "all" });
  },
};
