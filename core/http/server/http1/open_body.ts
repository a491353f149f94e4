import { writeAll } from "../../../net/socket.ts";
import type { Wire } from "../wire/wire.ts";
import { type BodyWire, ChunkedBody, LengthBody, NO_BODY, type RequestBody } from "./body.ts";
import type { BodyFraming } from "./head.ts";
import type { Patience } from "./patience.ts";

const CONTINUE = new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n");

/** What a body is opened with. */
export interface BodyOptions extends Pick<BodyWire, "end" | "cut"> {
  readonly wire: Wire;
  readonly patience: Patience;
  /** Whether the client waits to be asked for it. */
  readonly waits: boolean;
}

/** The body of a request, which a client that waits is asked for when it is read. */
export function openBody(
  framing: BodyFraming,
  { wire: { conn, input }, patience, waits, end, cut }: BodyOptions,
): RequestBody {
  if (framing === 0) return NO_BODY;
  // Who has begun to send waits no longer.
  let isAsked = !waits || input.length > 0;
  const receive = async (into: Uint8Array | undefined): Promise<number | null> => {
    if (into !== undefined) return await input.read(into);
    const had = input.length;
    return await input.fill() ? input.length - had : null;
  };
  const wire: BodyWire = {
    input,
    end,
    cut,
    async read(into) {
      if (into !== undefined && input.length > 0) return await input.read(into);
      if (!isAsked) await writeAll(conn, CONTINUE);
      isAsked = true;
      patience.beginRead();
      const count = await receive(into);
      patience.endRead(count ?? 0);
      return count;
    },
  };
  return framing === "chunked" ? new ChunkedBody(wire) : new LengthBody(wire, framing);
}
