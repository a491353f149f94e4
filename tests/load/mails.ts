/** Numbered emails to Resend, some of which meet a fault, and the callbacks about them. */
import { compact } from "../../core/compact.ts";
import { timed, type Waits } from "./waits.ts";

/** The part of every subject that the rules match. */
const MARK = "soak-";
/**
 * The sender whose responses are truncated. It opens a connection for each email, because `fetch` repeats a request
 * that gets no response on a connection that was used before.
 */
const LOSING = 1;
/** Callbacks about each captured email. */
const CALLED = ["email.sent", "email.delivered"] as const;
const REFUSED = "refused";
const LOST = "truncated response";
const DELAYED = "delayed";

/** Rules with which some numbered emails are refused, are captured without a whole response, or wait. */
const FAULTS = [
  rule(REFUSED, 'outcome = "rate_limit"', MARK),
  rule(LOST, 'outcome = "truncate"\nafter = true', `${MARK}${LOSING}-`),
  rule(DELAYED, 'delay = "50ms"', MARK),
].join("");

function rule(name: string, effect: string, subject: string): string {
  return `
[[faults]]
on = "mail/mail3"
name = "${name}"
${effect}
chance = 0.02
seed = "soak"
match = { subject = { contains = "${subject}" } }
`;
}

/** Receives callbacks, and counts them by email. */
export interface Receiver extends AsyncDisposable {
  /** Settings of the program: its faults, and callbacks to this receiver. */
  readonly toml: string;
  readonly calls: ReadonlyMap<string, readonly string[]>;
}

/** Starts a receiver. */
export function startReceiver(): Receiver {
  const calls = new Map<string, string[]>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { type, data } = await request.json();
      const { subject } = data;
      // Callbacks about samples also arrive here.
      if (subject?.startsWith(MARK)) calls.set(subject, [...calls.get(subject) ?? [], type]);
      return new Response(null, { headers: { connection: "close" } });
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const toml = `
[callbacks]
enabled = true
allow = ["${url}"]

[callbacks.webhooks]
mail3 = "${url}/resend"
${FAULTS}`;
  return { toml, calls, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** What the senders saw. */
export class Outcomes {
  /** Subjects of captured emails. */
  readonly captured: string[] = [];
  refused = 0;
  lost = 0;
}

/** Sends numbered emails until then, each until it is captured. */
export async function sendMails(
  ingress: string,
  { sender, untilMs, outcomes, problems, waits }: {
    sender: number;
    untilMs: number;
    outcomes: Outcomes;
    problems: string[];
    waits: Waits;
  },
): Promise<void> {
  using client = Deno.createHttpClient(sender === LOSING ? { poolMaxIdlePerHost: 0 } : {});
  let number = 0;
  while (performance.now() < untilMs) {
    const subject = `${MARK}${sender}-${number}`;
    const status = await timed(waits, "mail", () => sendMail(ingress, subject, client));
    if (status === 429) {
      outcomes.refused++;
      continue;
    }
    number++;
    if (status === undefined) outcomes.lost++;
    if (status === undefined || status === 200) outcomes.captured.push(subject);
    else problems.push(`${subject} was answered ${status}`);
  }
}

/** Returns the status of the response; `undefined` without a whole one. */
export async function sendMail(
  ingress: string,
  subject: string,
  client?: Deno.HttpClient,
): Promise<number | undefined> {
  try {
    const response = await fetch(`${ingress}/emails`, {
      ...compact({ client }),
      method: "POST",
      headers: { authorization: "Bearer any", "content-type": "application/json" },
      body: JSON.stringify({
        from: "soak@example.com",
        to: "ada@example.org",
        subject,
        text: "x".repeat(2000),
      }),
    });
    await response.text();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Callbacks that are missing, came twice or are about an email that was not captured. */
export function callbackProblems(receiver: Receiver, { captured }: Outcomes): readonly string[] {
  const wrong = captured.filter((subject) =>
    receiver.calls.get(subject)?.toSorted().join() !== CALLED.toSorted().join()
  );
  const known = new Set(captured);
  const unknown = [...receiver.calls.keys()].filter((subject) => !known.has(subject));
  return [
    ...(wrong.length === 0 ? [] : [
      `${wrong.length} numbered emails did not have each callback once, among them ${wrong[0]}: ` +
      `${receiver.calls.get(wrong[0]!)?.join()}`,
    ]),
    ...(unknown.length === 0 ? [] : [`Callbacks came about ${unknown.length} unknown emails`]),
  ];
}

/** Compares the hits of the rules with what the senders saw. */
export async function faultProblems(url: string, outcomes: Outcomes): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/faults`);
  const rules: { name: string; hits: number }[] = (await response.json()).faults;
  const hitsOf = (name: string): number => rules.find((rule) => rule.name === name)?.hits ?? 0;
  console.log(
    `Faults: ${[REFUSED, LOST, DELAYED].map((name) => `${name} ${hitsOf(name)}`).join(", ")}`,
  );
  const problems: string[] = [];
  for (const [name, seen] of [[REFUSED, outcomes.refused], [LOST, outcomes.lost]] as const) {
    if (hitsOf(name) !== seen) {
      problems.push(`"${name}" was hit ${hitsOf(name)} times, not ${seen}`);
    }
  }
  if (hitsOf(DELAYED) === 0) problems.push(`"${DELAYED}" was never hit`);
  return problems;
}
