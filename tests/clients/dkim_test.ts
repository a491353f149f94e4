/** Mails signed by real signers are verified with the configured key. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Finding } from "../../mod.ts";
import { requireNode, requirePython, runOk } from "../support/clients.ts";
import { newKey, type SigningKey } from "../support/dkim.ts";
import { connectSmtp, mails, READY } from "../support/smtp.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const RSA = newKey();
const ED25519 = newKey("ed25519");

/** A service with the configured key of the selector. */
function startWith(selector: string, { record }: SigningKey): Promise<TestService> {
  const dkim_keys = { [`${selector}._domainkey.example.org`]: record };
  return startService({ plugins: [mail], config: { plugins: { mail: { dkim_keys } } } });
}

const dkimIn = async (service: TestService) => {
  const { id } = mails(service).at(-1)!;
  const { checks } = await service.getJson<{ checks: Finding[] }>(`/events/${id}/checks`);
  return checks.filter((one) => one.id.startsWith("mail.dkim")).map(({ id, message }) =>
    `${id}: ${message}`
  );
};

/** Resends the last mail with a changed word in its body, as a relay might. */
async function sendChanged(service: TestService, from: string, to: string): Promise<void> {
  const text = new TextDecoder().decode(mails(service).at(-1)!.raw.body);
  assertStringIncludes(text, from);
  const changed = text.replace(from, to).replaceAll(/^\./gm, "..");
  await using client = await connectSmtp(service);
  await client.play([
    ...READY,
    [">", "DATA"],
    ["<", /^354 /],
    [">>", `${changed}.\r\n`],
    ["<", /^250 /],
  ]);
}

const CHANGED = "the body was changed after it was signed: bh does not match";

Deno.test("a message signed by nodemailer verifies, unless its body is changed", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startWith("node", RSA);
  const { hostname, port } = service.endpoint("smtp");
  const script = `import nodemailer from "nodemailer";
const transport = nodemailer.createTransport({ host: "${hostname}", port: ${port} });
await transport.sendMail({
  from: '"Çağla, of sales" <sales@example.org>',
  to: "bob@example.org",
  subject: "Grüße ☺ " + "long ".repeat(30),
  text: "Hello  Bob \\n.dot\\nČeština\\n\\n",
  html: "<p>Hello</p>",
  attachments: [{ filename: "a.bin", content: Buffer.alloc(100_000, "ab ") }],
  dkim: { domainName: "example.org", keySelector: "node", privateKey: process.env.KEY },
});`;
  const args = ["--input-type=module", "--eval", script];
  const KEY = RSA.privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  await runOk(project.node, args, { cwd: project.folder, env: { KEY } });
  assertEquals(await dkimIn(service), []);
  await sendChanged(service, "<p>Hello</p>", "<p>Hallo</p>");
  const [found, ...others] = await dkimIn(service);
  assertEquals([found, others], [
    `mail.dkim_verify: The signature does not verify: ${CHANGED}`,
    [],
  ]);
});

Deno.test("a message signed by dkimpy verifies, unless its body is changed", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  const script = new URL("./python/dkim_calls.py", import.meta.url).pathname;
  const file = await Deno.makeTempFile();
  try {
    for (const key of [RSA, ED25519]) {
      await using service = await startWith("py", key);
      const { hostname, port } = service.endpoint("smtp");
      // dkimpy reads an Ed25519 key as the 32 octets in Base64.
      const seed = () => key.privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
      const text = key.type === "rsa"
        ? key.privateKey.export({ format: "pem", type: "pkcs1" }) as string
        : seed().toString("base64");
      await Deno.writeTextFile(file, text);
      for (
        const forms of ["relaxed/relaxed", "simple/simple", "relaxed/simple", "simple/relaxed"]
      ) {
        const words = [hostname, `${port}`, `${key.type}-sha256`, file, forms];
        await runOk(python, [script, ...words]);
        const { body } = mails(service).at(-1)!.raw;
        assert(new TextDecoder().decode(body).includes(`a=${key.type}-sha256; c=${forms}`));
        assertEquals(await dkimIn(service), [], `${key.type} ${forms}`);
      }
      await sendChanged(service, "Hello", "Hallo");
      assertEquals(await dkimIn(service), [
        `mail.dkim_verify: The signature does not verify: ${CHANGED}`,
      ]);
    }
  } finally {
    await Deno.remove(file);
  }
});
