/** Python: aioftp, tftpy and aiosmtplib. */
import { assertEquals } from "@std/assert";
import { files } from "../../plugins/files/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { operations, scratch } from "../support/files.ts";
import { startService } from "../support/service.ts";
import { mails } from "../support/smtp.ts";

Deno.test("aioftp, tftpy and aiosmtplib store files and send emails", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({
    plugins: [files, mail],
    config: { plugins: { mail: { providers: { smtp: { starttls: true } } } } },
  });
  await using folder = await scratch();
  const ports = ["ftp", "tftp", "smtp"].map((name) => String(service.endpoint(name).port));
  const script = new URL("python/async_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, ...ports, folder.path]);
  assertEquals(JSON.parse(stdout), {
    ftp: { listed: [["/box/b", 300_000]], same: true, missing: false, size: "300000" },
    tftp: [true, true],
    smtp: [[{}, "2.0.0"], [{}, "2.0.0"]],
  });
  assertEquals(operations(service), [
    ...["mkdir /box", "mkdir /box/ü", "upload /box/ü/a", "rename /box/ü/a /box/b"],
    ...["delete /box/ü", "upload /plain.bin", "upload /blocks.bin"],
  ]);
  const events = mails(service);
  assertEquals(
    events.map(({ payload: { subject, text, bcc }, meta: { auth, tls } }) => [
      ...[subject, text, bcc, auth, tls],
    ]),
    [undefined, { mechanism: "PLAIN", username: "ada", password: "x" }].map((auth) => [
      ...["Grüße", "Hällo\n.dot", [{ email: "hidden@example.com" }], auth, true],
    ]),
  );
});
