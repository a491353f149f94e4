/** Definitions of the MIB modules of the IETF and of Net-SNMP, from `mibs.json`. */

/** Objects below one parent: columns of a table, or scalars of a group. */
interface Objects {
  /** Name of the MIB module. */
  readonly module: string;
  /** By the last number of the identifier: name, type on the wire, and values if they are limited. */
  readonly objects: Readonly<Record<string, string>>;
}

/** The data in `mibs.json`. */
export interface MibData {
  readonly source: string;
  readonly licence: string;
  /** RFCs, or addresses, by module. */
  readonly documents: Readonly<Record<string, string>>;
  /** By parent and last number: module, name, and the objects that the notification has to carry, in order. */
  readonly notifications: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By the identifier of an entry. */
  readonly tables: Readonly<Record<string, Objects>>;
  /** By the identifier of a group. */
  readonly groups: Readonly<Record<string, Objects>>;
}

/** Loads the data on first use. */
export async function loadMibs(): Promise<MibData> {
  const { default: data } = await import("./mibs.json", { with: { type: "json" } });
  return data as unknown as MibData;
}

/** An object as its module defines it. */
export interface MibObject {
  readonly module: string;
  readonly name: string;
  /** Type on the wire, as `SnmpVarbind` names it. */
  readonly type: string;
  /** Numbers and ranges, such as `1..3,5`; of octets after `#`; empty if any fits. */
  readonly values: string;
  /** Identifier of the table's entry; absent for a scalar. */
  readonly entry?: string;
  /** The part of the identifier after the object, without a leading dot: `0` for a scalar, an index for a column. */
  readonly instance: string;
}

/** A notification as its module defines it. */
export interface MibNotification {
  readonly module: string;
  readonly name: string;
  readonly objects: readonly string[];
}

/** Arcs that are compared; the longest identifier in the data has fewer. */
const MAX_ARCS = 20;

/**
 * Returns the object of an identifier; `"unknown"` for a column that its table does not have, and `undefined` for an
 * identifier outside of the data.
 */
export function objectAt(oid: string, mibs: MibData): MibObject | "unknown" | undefined {
  const arcs = oid.split(".");
  for (let at = Math.min(arcs.length, MAX_ARCS) - 1; at > 0; at--) {
    const parent = arcs.slice(0, at).join(".");
    for (const kind of ["tables", "groups"] as const) {
      if (!Object.hasOwn(mibs[kind], parent)) continue;
      const { module, objects } = mibs[kind][parent]!;
      const text = Object.hasOwn(objects, arcs[at]!) ? objects[arcs[at]!]! : undefined;
      if (text === undefined) {
        // Other modules add to groups.
        if (kind === "tables") return "unknown";
        continue;
      }
      const [name = "", type = "", values = ""] = text.split(" ");
      return {
        module,
        name,
        type,
        values,
        ...(kind === "tables" ? { entry: parent } : {}),
        instance: arcs.slice(at + 1).join("."),
      };
    }
  }
  return undefined;
}

/**
 * Returns the notification of an identifier; `"unknown"` for an unknown one next to known ones, and `undefined` for all
 * others.
 */
export function notificationAt(
  oid: string,
  mibs: MibData,
): MibNotification | "unknown" | undefined {
  const end = oid.lastIndexOf(".");
  const parent = oid.slice(0, end);
  // Proxies insert a 0 into identifiers of version 1 (RFC 3584 section 3.1).
  const parents = [parent, parent.replace(/\.0$/, "")];
  for (const name of parents) {
    if (!Object.hasOwn(mibs.notifications, name)) continue;
    const siblings = mibs.notifications[name]!;
    const last = oid.slice(end + 1);
    if (!Object.hasOwn(siblings, last)) return "unknown";
    const [module = "", own = "", ...objects] = siblings[last]!.split(" ");
    return { module, name: own, objects };
  }
  return undefined;
}

/** Returns whether numbers and ranges in the notation of the data include a number, in decimal. */
export function includes(ranges: string, decimal: string): boolean {
  if (ranges === "" || !/^-?\d+$/.test(decimal)) return ranges === "";
  const number = BigInt(decimal);
  return ranges.split(",").some((part) => {
    const [low = "", high = low] = part.split("..");
    return number >= BigInt(low) && number <= BigInt(high);
  });
}

/** Returns the address of the document of a module. */
export function documentOf(module: string, { documents }: MibData): string {
  const document = documents[module] ?? "";
  return document.startsWith("https:") ? document : `https://www.rfc-editor.org/rfc/${document}`;
}
