/** What clients of file servers make of faults. */
import { assertEquals, assertRejects } from "@std/assert";
import { Readable, Writable } from "node:stream";
import { Client as FtpClient } from "npm:basic-ftp@6.2.3";
import { join } from "../../core/bytes/concat.ts";
import { files } from "../../plugins/files/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const on = "files/ftp";

async function ftpClient(service: TestService, timeoutMs = 5000): Promise<FtpClient> {
  const client = new FtpClient(timeoutMs);
  const { hostname, port } = service.endpoint("ftp");
  await client.access({ host: hostname, port, user: "ada", password: "secret" });
  return client;
}

/** The reply code of what a client rejects with; its name where there is none. */
async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await assertRejects(() => work) as Error & { code?: number };
  return error.code ?? error.message.replace(/ \(.*/, "");
}

function put(client: FtpClient, path: string): Promise<unknown> {
  return client.uploadFrom(Readable.from([new TextEncoder().encode("hello")]), path);
}

Deno.test("basic-ftp reads the code of each fault, in each phase", async () => {
  await using service = await startService({ plugins: [files] });
  const found: unknown[] = [];
  for (
    const [outcome, phase, work] of [
      ["no_space", "capture", (c) => put(c, "/a")],
      ["no_space", "transfer", (c) => put(c, "/a")],
      ["permission", "capture", (c) => put(c, "/a")],
      ["permission", "capture", (c) => c.send("MKD /d")],
      ["permission", "read", (c) => c.send("CWD /")],
      ["io_error", "transfer", (c) => put(c, "/a")],
      ["data_aborted", "transfer", (c) => put(c, "/a")],
      ["close", "transfer", (c) => put(c, "/a")],
      ["truncate", "transfer", (c) => put(c, "/a")],
      ["unavailable", "capture", (c) => put(c, "/a")],
      ["close", "capture", (c) => c.send("MKD /d")],
      ["reset", "read", (c) => c.send("CWD /")],
    ] as const satisfies readonly [string, string, (c: FtpClient) => Promise<unknown>][]
  ) {
    using fault = await service.fault({
      ...{ on, phase, outcome: [outcome] },
      ...(outcome === "truncate" ? { with: { bytes: 2 } } : {}),
    });
    const client = await ftpClient(service);
    found.push([outcome, phase, await codeOf(work(client)), fault.hits]);
    client.close();
  }
  assertEquals(found, [
    ["no_space", "capture", 452, 1],
    ["no_space", "transfer", 552, 1],
    ["permission", "capture", 550, 1],
    ["permission", "capture", 550, 1],
    ["permission", "read", 550, 1],
    ["io_error", "transfer", 451, 1],
    ["data_aborted", "transfer", 426, 1],
    ["close", "transfer", 426, 1],
    ["truncate", "transfer", 426, 1],
    ["unavailable", "capture", 421, 1],
    ["close", "capture", "Server sent FIN packet unexpectedly, closing connection.", 1],
    ["reset", "read", "ECONNRESET", 1],
  ]);
  assertEquals(service.events.count("files"), 0);
  const reasons = service.rejected.list().map(({ reason }) => reason).reverse();
  assertEquals(reasons.filter((reason) => reason.startsWith("fault")).length, found.length);
});

Deno.test("a fault of FTP holds for its path, after a capture, and for logins and greetings", async () => {
  await using service = await startService({ plugins: [files] });
  const client = await ftpClient(service);
  const match = { operation: "STOR", path: "/b" };
  using late = await service.fault({ on, outcome: "io_error", after: true, match });
  await put(client, "/a");
  assertEquals(await codeOf(put(client, "/b")), 451);
  // The fault of one command is not that of the next.
  await client.send("NOOP");
  assertEquals(late.hits, 1);
  assertEquals(
    service.list("files.upload").map(({ payload, meta }) => [
      (payload as { path: string }).path,
      meta.fault,
    ]),
    [["/b", "io_error"], ["/a", undefined]],
  );
  {
    const cut = { outcome: ["truncate"], with: { bytes: 2 } };
    using _ = await service.fault({ on, phase: "transfer", match: { path: "/a" }, ...cut });
    assertEquals(await get(client, "/a"), "he");
    assertEquals(await get(client, "/a"), "hello");
  }
  {
    const slow = { outcome: ["slow"], with: { bytes_per_second: 100 } };
    using _ = await service.fault({ on, phase: "transfer", match: { path: "/c" }, ...slow });
    await put(client, "/c");
    assertEquals(service.list("files.upload")[0]?.meta.fault, "slow");
  }
  client.close();
  for (const [phase, work] of [["read", "CWD /"], ["transfer", "LIST"]] as const) {
    const patient = await ftpClient(service, 500);
    using _ = await service.fault({ on, phase, outcome: ["hang"] });
    const waiting = work === "LIST" ? patient.list() : patient.send(work);
    assertEquals(await codeOf(waiting), "Timeout", phase);
    patient.close();
  }
  for (const phase of ["connect", "login"]) {
    using _ = await service.fault({ on, phase, outcome: ["unavailable"] });
    assertEquals(await codeOf(ftpClient(service)), 421, phase);
  }
});

/** What a client fetches. */
async function get(client: FtpClient, path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const sink = new Writable({
    write(chunk: Uint8Array, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  await client.downloadTo(sink, path);
  return new TextDecoder().decode(join(chunks));
}
