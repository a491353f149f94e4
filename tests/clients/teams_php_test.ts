import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatMessage } from "../../plugins/chat/model.ts";
import { requireClient, runOk, skipTest } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/** Folder of Debian's packages. */
const NOTIFIER =
  "/usr/share/php/Symfony/Component/Notifier/Bridge/MicrosoftTeams/MicrosoftTeamsTransport.php";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("Symfony's Teams notifier posts, and uses the number in each answer as the message id", async (t) => {
  const php = requireClient(t, "php");
  if (php === undefined) return;
  if (!await isThere(NOTIFIER)) {
    skipTest(t, "php-symfony-microsoft-teams-notifier", "is not installed");
    return;
  }
  await using trusted = await startTrusted({ plugins: [chat] });
  const { service, caFile } = trusted;
  const script = new URL("php/teams.php", import.meta.url).pathname;
  const path = "/webhookb2/1@2/IncomingWebhook/3/4";
  const { stdout } = await runOk(php, [
    script,
    "localhost",
    String(service.ingress.port),
    path,
    caFile,
  ]);
  const { ids, refusal } = JSON.parse(stdout) as { ids: string[]; refusal: string };
  for (const id of ids) assertMatch(id, UUID);
  assertEquals(new Set(ids).size, 2);
  assertMatch(refusal, /\([\da-f-]{36} : "Invalid webhook URL"\)/);
  const events = (service.events.list({}) as CapturedEvent<ChatMessage>[]).reverse();
  assertEquals(events.map(({ payload }) => payload.text), ["Deployed 1.2", "Green"]);
});
