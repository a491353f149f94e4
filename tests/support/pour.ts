/**
 * `pour.ts PORT MS COUNT HEX`: sends the bytes in hexadecimal digits `COUNT` times in one write, again and again for `MS`
 * milliseconds, and drops every response. A separate process, because a client must be faster than what it floods.
 *
 * @module
 */
import { concat } from "../../core/bytes/concat.ts";
import { closeQuietly, writeAll } from "../../core/net/socket.ts";

if (import.meta.main) {
  const [port, ms, count, hex = ""] = Deno.args;
  const bytes = concat(Array<Uint8Array>(Number(count)).fill(Uint8Array.fromHex(hex)));
  const conn = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const timer = setTimeout(() => closeQuietly(conn), Number(ms));
  const into = new Uint8Array(1024 * 1024);
  try {
    await Promise.all([
      (async () => {
        while (await conn.read(into) !== null);
      })(),
      (async () => {
        for (;;) await writeAll(conn, bytes);
      })(),
    ]);
  } catch {
    // The time is up.
  }
  clearTimeout(timer);
}
