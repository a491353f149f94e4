/**
 * HTTP/2 clients that request much, open their windows, and read nothing.
 *
 * @module
 */
import { ByteWriter } from "../../core/bytes/writer.ts";
import { encodeFields } from "../../core/codec/hpack/hpack.ts";
import { writeAll } from "../../core/net/socket.ts";
import { frame, FRAME_FLAGS, FRAME_TYPES, PREFACE } from "./floods_http2.ts";

/** SETTINGS_INITIAL_WINDOW_SIZE, and the largest window (RFC 9113 sections 6.5.2 and 6.9.1). */
const INITIAL_WINDOW_SIZE = 4;
const MAX_WINDOW = 0x7fff_ffff;
/** Initial size of every window. */
const FIRST_WINDOW = 65_535;

/** Connections with `streams` requests each, of which nothing is read. */
export async function askHttp2(
  url: string,
  { connections, streams, fields = [], caCerts = [] }: {
    connections: number;
    streams: number;
    /** More header fields. */
    fields?: readonly (readonly [string, string])[];
    /** Trusted for an `https` address. */
    caCerts?: string[];
  },
): Promise<Deno.Conn[]> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const head = encodeFields([
    [":method", "GET"],
    [":scheme", protocol.slice(0, -1)],
    [":authority", "localhost"],
    [":path", pathname + search],
    ["accept-encoding", "br, gzip"],
    ...fields,
  ]);
  const settings = new ByteWriter().u16(INITIAL_WINDOW_SIZE).u32(MAX_WINDOW).take();
  const window = new ByteWriter().u32(MAX_WINDOW - FIRST_WINDOW).take();
  const { endHeaders, endStream } = FRAME_FLAGS;
  const opening = new ByteWriter().bytes(PREFACE).bytes(frame(FRAME_TYPES.settings, settings))
    .bytes(frame(FRAME_TYPES.windowUpdate, window));
  for (let stream = 1; stream < 2 * streams; stream += 2) {
    opening.bytes(frame(FRAME_TYPES.headers, head, { flags: endHeaders | endStream, stream }));
  }
  const bytes = opening.take();
  return await Promise.all(Array.from({ length: connections }, async () => {
    const to = { hostname, port: Number(port) };
    const conn = protocol === "https:"
      ? await Deno.connectTls({ ...to, caCerts, alpnProtocols: ["h2"] })
      : await Deno.connect(to);
    await writeAll(conn, bytes);
    return conn;
  }));
}
