/**
 * Compares the checks with Mailpit's HTML check and its use of SpamAssassin, on the same mails:
 * `deno task bench mailpit`.
 */
import { createTransport } from "nodemailer";
import type { Finding } from "../../mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { Clients } from "../../plugins/mail/checks/html/shape.ts";
import { findProgram } from "../support/clients.ts";
import { FEATURE_USES, pageOf } from "../support/html_features.ts";
import { type Mailpit, startMailpit } from "../support/mailpit.ts";
import { startService, type TestService } from "../support/service.ts";
import { startSpamd } from "../support/spamd.ts";
import { sayAbsent } from "./files_peers.ts";
import { loadNewsletters } from "./newsletters.ts";
import { messageOf, SPAM_CASES } from "./spam_cases.ts";

const NEWSLETTERS = 1000;
/** Rules of SpamAssassin that a finding names; more than ten are only counted. */
const RULE = /^([A-Z0-9_]+):/;

type Send = (raw: string) => Promise<{ readonly ours: string; readonly theirs: string }>;

/** Sends one mail to both; returns its ids. */
function sender(service: TestService, mailpit: Mailpit): Send & AsyncDisposable {
  const { port } = service.endpoint("smtp");
  const open = (to: number) =>
    createTransport({
      host: "127.0.0.1",
      port: to,
      pool: true,
      maxConnections: 1,
      ignoreTLS: true,
    });
  const [here, there] = [open(port), open(mailpit.smtpPort)];
  const envelope = { from: "ada@example.org", to: "bob@example.org" };
  const send: Send = async (raw) => {
    await here.sendMail({ envelope, raw });
    const { response } = await there.sendMail({ envelope, raw });
    const theirs = /queued as (\S+)/.exec(response)?.[1];
    if (theirs === undefined) throw new Error(`Sent a mail to Mailpit: ${response}`);
    const [event] = await service.getJson<{ id: string }[]>("/events?limit=1");
    return { ours: event!.id, theirs };
  };
  return Object.assign(send, {
    [Symbol.asyncDispose]: () => {
      here.close();
      there.close();
      return Promise.resolve();
    },
  });
}

async function getJson<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`Read ${url}: ${answer.status} ${await answer.text()}`);
  return await answer.json() as T;
}

/** Counts by name, the most first. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  toString(): string {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([name, count]) =>
      `${name} ${count}`
    )
      .join(", ") || "-";
  }
}

/** Features in a mail, by both. */
async function featuresOf(
  html: string,
  { send, service, mailpit }: {
    readonly send: Send;
    readonly service: TestService;
    readonly mailpit: Mailpit;
  },
): Promise<{ readonly ours: ReadonlySet<string>; readonly theirs: ReadonlySet<string> }> {
  const ids = await send(messageOf({ html }, 1));
  const [{ features }, { Warnings }] = await Promise.all([
    service.getJson<Clients>(`/mail/messages/${ids.ours}/clients`),
    getJson<{ Warnings: { Slug: string }[] }>(
      `${mailpit.api}/api/v1/message/${ids.theirs}/html-check`,
    ),
  ]);
  return {
    ours: new Set(features.map(({ id }) => id)),
    theirs: new Set(Warnings.map(({ Slug }) => Slug)),
  };
}

type Verdict = "both" | "only Standin" | "only Mailpit" | "neither";

function verdictOf(ours: boolean, theirs: boolean): Verdict {
  if (ours) return theirs ? "both" : "only Standin";
  return theirs ? "only Mailpit" : "neither";
}

async function main(): Promise<void> {
  const program = findProgram("mailpit");
  if (program === undefined) return sayAbsent("mailpit");
  const spamd = findProgram("spamd");
  await using daemon = spamd === undefined ? undefined : await startSpamd(spamd);
  await using mailpit = await startMailpit(
    program,
    daemon === undefined ? [] : ["--enable-spamassassin", `127.0.0.1:${daemon.port}`],
  );
  await using service = await startService({
    plugins: [mail],
    config: {
      plugins: { mail: daemon && { spamassassin: `127.0.0.1:${daemon.port}` } },
      storage: { capacity: 10_000 },
    },
  });
  await using send = sender(service, mailpit);
  const both = { send, service, mailpit };

  const uses = new Map<Verdict, Tally>();
  const tallyOf = (verdict: Verdict) => {
    const tally = uses.get(verdict) ?? new Tally();
    uses.set(verdict, tally);
    return tally;
  };
  const besides = new Tally();
  for (const use of FEATURE_USES) {
    const { ours, theirs } = await featuresOf(pageOf(use), both);
    tallyOf(verdictOf(ours.has(use.feature), theirs.has(use.feature))).add(use.feature);
    for (const id of theirs.difference(ours)) {
      if (id !== use.feature) besides.add(`${id} in ${use.feature}`);
    }
  }
  console.log(`${FEATURE_USES.length} mails, each with one feature:`);
  for (const [verdict, tally] of uses) console.log(`  ${verdict}: ${tally.total} (${tally})`);
  console.log(`  only Mailpit, features besides: ${besides.total} (${besides})`);

  const found = new Map<Verdict, Tally>([
    ["both", new Tally()],
    ["only Standin", new Tally()],
    ["only Mailpit", new Tally()],
  ]);
  const newsletters = await loadNewsletters(NEWSLETTERS);
  for (const { html } of newsletters) {
    const { ours, theirs } = await featuresOf(html, both);
    for (const id of ours.union(theirs)) {
      found.get(verdictOf(ours.has(id), theirs.has(id)))?.add(id);
    }
  }
  console.log(`${newsletters.length} newsletters, their features:`);
  for (const [verdict, tally] of found) console.log(`  ${verdict}: ${tally.total} (${tally})`);

  if (daemon === undefined) return sayAbsent("spamd");
  await compareRules(both);
}

/** Rules of one SpamAssassin, asked by both. */
async function compareRules(
  { send, service, mailpit }: {
    readonly send: Send;
    readonly service: TestService;
    readonly mailpit: Mailpit;
  },
): Promise<void> {
  const tallies = { both: new Tally(), "only Standin": new Tally(), "only Mailpit": new Tally() };
  for (const [at, one] of SPAM_CASES.entries()) {
    const ids = await send(messageOf(one, at));
    const [{ checks }, { Rules }] = await Promise.all([
      service.getJson<{ checks: Finding[] }>(`/events/${ids.ours}/checks`),
      getJson<{ Rules: { Name: string; Score: number }[] }>(
        `${mailpit.api}/api/v1/message/${ids.theirs}/sa-check`,
      ),
    ]);
    const ours = new Set(
      checks.filter(({ id }) => id === "mail.spam_rule")
        .flatMap(({ message }) => RULE.exec(message)?.[1] ?? []),
    );
    // A rule without points is no finding here.
    const theirs = new Set(Rules.filter(({ Score }) => Score > 0).map(({ Name }) => Name));
    for (const rule of ours.union(theirs)) {
      const verdict = verdictOf(ours.has(rule), theirs.has(rule));
      if (verdict !== "neither") tallies[verdict].add(rule);
    }
  }
  console.log(`${SPAM_CASES.length} mails with one fault, rules of SpamAssassin that give points:`);
  for (const [verdict, tally] of Object.entries(tallies)) {
    console.log(`  ${verdict}: ${tally.total} (${tally})`);
  }
}

await main();
