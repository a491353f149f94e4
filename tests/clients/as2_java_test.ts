/**
 * Java AS2 implementations as sending partners: they verify the receipts with their own digests and
 * certificates.
 */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { as2 } from "../../plugins/as2/mod.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import {
  findProgram,
  type JavaProject,
  requireMaven,
  runOk,
  skipTest,
} from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

interface Partner extends AsyncDisposable {
  readonly service: TestService;
  readonly folder: string;
}

/**
 * A service with a configured partner, whose key is in `partner.p12` next to the service's
 * certificate.
 */
async function openPartner(t: Deno.TestContext): Promise<Partner | undefined> {
  const openssl = findProgram("openssl");
  if (openssl === undefined) {
    skipTest(t, "openssl", "is not installed");
    return undefined;
  }
  const folder = await Deno.makeTempDir();
  const run = async (...args: string[]) => void await runOk(openssl, args, { cwd: folder });
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=java"];
  await run(...request, "-keyout", "key.pem", "-out", "cert.pem");
  const http = { partner_cert_file: `${folder}/cert.pem` };
  const service = await startService({
    plugins: [as2],
    config: { plugins: { as2: { providers: { http } } } },
  });
  const certificate = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
  await Deno.writeTextFile(`${folder}/standin.pem`, certificate);
  // An old format, for the old libraries that read it.
  const old = ["-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1"];
  const bundle = ["pkcs12", "-export", ...old, "-name", "mycompany", "-passout", "pass:secret"];
  const content = ["-in", "cert.pem", "-inkey", "key.pem", "-certfile", "standin.pem"];
  await run(...bundle, ...content, "-caname", "standin", "-out", "partner.p12");
  return {
    service,
    folder,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Runs `Calls.java` of a project and reads the lines that it prints, split at `|`. */
async function call(
  { java, classPath, folder }: JavaProject,
  args: readonly string[],
  cwd: string,
): Promise<string[][]> {
  const options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath];
  const { stdout } = await runOk(java, [...options, `${folder}Calls.java`, ...args], {
    timeoutMs: 90_000,
    cwd,
  });
  return stdout.trim().split("\n").map((line) => line.split("|"));
}

/** Messages by subject, each of which was fully opened without an issue. */
function opened(service: TestService): ReadonlyMap<string, As2Message> {
  const events = service.events.list({ plugin: "as2" }) as CapturedEvent<As2Message>[];
  return new Map(events.map(({ payload }) => {
    assertEquals([payload.subject, payload.issues], [payload.subject, undefined]);
    assertEquals(payload.payload.preview, DOCUMENT);
    return [payload.subject ?? "", payload];
  }));
}

function layersOf(message: As2Message | undefined): string[] | undefined {
  return message?.layers?.map(({ kind, algorithm }) => `${kind} ${algorithm}`);
}

const DOCUMENT = "UNB+UNOA:1+A+B+240101:1200+9'\r\nUNZ+0+9'\r\n";
const PROCESSED = "automatic-action/MDN-sent-automatically; processed";

Deno.test("as2-lib matches the digest of every receipt, and checks its signature", async (t) => {
  const project = await requireMaven(t, "as2");
  if (project === undefined) return;
  await using partner = await openPartner(t);
  if (partner === undefined) return;
  const { service, folder } = partner;
  const args = [service.ingress.url, `${folder}/standin.pem`, `${folder}/partner.p12`, "Stand In"];
  const lines = await call(project, args, folder);
  assertEquals(lines.length, 22);
  const messages = opened(service);
  for (const [name = "", outcome, signer, disposition] of lines) {
    assertEquals([name, disposition], [name, PROCESSED]);
    assertEquals(signer, name === "plain, receipt unsigned" ? "unsigned" : "service");
    assertEquals([name, outcome], [name, "match"]);
  }
  assertEquals(layersOf(messages.get("signed, compressed, encrypted")), [
    "encrypted AES-256-CBC, RSA",
    "compressed zlib",
    "signed RSA-SHA256",
  ]);
  assertEquals(layersOf(messages.get("encrypted aes192-gcm")), ["encrypted AES-192-GCM, RSA"]);
  const both = messages.get("compressed, signed, encrypted");
  assertEquals(both?.security.signature?.signer_matched, true);
  assertEquals(both?.security.compression?.placement, "before-signing");
});

Deno.test("OpenAS2 accepts every receipt as a success", async (t) => {
  const project = await requireMaven(t, "openas2");
  if (project === undefined) return;
  await using partner = await openPartner(t);
  if (partner === undefined) return;
  const { service, folder } = partner;
  const described = await service.getJson<
    { providers: { snippets: { lang: string; code: string }[] }[] }[]
  >("/plugins");
  const snippets = described[0]!.providers[0]!.snippets;
  const proposed = snippets.find(({ lang }) => lang === "xml")!.code;
  await Deno.writeTextFile(`${folder}/partnerships.xml`, proposed);
  const lines = await call(project, [service.ingress.url, `${folder}/partner.p12`, folder], folder);
  assertEquals(lines.length, 21);
  const messages = opened(service);
  for (const [name = "", state, own, returned, disposition] of lines) {
    assertEquals([name, disposition], [name, PROCESSED]);
    const digest = own?.split(",")[0];
    // It covers only the content, while RFC 5402 section 4.3 includes its header.
    if (name === "compressed") {
      assertEquals(messages.get(name)?.alternate_mics?.[0]?.digest, digest);
    } else {
      assertEquals([name, state], [name, "msg_sent_mdn_received_ok"]);
      assertEquals([name, returned?.split(",")[0]], [name, digest]);
    }
  }
  assertEquals(layersOf(messages.get("proposed")), [
    "encrypted AES-256-CBC, RSA",
    "signed RSA-SHA256",
  ]);
  assertEquals(layersOf(messages.get("compressed, signed, encrypted")), [
    "encrypted 3DES-CBC, RSA",
    "signed RSA-SHA1",
    "compressed zlib",
  ]);
  assertEquals(messages.get("signed SHA224")?.security.signature?.signer_matched, true);
});
