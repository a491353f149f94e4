import { createSocket } from "node:dgram";
import { once } from "node:events";
import { formatAddress } from "./address.ts";
import { within } from "./within.ts";

/** State of a port. */
export type PortState = "free" | "taken" | "forbidden" | "elsewhere";

/** Maximum wait for a listener to accept, and to greet. */
const CONNECT_MS = 2000;
const GREETING_MS = 500;
/** Characters of a greeting. */
const QUOTED = 60;

/** Tries to bind a port, and releases it. `elsewhere`: the address is not one of this machine. */
export async function probePort(
  network: "tcp" | "udp",
  where: { readonly hostname: string; readonly port: number },
): Promise<PortState> {
  const hostname = where.hostname === "localhost" ? "127.0.0.1" : where.hostname;
  try {
    if (network === "tcp") Deno.listen({ hostname, port: where.port }).close();
    else await bindOnce(hostname, where.port);
    return "free";
  } catch (error) {
    return stateOf(error);
  }
}

async function bindOnce(hostname: string, port: number): Promise<void> {
  const socket = createSocket(hostname.includes(":") ? "udp6" : "udp4");
  try {
    const bound = once(socket, "listening");
    socket.bind(port, hostname);
    await bound;
  } finally {
    socket.close();
  }
}

function stateOf(error: unknown): PortState {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (error instanceof Deno.errors.AddrInUse || code === "EADDRINUSE") return "taken";
  if (error instanceof Deno.errors.PermissionDenied || code === "EACCES") return "forbidden";
  if (error instanceof Deno.errors.AddrNotAvailable || code === "EADDRNOTAVAIL") return "elsewhere";
  throw error;
}

/** Returns whether something accepts a connection there. */
export async function accepts(where: { hostname: string; port: number }): Promise<boolean> {
  try {
    (await connect(where)).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns how an unknown listener identifies itself: its greeting, or the status line and `Server` field of its response to
 * HTTP. `undefined` if it sends nothing.
 */
export async function greetingOf(
  where: { hostname: string; port: number },
): Promise<string | undefined> {
  const hostname = where.hostname === "0.0.0.0" ? "127.0.0.1" : where.hostname;
  try {
    using connection = await connect({ ...where, hostname });
    const buffer = new Uint8Array(2048);
    // The same read continues: a server without a greeting may answer.
    const reading = connection.read(buffer);
    reading.catch(() => {});
    const said = async (): Promise<string | undefined> => {
      const count = await within(reading, GREETING_MS, "Nothing was said").catch(() => null);
      return count === null ? undefined : textOf(buffer.subarray(0, count));
    };
    const greeting = await said();
    if (greeting !== undefined) return firstLine(greeting);
    const request = `GET / HTTP/1.0\r\nHost: ${formatAddress({ ...where, hostname })}\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const answer = await said();
    return answer === undefined ? undefined : describeAnswer(answer);
  } catch {
    return undefined;
  }
}

function describeAnswer(answer: string): string {
  const server = /^server:[ \t]*(.+?)\r?$/im.exec(answer)?.[1];
  const line = firstLine(answer);
  return line.startsWith("HTTP/") && server !== undefined ? `${line}, ${printable(server)}` : line;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

async function connect({ hostname, port }: { hostname: string; port: number }) {
  const signal = AbortSignal.timeout(CONNECT_MS);
  return await Deno.connect({ hostname, port, signal });
}

function firstLine(text: string): string {
  return printable(/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? "");
}

/** The text of another program is shown, never interpreted. */
function printable(text: string): string {
  return text.replace(/[^ -~]+/g, ".").slice(0, QUOTED);
}
