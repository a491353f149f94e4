import { assert, assertEquals } from "@std/assert";
import type { Snippet } from "../../core/plugin.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { snippets } from "../../plugins/mail/mail3/snippets.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireClient, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

function snippet(service: TestService, lang: string): Snippet {
  const found = snippets(service.ingress).find((item) => item.lang === lang);
  assert(found !== undefined, lang);
  return found;
}

function assertCaptured(service: TestService): void {
  const [event] = service.events.list({ plugin: "mail" }) as CapturedEvent<MailMessage>[];
  assertEquals([event?.payload.subject, event?.payload.text], ["Welcome", "Hello"]);
}

Deno.test("the curl snippet of mail3 sends a mail", async (t) => {
  if (requireClient(t, "curl") === undefined || requireClient(t, "sh") === undefined) return;
  await using service = await startService({ plugins: [mail] });
  await runOk("sh", ["-c", snippet(service, "sh").code]);
  assertCaptured(service);
});

Deno.test("the Node.js snippet of mail3 sends a mail", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const { code } = snippet(service, "js");
  const args = ["--input-type=module", "--eval", code];
  await runOk(project.node, args, { cwd: project.folder });
  assertCaptured(service);
});

Deno.test("the Python snippet of mail3 sends a mail", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  await runOk(python, ["-c", snippet(service, "python").code], { env: { NO_PROXY: "*" } });
  assertCaptured(service);
});
