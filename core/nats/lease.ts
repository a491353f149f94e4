/** The value with which an instance says that it writes the state of a plugin. */
import type { StoredMsg } from "@nats-io/jetstream";
import type { Writer } from "../shared_state.ts";

/** Time without a renewal after which a lease is free, in milliseconds. */
export const LEASE_MS = 8000;

/** Description of an instance in its lease. */
export interface WriterAbout extends Omit<Writer, "isSelf"> {
  /** Port on which it accepts connections of the others, and the key that they must have. */
  readonly port: number;
  readonly key: string;
  /** Whether these are encrypted, with the key; false for older versions. */
  readonly isSealed: boolean;
}

/** Content of a lease. */
export interface Lease extends WriterAbout {
  /** The instance that holds it. */
  readonly holder: string;
  /** The holder has given it back. */
  readonly isReleased: boolean;
}

/** Reads a lease. An unreadable one expires when it is not renewed. */
export function toLease(data: Uint8Array): Lease {
  const unknown: Lease = {
    holder: "",
    host: "",
    port: 0,
    key: "",
    isSealed: false,
    ports: {},
    isReleased: false,
  };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(data));
  } catch {
    return unknown;
  }
  if (!isRecord(value)) return unknown;
  const { holder, name, host, port, key, isSealed, ports, isReleased } = value;
  const isSound = typeof holder === "string" && typeof host === "string" &&
    typeof key === "string" && Number.isSafeInteger(port) && isRecord(ports) &&
    typeof isReleased === "boolean";
  if (!isSound) return unknown;
  const known = Object.entries(ports).filter((entry): entry is [string, number] =>
    Number.isSafeInteger(entry[1])
  );
  return {
    holder,
    host,
    port: Number(port),
    key,
    isSealed: isSealed === true,
    ports: Object.fromEntries(known),
    isReleased,
    ...(typeof name === "string" ? { name } : {}),
  };
}

/** Whether a value of JSON has members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Describes a lease as the end of a sentence. */
export function describeLease(subject: string, { data, time }: StoredMsg): string {
  const plugin = subject.slice(subject.lastIndexOf(".") + 1);
  const { name, host, isReleased } = toLease(data);
  const ageMs = Date.now() - time.getTime();
  if (isReleased || ageMs > LEASE_MS) return `; no instance writes the state of ${plugin}`;
  const who = name === undefined ? `the instance at ${host}` : `"${name}" at ${host}`;
  return `; ${who} writes the state of ${plugin}`;
}
