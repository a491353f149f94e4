import { assertEquals } from "@std/assert";
import { fromLatin1, toLatin1 } from "../../../bytes/latin1.ts";
import { BodyReader } from "../body/body_reader.ts";
import { Http1Call } from "./call.ts";
import type { RequestHead } from "../http1/head.ts";

const CONNECTION = {
  peer: "127.0.0.1:2",
  local: "127.0.0.1:1",
  tls: false,
  clientCertificate: undefined,
  gone: new AbortController().signal,
  disturb: () => {},
};

function callOf(
  head: Pick<RequestHead, "method" | "target"> & Partial<RequestHead>,
  body: string,
): Http1Call {
  let rest = fromLatin1(body);
  const intake = {
    size: undefined,
    // One byte at a time, as a client may send it.
    read(into: Uint8Array): Promise<number> {
      const count = Math.min(rest.length, 1);
      into.set(rest.subarray(0, count));
      rest = rest.subarray(count);
      return Promise.resolve(count);
    },
  };
  return new Http1Call(intake, { version: "1.1", headers: [], ...head }, CONNECTION);
}

const ODD = [["GET", "/a"], ["HEAD", "/a"], ["TRACE", "/a"], ["OPTIONS", "*"], ["POST", "//a b"]];
for (const [method = "", target = ""] of ODD) {
  Deno.test(`a call has a Request for streaming: ${method} ${target} with a body`, async () => {
    const { request } = callOf({ method, target }, "abc");
    assertEquals([request.method, await request.text()], [method, "abc"]);
  });
}

Deno.test("a Request for streaming has the fields of its call, but none of an upgrade", () => {
  const { request } = callOf({
    method: "POST",
    target: "/",
    headers: [["Connection", "Upgrade"], ["UPGRADE", "h2c"], ["X-Name", "\xe4"], ["X-Name", "b"]],
  }, "");
  assertEquals([...request.headers], [["x-name", "\xe4, b"]]);
});

Deno.test("a Request for streaming is read into its reader's buffers", async () => {
  const { request } = callOf({ method: "POST", target: "/" }, "abc");
  const reader = new BodyReader(request.body!);
  const chunks: string[] = [];
  for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
    chunks.push(toLatin1(chunk));
    assertEquals(chunk.buffer.byteLength, 16_384);
  }
  assertEquals(chunks, ["a", "b", "c"]);
});
