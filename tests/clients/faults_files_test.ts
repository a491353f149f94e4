/** Reactions of file clients to faults. */
import { assertEquals, assertRejects } from "@std/assert";
import { Readable, Writable } from "node:stream";
import { Client as FtpClient } from "npm:basic-ftp@6.2.3";
import { join } from "../../core/bytes/concat.ts";
import { files } from "../../plugins/files/mod.ts";
import { clientTest, runProgram } from "../support/clients.ts";
import { PATIENT } from "../support/nfs.ts";
import { scratch, startFiles } from "../support/files.ts";
import { startService, type TestService } from "../support/service.ts";

const on = "files/ftp";

async function ftpClient(service: TestService, timeoutMs = 5000): Promise<FtpClient> {
  const client = new FtpClient(timeoutMs);
  const { hostname, port } = service.endpoint("ftp");
  await client.access({ host: hostname, port, user: "ada", password: "secret" });
  return client;
}

/** The reply code of a client's error, or its name without one. */
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

Deno.test("an FTP fault applies to its path, after a capture, and to logins and greetings", async () => {
  await using service = await startService({ plugins: [files] });
  const client = await ftpClient(service);
  const match = { operation: "STOR", path: "/b" };
  using late = await service.fault({ on, outcome: "io_error", after: true, match });
  await put(client, "/a");
  assertEquals(await codeOf(put(client, "/b")), 451);
  // The fault of one command does not affect the next.
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

/** The download of a client. */
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

clientTest("curl has an exit status for each error of TFTP", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await Deno.writeTextFile(`${folder.path}/up`, "hello");
  const { hostname, port } = service.endpoint("tftp");
  const send = async (name: string): Promise<number> => {
    const url = `tftp://${hostname}:${port}/${name}`;
    const args = ["-sS", "--max-time", "2", "--upload-file", `${folder.path}/up`, url];
    return (await runProgram(curl, args)).code;
  };
  const found: unknown[] = [];
  for (const outcome of ["no_space", "permission", "io_error", "drop"]) {
    const match = { operation: "WRQ", path: "/f" };
    using fault = await service.fault({ on: "files/tftp", outcome, match });
    found.push([outcome, await send("f"), fault.hits > 0]);
  }
  // CURLE_REMOTE_DISK_FULL, CURLE_TFTP_PERM, CURLE_TFTP_ILLEGAL (for code 0 too) and CURLE_OPERATION_TIMEDOUT.
  assertEquals(found, [
    ["no_space", 70, true],
    ["permission", 69, true],
    ["io_error", 71, true],
    ["drop", 28, true],
  ]);
  assertEquals(service.events.count("files"), 0);
  using _ = await service.fault({ on: "files/tftp", outcome: ["no_space"], after: true });
  assertEquals(await send("g"), 70);
  assertEquals(service.list("files.upload").map(({ meta }) => meta.fault), ["no_space"]);
  assertEquals(await send("h"), 0);
});

clientTest("nfs-cp reads the status of each fault", ["nfs-cp"], async (programs) => {
  await using service = await startFiles(PATIENT);
  await using folder = await scratch();
  await Deno.writeTextFile(`${folder.path}/up`, "hello");
  const { hostname, port } = service.endpoint("nfs");
  let count = 0;
  const copy = async (name = `f${count++}`): Promise<string> => {
    const url = `nfs://${hostname}//${name}?version=3&nfsport=${port}&mountport=${port}`;
    const { code, stderr } = await runProgram(programs["nfs-cp"], [`${folder.path}/up`, url]);
    return `${code} ${/NFS3ERR_\w+/.exec(stderr)?.[0] ?? stderr}`;
  };
  const found: unknown[] = [];
  for (
    const [outcome, operation] of [
      ["no_space", "WRITE"],
      ["no_space", "CREATE"],
      ["io_error", "CREATE"],
      ["stale", "CREATE"],
      ["permission", "CREATE"],
      ["read_only", "CREATE"],
      ["jukebox", "CREATE"],
    ] as const
  ) {
    using fault = await service.fault({ on: "files/nfs", outcome, match: { operation } });
    found.push([await copy(), fault.hits > 0]);
  }
  assertEquals(found, [
    ["10 Failed to write to dest file\n", true],
    ["10 NFS3ERR_NOSPC", true],
    ["10 NFS3ERR_IO", true],
    ["10 NFS3ERR_STALE", true],
    ["10 NFS3ERR_ACCES", true],
    ["10 NFS3ERR_ROFS", true],
    ["10 NFS3ERR_JUKEBOX", true],
  ]);
  const match = { operation: "CREATE", path: "/kept" };
  using _ = await service.fault({ on: "files/nfs", outcome: "io_error", after: true, match });
  assertEquals(await copy("kept"), "10 NFS3ERR_IO");
  assertEquals(service.events.count("files") > 0, true);
});

clientTest("OpenSSH's sftp names each fault", ["sftp"], async ({ sftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await Deno.writeTextFile(`${folder.path}/up`, "hello");
  const { hostname, port } = service.endpoint("sftp");
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"];
  const run = async (command: string): Promise<string> => {
    await Deno.writeTextFile(`${folder.path}/batch`, command);
    const args = [
      ...["-q", "-b", `${folder.path}/batch`, "-P", String(port)],
      ...options.flatMap((option) => ["-o", option]),
    ];
    const { code, stderr } = await runProgram(sftp, [...args, `ada@${hostname}`]);
    return `${code} ${stderr.trim()}`;
  };
  const found: unknown[] = [];
  for (
    const [outcome, operation] of [
      ["no_space", "WRITE"],
      ["no_space", "CLOSE"],
      ["permission", "OPEN"],
      ["io_error", "WRITE"],
      ["close", "WRITE"],
    ] as const
  ) {
    using fault = await service.fault({ on: "files/sftp", outcome, match: { operation } });
    found.push([outcome, operation, await run(`put ${folder.path}/up /a`), fault.hits > 0]);
  }
  assertEquals(found, [
    ["no_space", "WRITE", '1 write remote "/a": Failure\r\nclose remote: Failure', true],
    ["no_space", "CLOSE", "1 close remote: Failure", true],
    ["permission", "OPEN", '1 dest open "/a": Permission denied', true],
    ["io_error", "WRITE", '1 write remote "/a": Failure\r\nclose remote: Failure', true],
    [
      "close",
      "WRITE",
      "255 Connection to 127.0.0.1 closed by remote host.\r\nConnection closed",
      true,
    ],
  ]);
  assertEquals(service.events.count("files"), 0);
  const match = { operation: "CLOSE" };
  using _ = await service.fault({ on: "files/sftp", outcome: ["io_error"], after: true, match });
  await run(`put ${folder.path}/up /a`);
  assertEquals(service.list("files.upload").map(({ meta }) => meta.fault), ["io_error"]);
});
