import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireClient, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const PROVIDERS = ["mail1", "mail2", "mail4", "mail5", "mail7", "mail6"];

for (const name of PROVIDERS) {
  Deno.test(`the snippets of ${name} work as printed`, async (t) => {
    if (requireClient(t, "curl") === undefined) return;
    await using service = await startService({ plugins: [mail] });
    const provider = mail.providers.find(({ id }) => id === name);
    const snippets = provider?.snippets?.(service.ingress, {}) ?? [];
    const byLang = new Map(snippets.map(({ lang, code }) => [lang, code]));
    assertEquals([...byLang.keys()], ["sh", "js", "python"]);
    await runOk("sh", ["-c", byLang.get("sh")!]);
    const senders = ["curl"];
    const node = await requireNode(t);
    if (node !== undefined) {
      const args = ["--input-type=module", "--eval", byLang.get("js")!];
      await runOk(node.node, args, { cwd: node.folder });
      senders.push("Node");
    }
    const python = await requirePython(t);
    if (python !== undefined) {
      await runOk(python, ["-c", byLang.get("python")!], { env: { NO_PROXY: "*" } });
      senders.push("Python");
    }
    const events = service.events.list({ provider: name }) as CapturedEvent<MailMessage>[];
    const texts = events.reverse().map(({ payload }) => payload.text);
    assertEquals(texts, senders.map((sender) => `Hello from ${sender}`));
  });
}
