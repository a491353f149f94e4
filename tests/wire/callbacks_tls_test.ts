/** Callbacks to an application with a certificate from its own CA. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { Dialer } from "../../core/net/outgoing.ts";
import { createAuthority, issueCertificate } from "../../core/tls/generate.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { scratch } from "../support/files.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const ABOUT = { now: new Date(), days: 2 };
const ALLOW = ["https://localhost:*", "https://127.0.0.1:*"];

function start(callbacks: Record<string, unknown>) {
  return startService({ plugins: [sms], config: { callbacks: { allow: ALLOW, ...callbacks } } });
}

/** Sends an inbound message, and returns the state and error of the call. */
async function callState(service: Awaited<ReturnType<typeof start>>) {
  const { calls: [call] } = await service.inbound("sms1", { From: "+1555", To: "+1556" });
  return [call!.state, call!.attempts.at(-1)?.error ?? ""] as const;
}

Deno.test("an https address with a private CA is called once tls_ca_file names the CA", async () => {
  await using folder = await scratch();
  const authority = await createAuthority({ ...ABOUT, name: "Own CA" });
  const another = await createAuthority({ ...ABOUT, name: "Another CA" });
  const hosts = ["localhost", "127.0.0.1"];
  const tls = await issueCertificate(authority, { ...ABOUT, name: "app", hosts });
  await using app = startReceiver(undefined, { tls });
  const { port } = new URL(app.url);
  const caFile = `${folder.path}/ca.pem`;
  // As mkcert and openssl write it: with text around each of several certificates.
  await Deno.writeTextFile(caFile, `Another\n${another.cert}\nOwn\n${authority.cert}`);
  const otherFile = `${folder.path}/other.pem`;
  await Deno.writeTextFile(otherFile, another.cert);

  const enabled = { enabled: true, inbound: { sms1: `${app.url}/sms` } };
  for (const unknown of [{}, { tls_ca_file: otherFile }]) {
    await using service = await start({ ...enabled, ...unknown });
    const [state, error] = await callState(service);
    assertEquals(state, "failed");
    assertMatch(
      error,
      /certificate.*; name its CA in \[callbacks\] tls_ca_file \(--callbacks-tls/i,
    );
  }
  for (const host of hosts) {
    await using service = await start({
      ...enabled,
      tls_ca_file: caFile,
      inbound: { sms1: `https://${host}:${port}/sms` },
    });
    assertEquals(await callState(service), ["done", ""]);
  }
  assertEquals(app.received.length, 2);
  // The certificate is not for this name.
  const dialer = new Dialer({
    resolve: () => Promise.resolve(["127.0.0.1"]),
    ca: [authority.cert],
  });
  const call = { name: "x", url: `https://app.test:${port}/`, headers: [], body: new Uint8Array() };
  const { signal } = new AbortController();
  const error = await assertRejects(
    () => dialer.request(call, { headers: [], timeoutMs: 5000, signal }),
    Error,
  );
  assertMatch(error.message, /NotValidForName|altnames/i);
  assertEquals(app.received.length, 2);
});

Deno.test("a file without a CA is refused at start, by the name of its setting", async () => {
  await using folder = await scratch();
  const path = (name: string) => `${folder.path}/${name}`;
  await Deno.writeTextFile(path("none.pem"), "-----BEGIN PRIVATE KEY-----\n");
  await Deno.writeTextFile(
    path("broken.pem"),
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  );
  const problems: readonly (readonly [file: string, problem: RegExp])[] = [
    ["absent.pem", /^Cannot read \[callbacks\] tls_ca_file ".*absent\.pem": /],
    ["none.pem", /^Cannot use \[callbacks\] tls_ca_file ".*": expected a PEM certificate$/],
    ["broken.pem", /^Cannot use \[callbacks\] tls_ca_file ".*": certificate 1 is invalid: /],
  ];
  for (const [name, problem] of problems) {
    const error = await assertRejects(
      () => start({ enabled: true, tls_ca_file: path(name) }),
      ConfigError,
    );
    assertMatch(error.message, problem);
  }
});
