import { assertEquals } from "@std/assert";
import { examplesFor } from "./examples.js";

Deno.test("a plugin that no example is written for has its first outcome as one", () => {
  const common = { source: "", phases: ["capture"], params: {} };
  const examples = examplesFor([
    { on: "fax/line", id: "busy", about: "The line is busy", ...common },
    { on: "fax/line", id: "reset", about: "Reset", ...common },
    { on: "snmp/trap", id: "drop", about: "Dropped", ...common },
    { on: "snmp/trap", id: "generic_error", about: "An error", ...common },
  ]);
  assertEquals(examples.map(({ title, rule }) => [title, rule]), [
    ["An SNMP notification is lost", { on: "snmp/trap", outcome: ["drop"] }],
    ["The line is busy", { on: "fax/line", outcome: ["busy"] }],
  ]);
});
