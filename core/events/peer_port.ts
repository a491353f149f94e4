import type { NewEvent } from "./event.ts";

/** Replaces the sender's ephemeral port: `127.0.0.1:0`. */
export function withoutPort(address: string): string {
  return address.replace(/:\d+$/, ":0");
}

/** Returns the event without its sender's port, in every text that is exactly the sender's address. */
export function withoutPeerPort(event: NewEvent): NewEvent {
  const peer = event.raw.peer_addr;
  if (peer === undefined) return event;
  const raw = { ...event.raw, peer_addr: withoutPort(peer) };
  const hidden = { ...event, raw, payload: replaced(event.payload, peer) };
  return {
    ...hidden,
    ...(event.meta === undefined ? {} : { meta: replaced(event.meta, peer) }),
    ...(event.summary_parts === undefined
      ? {}
      : { summary_parts: replaced(event.summary_parts, peer) }),
  };
}

/** Copies descriptors: a payload may have properties that are created on access. */
function replaced<T>(value: T, peer: string): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const properties = Object.getOwnPropertyDescriptors(value);
  for (const property of Object.values<PropertyDescriptor>(properties)) {
    if (property.value === peer) property.value = withoutPort(peer);
  }
  return Object.create(Object.getPrototypeOf(value), properties);
}
