/** Go: jlaffaye/ftp, pkg/sftp and go-mail. */
import { assert, assertEquals } from "@std/assert";
import { files } from "../../plugins/files/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";
import { attachmentBytes, mails } from "../support/smtp.ts";

Deno.test("Go packages speak FTP, FTP within TLS, SFTP and SMTP", async (t) => {
  const program = await requireGo(t, "protocols");
  if (program === undefined) return;
  await using service = await startService({
    plugins: [files, mail],
    config: {
      plugins: {
        files: { providers: { ftp: { tls: true } } },
        mail: { providers: { smtp: { starttls: true } } },
      },
    },
  });
  const ports = ["ftp", "sftp", "smtp"].map((name) => String(service.endpoint(name).port));
  const { stdout } = await runOk(program, ports);
  const ftp = {
    same: true,
    size: 300_001,
    modified: true,
    list: "done",
    missing: String.raw`550 "Cannot find \"/missing\""`,
  };
  assertEquals(JSON.parse(stdout), {
    ftp,
    pasv: ftp,
    ftps: ftp,
    sftp: { same: true, size: 5, names: ["/a/b/done"], missing: true },
  });
  const events = mails(service);
  const auth = (mechanism: string) => ({ mechanism, username: "ada", password: "x" });
  assertEquals(events.map(({ payload: { subject }, meta }) => [subject, meta.auth, meta.tls]), [
    ["Grüße: NOAUTH", undefined, true],
    ["Grüße: PLAIN", auth("PLAIN"), true],
    ["Grüße: LOGIN", auth("LOGIN"), true],
  ]);
  const [event] = events;
  assert(event !== undefined, "no event");
  const { payload } = event;
  assertEquals(payload.to, [{ email: "bob@example.com", name: "Bób" }]);
  assertEquals(payload.bcc, [{ email: "hidden@example.com" }]);
  assertEquals([payload.text, payload.html], ["Hällo\n.dot\n", "<b>Hällo</b>"]);
  assertEquals(await attachmentBytes(service, event, 0), Uint8Array.of(0, 0xff, 13, 10));
});
