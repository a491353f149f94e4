/** The checks of a mail query a real spamd. */
import { assert, assertEquals } from "@std/assert";
import type { Finding } from "../../mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { clientTest } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";
import { startSpamd } from "../support/spamd.ts";

/**
 * The text that every SpamAssassin installation classifies as spam:
 * https://spamassassin.apache.org/gtube/
 */
const GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

async function findingsOf(service: TestService, text: string): Promise<readonly Finding[]> {
  const answer = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_123", "content-type": "application/json" },
    body: JSON.stringify({
      from: "ada@example.org",
      to: "bob@example.org",
      subject: "Your order",
      text,
    }),
  });
  assertEquals(answer.status, 200, await answer.text());
  const [event] = await service.getJson<{ id: string }[]>("/events");
  return (await service.getJson<{ checks: Finding[] }>(`/events/${event!.id}/checks`)).checks;
}

clientTest("spamd's rules become findings", ["spamd"], async ({ spamd }) => {
  await using daemon = await startSpamd(spamd);
  await using service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { spamassassin: `127.0.0.1:${daemon.port}` } } },
  });
  const bad = await findingsOf(service, GTUBE);
  const [spam] = bad;
  assertEquals([spam?.id, spam?.level], ["mail.spam", "error"]);
  const rule = bad.find(({ message }) => message.startsWith("GTUBE: 1000 points."));
  assertEquals([rule?.id, rule?.level], ["mail.spam_rule", "warning"]);
  const good = await findingsOf(service, "Your order leaves our house today.\n");
  assert(!good.some(({ id }) => id === "mail.spam" || id === "mail.spam_unknown"));
});
