import { assertEquals, assertThrows } from "@std/assert";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { ConfigError } from "../errors.ts";
import { resolveSettings, type SettingSources } from "./resolve.ts";

const CERT = "tls-cert-file";
const KEY = "tls-key-file";

const resolve = (sources: SettingSources) =>
  resolveSettings(PLAIN_PLUGINS, { portsZero: true, ...sources });

Deno.test("by default TLS is on, with its files in the user's folder", () => {
  const { ingress } = resolve({}).core;
  assertEquals([ingress.tls, ingress.tls_in_memory], [true, false]);
  assertEquals([ingress.tls_dir, ingress.tls_cert_file, ingress.tls_key_file], [
    undefined,
    undefined,
    undefined,
  ]);
});

const HALVES: readonly (readonly [sources: SettingSources, problem: string])[] = [
  [
    { flags: { [CERT]: ["c.pem"] } },
    "Cannot use --tls-cert-file: a certificate and its key go together; " +
    "give [ingress] tls_key_file (--tls-key-file) too",
  ],
  [
    { tree: { ingress: { tls_key_file: "k.pem" } } },
    "Cannot use [ingress] tls_key_file: a certificate and its key go together; " +
    "give [ingress] tls_cert_file (--tls-cert-file) too",
  ],
];
for (const [sources, problem] of HALVES) {
  Deno.test(`half a certificate is refused: ${problem.slice(0, 40)}`, () => {
    assertEquals(assertThrows(() => resolve(sources), ConfigError).problems, [problem]);
  });
}

Deno.test("a certificate in the file and its key as a flag form a pair", () => {
  const { ingress } = resolve({
    tree: { ingress: { tls_cert_file: "c.pem" } },
    flags: { [KEY]: ["k.pem"] },
  }).core;
  assertEquals([ingress.tls_cert_file, ingress.tls_key_file], ["c.pem", "k.pem"]);
});

Deno.test("the folder of certificates has no effect unless one is generated and kept", () => {
  const pair = { [CERT]: ["c.pem"], [KEY]: ["k.pem"] };
  const read = "the certificate is read from [ingress] tls_cert_file, and none is generated";
  const both = { "tls-dir": ["d"], "tls-in-memory": ["true"] };
  assertEquals(resolve({ flags: { ...pair, ...both } }).warnings, [
    `--tls-dir has no effect: ${read}`,
    `--tls-in-memory has no effect: ${read}`,
  ]);
  assertEquals(resolve({ flags: both }).warnings, [
    "--tls-dir has no effect: [ingress] tls_in_memory keeps no file",
  ]);
  assertEquals(resolve({ flags: { "tls-dir": ["d"] } }).warnings, []);
});

Deno.test("CA certificates for callbacks have no effect while these are off", () => {
  const tree = { callbacks: { tls_ca_file: "ca.pem" } };
  assertEquals(resolve({ tree }).warnings, [
    "[callbacks] tls_ca_file has no effect: callbacks are off; set [callbacks] enabled (--callbacks)",
  ]);
  assertEquals(resolve({ tree, flags: { callbacks: ["true"] } }).warnings, []);
});
