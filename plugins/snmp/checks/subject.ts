import type { CheckPlace, PluginChecks } from "../../../core/plugin.ts";
import type { SnmpTrap } from "../model.ts";
import { loadMibs, type MibData } from "./mibs.ts";

/** The subject of the checks of a trap. */
export interface TrapSubject {
  readonly trap: SnmpTrap;
  readonly mibs: MibData;
}

/** Reads a trap for its checks. */
export const readTrap: PluginChecks<TrapSubject>["read"] = async ({ payload }) => ({
  trap: payload as SnmpTrap,
  mibs: await loadMibs(),
});

/** Maximum characters of a value in a place. */
const SHOWN = 120;

/** Returns the place of a binding: its number from 1, and its value. */
export function placeOf({ varbinds }: SnmpTrap, at: number): CheckPlace {
  const { name, oid, type, value } = varbinds[at]!;
  return {
    part: "varbinds",
    line: at + 1,
    path: name ?? oid,
    before: `${name ?? oid} ${type} `,
    marked: value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value,
    after: "",
  };
}
