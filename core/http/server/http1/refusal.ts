/** What a client is told whose request is not passed on. */
import type { TrackerRefusal } from "./h1.ts";

/** Where tunnels are answered at all, another host is one that cannot be reached. */
export function withoutTunnel(refusal: TrackerRefusal): TrackerRefusal {
  if (refusal.head?.method !== "CONNECT") return refusal;
  const reason = `Cannot open a tunnel to "${refusal.head.target}": ` +
    "nothing leaves this machine; tunnels are taken to port 443 of the hosts that providers stand in for, " +
    "as the first request of a connection";
  return { ...refusal, status: 502, reason };
}

/** An answer written by hand, for a client that the inner server no longer answers. */
export function plainAnswer({ status, reason }: TrackerRefusal): Uint8Array {
  const encoder = new TextEncoder();
  const body = `${reason}\n`;
  return encoder.encode(
    `HTTP/1.1 ${status} Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${encoder.encode(body).length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
