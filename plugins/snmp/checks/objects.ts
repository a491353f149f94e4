import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { SnmpTrap, SnmpVarbind } from "../model.ts";
import {
  documentOf,
  includes,
  type MibData,
  type MibNotification,
  type MibObject,
  notificationAt,
  objectAt,
} from "./mibs.ts";
import { placeOf, type TrapSubject } from "./subject.ts";

const STRUCTURE = "https://www.rfc-editor.org/rfc/rfc2578";
/** Maximum number of bindings that are compared; most notifications have fewer than twenty. */
const MAX_VARBINDS = 500;

/** A binding, and its object if the data has it. */
interface Bound {
  readonly at: number;
  readonly varbind: SnmpVarbind;
  readonly object: MibObject;
}

/** Checks of notifications and their objects against the MIB modules that define them. */
export const objectsTopic: CheckTopic<TrapSubject> = {
  checks: [
    {
      id: "snmp.notification",
      level: "warning",
      about:
        "The identifier of the notification is not one that its MIB module defines, or is that of an object",
      source: `${STRUCTURE}#section-8`,
    },
    {
      id: "snmp.objects",
      level: "warning",
      about:
        "The notification lacks an object of its MIB definition; a note if only the order differs",
      source: `${STRUCTURE}#section-8.1`,
    },
    {
      id: "snmp.object",
      level: "warning",
      about: "A binding names a column that its table does not have",
      source: `${STRUCTURE}#section-7.1.12`,
    },
    {
      id: "snmp.type",
      level: "error",
      about: "An object has a different type than in its MIB",
      source: `${STRUCTURE}#section-7.1`,
    },
    {
      id: "snmp.value",
      level: "warning",
      about: "The value of an object, or its length, is not one that its MIB allows",
      source: `${STRUCTURE}#section-7.1.1`,
    },
    {
      id: "snmp.instance",
      level: "warning",
      about:
        "A binding names no instance of its object: .0 for a scalar, an index for a column; or objects of one " +
        "notification are of different rows",
      source: `${STRUCTURE}#section-7.10`,
    },
  ],
  *find({ trap, mibs }) {
    if (trap.decode_error !== undefined) return;
    const bound: Bound[] = [];
    for (const [at, varbind] of trap.varbinds.slice(0, MAX_VARBINDS).entries()) {
      yield undefined;
      const object = objectAt(varbind.oid, mibs);
      if (object === undefined) continue;
      if (object === "unknown") {
        yield {
          id: "snmp.object",
          message: `The table of ${varbind.oid} has no such column`,
          where: placeOf(trap, at),
        };
        continue;
      }
      bound.push({ at, varbind, object });
      yield* ofObject({ at, varbind, object }, { trap, mibs });
    }
    yield* ofNotification(bound, { trap, mibs });
  },
};

function* ofObject({ at, varbind, object }: Bound, { trap, mibs }: TrapSubject): Generator<Found> {
  const { name, type, values, entry, instance, module } = object;
  const found = (id: string, message: string): Found => ({
    id,
    message,
    where: placeOf(trap, at),
    source: documentOf(module, mibs),
  });
  if (varbind.type !== type) {
    yield found("snmp.type", `${name} is ${varbind.type}; expected ${type}`);
  } else {
    const wrong = wrongValue(varbind, values);
    if (wrong !== undefined) yield found("snmp.value", `${name} ${wrong} in ${module}`);
  }
  if (entry === undefined && instance !== "0") {
    const given = instance === "" ? "no instance" : `the instance ${instance}`;
    yield found("snmp.instance", `${name} has ${given}; a scalar has 0`);
  } else if (entry !== undefined && instance === "") {
    yield found("snmp.instance", `${name} has no index: which row it is of cannot be told`);
  } else if (name === "ifIndex" && varbind.type === type && varbind.value !== instance) {
    yield found("snmp.instance", `ifIndex.${instance} is ${varbind.value}; expected ${instance}`);
  }
}

