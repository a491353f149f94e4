/** Transports of a new provider. */
export const KINDS = ["ingress", "http", "tcp", "udp"] as const;

/** One of `KINDS`. */
export type Kind = typeof KINDS[number];
