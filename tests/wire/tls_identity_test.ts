import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { CA_FILE, createTlsIdentity } from "../../core/tls/identity.ts";
import { requireClient } from "../support/clients.ts";

const START = new Date("2026-03-01T00:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/tls`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Completes a handshake with a server that uses the certificate, as a client that trusts only `ca`. */
async function shakesHands(
  { cert, key, ca, hostname }: { cert: string; key: string; ca: string; hostname: string },
): Promise<boolean> {
  using listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
  const accepting = listener.accept();
  const raw = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  const client = await Deno.startTls(raw, { hostname, caCerts: [ca] });
  const server = await accepting;
  const serving = server.handshake().catch(() => {});
  try {
    await client.handshake();
    return true;
  } catch {
    return false;
  } finally {
    client.close();
    await serving;
    server.close();
  }
}

for (const hostname of ["localhost", "127.0.0.1", "api.example.org", "10.1.2.3"]) {
  Deno.test(`an issued certificate is valid for ${hostname}`, async () => {
    const made = await createTlsIdentity({ hosts: ["api.example.org", "10.1.2.3"] }).certificate();
    assert(await shakesHands({ ...made, ca: made.ca!, hostname }));
  });
}

Deno.test("an issued certificate is not valid for other hosts", async () => {
  const made = await createTlsIdentity().certificate();
  assertEquals(await shakesHands({ ...made, ca: made.ca!, hostname: "other.example.org" }), false);
});

Deno.test("one identity issues one certificate, whoever asks first", async () => {
  const identity = createTlsIdentity();
  const [first, second] = await Promise.all([identity.certificate(), identity.certificate()]);
  assertEquals(first.cert, second.cert);
});

Deno.test("openssl accepts the chain", async (t) => {
  const openssl = requireClient(t, "openssl");
  if (openssl === undefined) return;
  await withFolder(async (folder) => {
    const { cert, ca } = await createTlsIdentity({ folder }).certificate();
    await Deno.writeTextFile(`${folder}/chain.pem`, cert);
    assertEquals(await Deno.readTextFile(`${folder}/${CA_FILE}`), ca);
    const { stdout, success } = await new Deno.Command(openssl, {
      args: ["verify", "-x509_strict", "-CAfile", `${folder}/${CA_FILE}`, `${folder}/chain.pem`],
    }).output();
    assert(success, new TextDecoder().decode(stdout));
  });
});

Deno.test("a stored certificate is reused after a restart", async () => {
  await withFolder(async (folder) => {
    const first = await createTlsIdentity({ folder, now: () => START }).certificate();
    const later = () => new Date(START.getTime() + 300 * DAY_MS);
    const second = await createTlsIdentity({ folder, now: later }).certificate();
    assertEquals(second, first);
  });
});

Deno.test("programs that start at the same time share one CA", async () => {
  await withFolder(async (folder) => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => createTlsIdentity({ folder }).certificate()),
    );
    assertEquals(new Set(made.map(({ ca }) => ca)).size, 1);
    assertEquals(await Deno.readTextFile(`${folder}/${CA_FILE}`), made[0]!.ca);
    for (const one of made) {
      assert(await shakesHands({ ...one, ca: one.ca!, hostname: "localhost" }));
    }
  });
});

Deno.test("the CA file for clients is rewritten when it is missing", async () => {
  await withFolder(async (folder) => {
    const { ca } = await createTlsIdentity({ folder }).certificate();
    await Deno.remove(`${folder}/${CA_FILE}`);
    assertEquals((await createTlsIdentity({ folder }).certificate()).ca, ca);
    assertEquals(await Deno.readTextFile(`${folder}/${CA_FILE}`), ca);
  });
});

Deno.test("only the owner can read the files and the folder, and no temporary file remains", async () => {
  await withFolder(async (folder) => {
    await createTlsIdentity({ folder }).certificate();
    assertEquals((await Deno.stat(folder)).mode! & 0o777, 0o700);
    const names: string[] = [];
    for await (const { name } of Deno.readDir(folder)) {
      names.push(name);
      assertEquals((await Deno.stat(`${folder}/${name}`)).mode! & 0o777, 0o600, name);
    }
    assertEquals(names.sort(), ["ca.pem", "ca_with_key.pem", "server_with_key.pem"]);
  });
});

const renewals = [
  ["it is about to expire", { days: 390, hosts: [] }],
  ["a host is missing", { days: 0, hosts: ["new.example.org"] }],
] as const;
for (const [why, { days, hosts }] of renewals) {
  Deno.test(`the server certificate is renewed, and the CA kept, when ${why}`, async () => {
    await withFolder(async (folder) => {
      const first = await createTlsIdentity({ folder, now: () => START }).certificate();
      const now = () => new Date(START.getTime() + days * DAY_MS);
      const second = await createTlsIdentity({ folder, hosts, now }).certificate();
      assertNotEquals(second.key, first.key);
      assertEquals(second.ca, first.ca);
    });
  });
}

Deno.test("a damaged file is recreated", async () => {
  await withFolder(async (folder) => {
    const first = await createTlsIdentity({ folder }).certificate();
    const path = `${folder}/ca_with_key.pem`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/^MI.*$/m, "AAAA"));
    const second = await createTlsIdentity({ folder }).certificate();
    assertNotEquals(second.ca, first.ca);
    assert(await shakesHands({ ...second, ca: second.ca!, hostname: "localhost" }));
  });
});

Deno.test("the user's own files are used as they are", async () => {
  await withFolder(async (folder) => {
    const made = await createTlsIdentity().certificate();
    await Deno.mkdir(folder, { recursive: true });
    const files = { certFile: `${folder}/c.pem`, keyFile: `${folder}/k.pem` };
    await Deno.writeTextFile(files.certFile, made.cert);
    await Deno.writeTextFile(files.keyFile, made.key);
    const read = await createTlsIdentity({ files }).certificate();
    assertEquals(read, { cert: made.cert, key: made.key });
    await Deno.writeTextFile(files.keyFile, "no key");
    await assertRejects(
      () => createTlsIdentity({ files }).certificate(),
      ConfigError,
      `Cannot use TLS key "${files.keyFile}"`,
    );
    const absent = { ...files, certFile: `${folder}/absent.pem` };
    await assertRejects(
      () => createTlsIdentity({ files: absent }).certificate(),
      ConfigError,
      `Cannot read TLS file "${folder}/absent.pem"`,
    );
  });
});
