/** Presentation of traps in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { SnmpTrap } from "./model.ts";

/** The notification and its bindings. */
export const REPORT: PluginReport = {
  parts(event) {
    const { version, inform, community, varbinds, v1, v2, decode_error: problem } =
      (event as CapturedEvent<SnmpTrap>).payload;
    const generic = v1 && `${v1.generic_trap_name} (${v1.generic_trap})`;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["Cannot be decoded", problem],
        ["Notification", v2?.trap_name ?? v2?.trap_oid],
        ["Enterprise", v1?.enterprise_name ?? v1?.enterprise_oid],
        ["Agent", v1?.agent_address],
        ["Generic trap", generic],
        ["Specific trap", v1?.specific_trap],
        ["Version", version],
        ["Kind", inform ? "inform" : "trap"],
        ["Community", community],
      ],
    }];
    if (varbinds.length > 0) {
      parts.push({
        kind: "table",
        label: "Bindings",
        columns: ["Object", "Type", "Value"],
        rows: varbinds.map(({ oid, name, type, value, value_name: valueName }) => [
          name === undefined ? oid : `${name}\n${oid}`,
          type,
          valueName === undefined ? value : `${value} (${valueName})`,
        ]),
      });
    }
    return parts;
  },
};
