/** A page of another site cannot reach the ports of clients; a page of this machine can. */
import { assert, assertEquals } from "@std/assert";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { EVIL_HOST, foreignSiteTest, type Visit } from "../support/foreign_site.ts";

const MAIL = JSON.stringify({
  personalizations: [{ to: [{ email: "b@example.com" }] }],
  from: { email: "a@example.com" },
  subject: "s",
  content: [{ type: "text/plain", value: "t" }],
});
const SMTP =
  "EHLO a\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n\r\nx\r\n.\r\nQUIT\r\n";
const FTP = "USER a\r\nPASS b\r\nMKD /made\r\nQUIT\r\n";
const HL7 = "\x0bMSH|^~\\&|A|B|C|D|20260131120000||ADT^A01|1|P|2.5.1\rPID|1\r\x1c\r";
const DELETION = "<Delete><Object><Key>a.txt</Key></Object></Delete>";

const OPTIONS = {
  plugins: STANDARD_PLUGINS.filter(({ id }) => ["mail", "sms", "files", "s3", "hl7"].includes(id)),
  config: { plugins: { s3: { providers: { http: { buckets: ["kept"] } } } } },
};

/** Addresses and bodies that a page of another site can post without CORS. */
const POSTS: readonly (readonly [provider: string, path: string, body: string])[] = [
  ["s3/http", "/kept?delete", DELETION],
  ["files/ftp", "/", FTP],
  ["files/sftp", "/", "SSH-2.0-a\r\n"],
  ["files/nfs", "/", "\x00"],
  ["mail/smtp", "/", SMTP],
  ["hl7/mllp", "/", HL7],
  ["mail/mail2", "/v3/mail/send", MAIL],
  ["sms/sms1", "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json", "To=%2B1"],
];

/** Posts as plain text, which needs no preflight; returns the outcome of `fetch`. */
function post(url: string, body: string): string {
  return `fetch(${JSON.stringify(url)}, { method: "POST", mode: "no-cors", body: ${
    JSON.stringify(body)
  } }).then((answer) => answer.type, () => "failed")`;
}

for (const [provider, path, body] of POSTS) {
  foreignSiteTest(
    `another site cannot make ${provider} do anything`,
    async (visit) => {
      const { service, page, until } = visit;
      await putObject(visit);
      const { port } = service.endpoint(provider);
      await page.evaluate(post(`http://127.0.0.1:${port}${path}`, body));
      await until("it is refused", () => service.rejected.count > 0);
      assertEquals(service.events.list({}).map(({ type }) => type), ["s3.object.put"]);
      assertEquals((await service.getJson<{ entries: unknown }>("/files/tree")).entries, []);
      assertEquals(await readObject(visit), "kept");
    },
    OPTIONS,
  );
}

async function putObject({ service }: Visit): Promise<void> {
  const url = `${service.endpoint("s3/http").url}/kept/a.txt`;
  const response = await fetch(url, { method: "PUT", body: "kept" });
  assertEquals(response.status, 200, await response.text());
}

async function readObject({ service }: Visit): Promise<string> {
  return await (await fetch(`${service.endpoint("s3/http").url}/kept/a.txt`)).text();
}

foreignSiteTest(
  "a page with a rebound name reads no bucket and no message",
  async ({ service, page }) => {
    const messages = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
    for (
      const [port, path] of [
        [service.endpoint("s3/http").port, "/"],
        [service.ingress.port, messages],
      ] as const
    ) {
      await page.goto(`http://${EVIL_HOST}:${port}${path}`);
      const text = await page.evaluate<string>("document.documentElement.textContent");
      assert(text.includes("Cannot serve a browser under the host"), text);
      // From there it is same-origin.
      const read = await page.evaluate<number>(`fetch("${path}").then((answer) => answer.status)`);
      assertEquals(read, 403);
    }
  },
  OPTIONS,
);

for (const host of ["localhost", "127.0.0.1", "app.localhost"]) {
  foreignSiteTest(
    `an app of ${host} sends mails and puts objects, and shows them`,
    async (visit) => {
      const { service, until } = visit;
      const page = await visit.visit(host);
      await page.evaluate(post(`http://127.0.0.1:${service.ingress.port}/v3/mail/send`, MAIL));
      await putObject(visit);
      const picture = `http://127.0.0.1:${service.endpoint("s3/http").port}/kept/a.txt`;
      await page.evaluate(`new Promise((done) => {
        Object.assign(new Image(), { onload: done, onerror: done, src: "${picture}" });
      }).then(() => {})`);
      const types = () => service.events.list({}).map(({ type }) => type).toSorted();
      await until("all of it was captured", () => types().includes("mail.message"));
      assertEquals(service.rejected.list().filter(({ status }) => status === 403), []);
    },
    OPTIONS,
  );
}

foreignSiteTest(
  "[ingress] allowed_origins lets an app of another site in",
  async ({ service, page, until }) => {
    await page.evaluate(post(`http://127.0.0.1:${service.ingress.port}/v3/mail/send`, MAIL));
    await until("the mail was captured", () => service.events.count() === 1);
  },
  {
    plugins: OPTIONS.plugins,
    configFor: (origin) => ({ ingress: { allowed_origins: [origin] } }),
  },
);
