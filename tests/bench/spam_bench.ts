/**
 * Faults of a mail on which the checks and SpamAssassin agree: `deno task bench spam`. Each mail
 * has one fault.
 */
import type { Finding } from "../../mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { findProgram } from "../support/clients.ts";
import { startService } from "../support/service.ts";
import { connectSmtp, mails, READY } from "../support/smtp.ts";
import { startSpamd } from "../support/spamd.ts";
import { sayAbsent } from "./files_peers.ts";
import { messageOf, SPAM_CASES } from "./spam_cases.ts";

async function main(): Promise<void> {
  const program = findProgram("spamd");
  if (program === undefined) return sayAbsent("spamd");
  await using daemon = await startSpamd(program);
  await using service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { spamassassin: `127.0.0.1:${daemon.port}` } } },
  });
  const tally = { both: 0, neither: 0, "ours alone": 0, "SpamAssassin's alone": 0 };
  for (const [at, one] of SPAM_CASES.entries()) {
    await using client = await connectSmtp(service);
    await client.play([...READY, [">", "DATA"], ["<", /^354 /]]);
    await client.play([[">>", `${messageOf(one, at)}.\r\n`], ["<", /^250 /]]);
    const { id } = mails(service).at(-1)!;
    const { checks } = await service.getJson<{ checks: Finding[] }>(`/events/${id}/checks`);
    const isOurs = checks.some((found) => found.id === one.check);
    const rules = checks.filter((found) => found.id === "mail.spam_rule")
      .map(({ message }) => message.split(":")[0]!);
    const rule = rules.find((name) => one.rules.test(name));
    const verdict = isOurs
      ? rule === undefined ? "ours alone" : "both"
      : rule === undefined
      ? "neither"
      : "SpamAssassin's alone";
    tally[verdict]++;
    console.log(
      [one.fault.padEnd(34), verdict.padEnd(20), rule ?? "-", `(${rules.join(" ")})`].join(" "),
    );
  }
  console.log(Object.entries(tally).map(([name, count]) => `${name}: ${count}`).join(", "));
}

await main();
