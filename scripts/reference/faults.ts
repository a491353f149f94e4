import { CORE_OUTCOMES, type FaultOutcome } from "../../core/faults/outcome.ts";
import {
  type FaultPlace,
  faultPlaces,
  outcomesOf,
  type ShownOutcome,
} from "../../core/faults/places.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Faults

The faults that a rule can cause at each provider, with the source of the wording. [Faults on
demand](../faults.md) explains how to write rules.
`;

/** `docs/reference/faults.md`: the phases and outcomes of every provider. */
export function faultsReference(plugins: readonly AnyPlugin[]): string {
  return [
    INTRO,
    "## Network faults\n",
    outcomesTable(Object.values(CORE_OUTCOMES).map(toShown)),
    ...faultPlaces(plugins).map(section),
  ].join("\n");
}

function toShown(outcome: FaultOutcome): ShownOutcome {
  const whole = { ...outcome, phases: [] };
  return outcomesOf({ on: "", outcomes: new Map([[outcome.id, whole]]) })[0]!;
}

function section(place: FaultPlace): string {
  const phases = Object.entries(place.phases);
  const all = outcomesOf(place);
  const isShared = ({ id }: ShownOutcome) => Object.hasOwn(CORE_OUTCOMES, id);
  return [
    `## ${place.on}\n`,
    table(["Phase", "What a rule can match"], phases.map(([name, about]) => [code(name), about])),
    outcomesTable(all.filter((one) => !isShared(one)), phases.length > 1),
    `Network faults: ${all.filter(isShared).map(({ id }) => code(id)).join(", ")}.\n`,
  ].join("\n");
}

function outcomesTable(outcomes: readonly ShownOutcome[], withPhases = false): string {
  if (outcomes.length === 0) return "";
  return table(
    ["Outcome", "What the client sees", ...(withPhases ? ["Phases"] : []), "Parameters", "Source"],
    outcomes.map(({ id, about, phases, params, source }) => [
      code(id),
      about,
      ...(withPhases ? [phases.map(code).join(", ")] : []),
      Object.entries(params).map(([name, { about, default: value }]) =>
        `${code(name)}: ${about}${value === undefined ? "" : `; ${code(String(value))} by default`}`
      ).join(". "),
      `[page](${source})`,
    ]),
  );
}
