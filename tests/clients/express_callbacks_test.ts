/**
 * An Express application on HTTPS, called back by every vendor it uses, and verified by their
 * middleware and packages.
 */
import { assertEquals } from "@std/assert";
import { createAuthority, issueCertificate } from "../../core/tls/generate.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { type NodeProject, requireNode } from "../support/clients.ts";
import { scratch } from "../support/files.ts";
import { freePort } from "../support/free_port.ts";
import { startService, type TestService } from "../support/service.ts";

const [ACCOUNT, TOKEN] = [`AC${"0".repeat(32)}`, "0123456789abcdef0123456789abcdef"];
const [PHONE, SHOP_PHONE, MAIL] = ["+15558675310", "+15017122661", "ada@example.org"];

interface Providers {
  readonly providers: readonly { on: string; keys: readonly { value: string }[] }[];
}

/** Starts the shop; the last line of its standard error is the reason for a failure. */
async function startShop(
  { node, folder }: NodeProject,
  env: Readonly<Record<string, string>>,
): Promise<AsyncDisposable> {
  // Modules are found from the folder of the packages.
  const script = await Deno.readTextFile(new URL("node/shop.mjs", import.meta.url));
  const child = new Deno.Command(node, {
    args: ["--input-type=module", "--eval", script],
    cwd: folder,
    env: { ...env, NO_PROXY: "*", no_proxy: "*" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const output = child.stdout.getReader();
  if ((await output.read()).done) throw new Error(`Cannot start the shop: ${await stderr}`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await output.cancel();
      await Promise.all([child.status, stderr]);
    },
  };
}

async function keysOf(service: TestService): Promise<ReadonlyMap<string, string>> {
  const { providers } = await service.getJson<Providers>("/callbacks/providers");
  return new Map(providers.map(({ on, keys }) => [on, keys[0]?.value ?? ""]));
}

/** Waits until every call is over. */
async function allMade(service: TestService): Promise<void> {
  for (const { id } of service.events.list({})) {
    await service.getJson(`/events/${id}/callbacks?wait=true`);
  }
}

Deno.test("an Express application on HTTPS verifies, reads and answers its vendors' calls", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using folder = await scratch();
  const about = { now: new Date(), days: 2 };
  const authority = await createAuthority({ ...about, name: "Developer CA" });
  const tls = await issueCertificate(authority, { ...about, name: "shop", hosts: ["localhost"] });
  const [ca, CERT, KEY] = ["ca", "cert", "key"].map((name) => `${folder.path}/${name}.pem`);
  await Deno.writeTextFile(ca!, authority.cert);
  await Deno.writeTextFile(CERT!, tls.cert);
  await Deno.writeTextFile(KEY!, tls.key);
  const port = freePort();
  const shop = `https://localhost:${port}`;
  await using service = await startService({
    plugins: [mail, sms],
    config: {
      callbacks: {
        enabled: true,
        allow: ["https://localhost:*"],
        tls_ca_file: ca,
        webhooks: { mail2: `${shop}/sendgrid`, mail3: `${shop}/resend` },
        inbound: { sms1: `${shop}/sms`, mail3: `${shop}/resend` },
      },
      plugins: { sms: { providers: { sms1: { account_sid: ACCOUNT, auth_token: TOKEN } } } },
    },
  });
  const keys = await keysOf(service);
  await using _shop = await startShop(project, {
    CERT: CERT!,
    KEY: KEY!,
    PORT: String(port),
    STANDIN: service.ingress.url,
    ACCOUNT,
    TOKEN,
    SENDGRID_KEY: keys.get("mail/mail2")!,
    SVIX_SECRET: keys.get("mail/mail3")!,
  });
  using client = Deno.createHttpClient({ caCerts: [authority.cert] });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${shop}${path}`, { ...init, client });
  const seen = async (): Promise<readonly string[][]> => await (await ask("/seen")).json();

  await t.step("every message that an order sends is reported", async () => {
    const body = JSON.stringify({ phone: PHONE, mail: MAIL });
    const headers = { "content-type": "application/json" };
    const { sid } = await (await ask("/orders", { method: "POST", body, headers })).json();
    await allMade(service);
    assertEquals(new Set(service.callbacks().map(({ state }) => state)), new Set(["done"]));
    const told = await seen();
    assertEquals(told.filter(([vendor]) => vendor === "twilio"), [
      ["twilio", "sent", sid],
      ["twilio", "delivered", sid],
    ]);
    assertEquals(told.filter(([vendor]) => vendor === "sendgrid"), [
      ["sendgrid", "processed", MAIL],
      ["sendgrid", "delivered", MAIL],
    ]);
    assertEquals(told.filter(([vendor]) => vendor === "resend"), [
      ["resend", "email.sent", "Invoice"],
      ["resend", "email.delivered", "Invoice"],
    ]);
  });

  await t.step("an inbound text message is answered, and the answer captured", async () => {
    const { calls: [call] } = await service.inbound("sms1", {
      From: PHONE,
      To: SHOP_PHONE,
      Body: "Where is it? <3",
    });
    assertEquals([call?.state, call?.attempts[0]?.status], ["done", 200]);
    const reply = service.events.get(call!.captured![0]!)!;
    const { to, from, body } = reply.payload as Record<string, unknown>;
    assertEquals([to, from, body], [PHONE, SHOP_PHONE, "You said: Where is it? <3"]);
  });

  await t.step("an inbound mail is read over the API, and answered", async () => {
    await service.inbound("resend", {
      from: MAIL,
      to: "help@example.com",
      subject: "Help",
      text: "It has not arrived.",
    });
    const answer = await service.waitFor("mail.message", {
      search: "Re: Help",
    });
    const { to, text } = answer.payload as { to: { email: string }[]; text: string };
    assertEquals([to[0]!.email, text], [MAIL, "We have read: It has not arrived."]);
  });

  await t.step("calls without a vendor's signature are refused", async () => {
    await allMade(service);
    const before = await seen();
    const calls = service.callbacks();
    assertEquals(new Set(calls.map(({ url }) => new URL(url).pathname)).size, 4);
    for (const { url, body, attempts: [attempt] } of calls) {
      const response = await ask(new URL(url).pathname, {
        method: "POST",
        headers: attempt!.request_headers.map(([name, value]): [string, string] => [name, value]),
        body: `${body}&x=1`,
      });
      await response.body?.cancel();
      assertEquals([url, response.status], [url, 403]);
    }
    assertEquals(await seen(), before);
  });
});