/** Returns what is wrong with a value, and what is expected. */
function wrongValue({ value, binary }: SnmpVarbind, values: string): string | undefined {
  const isLength = values.startsWith("#");
  const ranges = isLength ? values.slice(1) : values;
  const octets = binary ? value.length / 2 : new TextEncoder().encode(value).length;
  if (includes(ranges, isLength ? `${octets}` : value)) return undefined;
  const allowed = ranges.replaceAll("..", " to ").replaceAll(",", ", ");
  return isLength
    ? `has ${octets} octets; expected ${allowed}`
    : `is ${value}; expected ${allowed}`;
}

function* ofNotification(bound: readonly Bound[], { trap, mibs }: TrapSubject): Generator<Found> {
  const oid = identifierOf(trap);
  if (oid === undefined) return;
  const notification = toNotification(oid, { trap, mibs });
  if (notification === undefined || notification === "unknown") {
    const object = objectAt(oid, mibs);
    if (notification === undefined && (object === undefined || object === "unknown")) return;
    yield {
      id: "snmp.notification",
      message: typeof object === "object"
        ? `${oid} is the object ${object.name} of ${object.module}, and no notification`
        : `No module defines the notification ${oid}; its neighbours are known`,
      ...whereIs(oid, trap),
    };
    return;
  }
  const { name, module, objects } = notification;
  const source = documentOf(module, mibs);
  // An object that occurs twice is that of two rows.
  const missing = [...new Set(objects)].filter((one) =>
    bound.filter(({ object }) => object.name === one).length <
      objects.filter((other) => other === one).length
  );
  for (const object of missing) {
    yield {
      id: "snmp.objects",
      message: `${name} has no ${object}`,
      ...whereIs(oid, trap),
      source,
    };
  }
  if (missing.length > 0 || new Set(objects).size < objects.length) return;
  const required = objects.map((one) => bound.find(({ object }) => object.name === one)!);
  const late = required.find(({ at }, index) => index > 0 && at < required[index - 1]!.at);
  if (late !== undefined) {
    yield {
      id: "snmp.objects",
      level: "info",
      message: `${late.object.name} is not in its place; ${module} has ${objects.join(", ")}`,
      where: placeOf(trap, late.at),
      source,
    };
  }
  yield* ofRows(required, { trap, name, source });
}

/** Objects of one table are of one row. */
function* ofRows(
  required: readonly Bound[],
  { trap, name, source }: {
    readonly trap: SnmpTrap;
    readonly name: string;
    readonly source: string;
  },
): Generator<Found> {
  const first = new Map<string, Bound>();
  for (const one of required) {
    const { entry, instance } = one.object;
    if (entry === undefined) continue;
    const other = first.get(entry);
    if (other === undefined) {
      first.set(entry, one);
    } else if (other.object.instance !== instance) {
      yield {
        id: "snmp.instance",
        message: `${one.object.name}.${instance} of ${name} belongs to a different row than ` +
          `${other.object.name}.${other.object.instance}`,
        where: placeOf(trap, one.at),
        source,
      };
    }
  }
}

/** Of version 1, as RFC 3584 section 3.1 translates it. */
function identifierOf({ v1, v2 }: SnmpTrap): string | undefined {
  if (v2 !== undefined) return v2.trap_oid;
  if (v1 === undefined) return undefined;
  const { generic_trap: generic, specific_trap: specific, enterprise_oid: enterprise } = v1;
  if (generic === 6) return `${enterprise}.0.${specific}`;
  return generic >= 0 && generic < 6 ? `1.3.6.1.6.3.1.1.5.${generic + 1}` : undefined;
}

/** RFC 1215 has other objects for the generic traps of version 1: `ifIndex` alone. */
function toNotification(
  oid: string,
  { trap, mibs }: { readonly trap: SnmpTrap; readonly mibs: MibData },
): MibNotification | "unknown" | undefined {
  const notification = notificationAt(oid, mibs);
  const isOld = trap.v1 !== undefined && trap.v1.generic_trap < 6;
  if (!isOld || typeof notification !== "object") return notification;
  return { ...notification, objects: notification.objects.filter((name) => name === "ifIndex") };
}

/** The binding of the notification's identifier; version 1 has none. */
function whereIs(oid: string, trap: SnmpTrap): Pick<Found, "where"> {
  const at = trap.varbinds.findIndex(({ type, value }) =>
    type === "ObjectIdentifier" && value === oid
  );
  return at === -1 ? {} : { where: placeOf(trap, at) };
}
