/**
 * Clients that request much and read nothing.
 *
 * @module
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { closeQuietly, writeAll } from "../../core/net/socket.ts";
import { BESIDE_BYTES, mib, residentBytes, type Target } from "./under_attack.ts";

/** Minimum time for the program to keep generating responses. */
const WATCH_MS = 1500;
const SAMPLE_MS = 50;

/** The part of the connections that must be accepted: memory suffices for more at any time. */
const ACCEPTED_SHARE = 1 / 4;

/**
 * Connections that have each sent a request, or several behind each other, and read nothing of the
 * responses. Leaves out those over TLS that are refused with an alert, for lack of memory.
 */
export async function ask(
  url: string,
  count: number,
  { requests = 1, fields = [], caCerts = [] }: {
    requests?: number;
    /** More header fields. */
    fields?: readonly (readonly [string, string])[];
    /** Trusted for an `https` address. */
    caCerts?: string[];
  } = {},
): Promise<Deno.Conn[]> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const lines = [["Host", "localhost"], ...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  const bytes = new TextEncoder().encode(head.repeat(requests));
  const opened = await Promise.all(Array.from({ length: count }, async () => {
    const to = { hostname, port: Number(port) };
    const conn = protocol === "https:"
      ? await Deno.connectTls({ ...to, caCerts, alpnProtocols: ["http/1.1"] })
      : await Deno.connect(to);
    try {
      await writeAll(conn, bytes);
      return conn;
    } catch (error) {
      closeQuietly(conn);
      if (!(error instanceof Deno.errors.InvalidData)) throw error;
      return undefined;
    }
  }));
  const accepted = opened.filter((conn) => conn !== undefined);
  assertGreater(accepted.length, count * ACCEPTED_SHARE, "connections accepted");
  return accepted;
}

/**
 * Fails if the program exceeds its memory limit while nobody reads, or no longer answers others.
 */
export async function holdsLittle(
  target: Target,
  limitBytes: number,
  open: () => Promise<readonly (Disposable | AsyncDisposable)[]>,
): Promise<void> {
  const mostBytes = limitBytes + BESIDE_BYTES;
  const peakBytes = await peakWith(target, open);
  assertLess(peakBytes, mostBytes, `${mib(peakBytes)} resident at most`);
}

async function peakWith(
  target: Target,
  open: () => Promise<readonly (Disposable | AsyncDisposable)[]>,
): Promise<number> {
  const unread = await open();
  let peak = 0;
  // Answered behind what those clients have asked for, which takes memory until then.
  let answered = false;
  const health = fetch(`${target.urls.api}/api/v1/health`).finally(() => answered = true);
  for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs || !answered;) {
    peak = Math.max(peak, await residentBytes(target.pid));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  assertEquals((await health).status, 200, await (await health).text());
  await using readers = new AsyncDisposableStack();
  for (const reader of unread) readers.use(reader);
  return peak;
}
