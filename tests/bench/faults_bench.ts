/** Processor time of a capture through mail2, with rules that do not apply and without any, in turn. */
import { startProgram } from "../support/program.ts";
import { busySeconds, load, mail2Load, median, report } from "./measure.ts";

const ROUNDS = 8;
const SECONDS = 2;
/** Warm-up of the compiler. */
const WARM_SECONDS = 5;
const MANY = 1000;

await using program = await startProgram({});
const ingress = program.urls.ingress ?? "";
const faults = `${program.urls.api ?? program.urls.ui}/api/v1/faults`;

const other = { on: "sms/sms1", outcome: "rate_limit" };
const here = {
  on: "mail/mail2",
  outcome: "rate_limit",
  match: { "to[*].email": { contains: "nobody@" } },
};
const CASES = {
  "without a rule": [],
  "with a rule for another provider": [other],
  "with a rule that does not match": [here],
  [`with ${MANY} rules that do not match`]: Array.from({ length: MANY }, () => here),
};

await load(mail2Load(ingress, WARM_SECONDS));
const found = new Map(Object.keys(CASES).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, rules] of Object.entries(CASES)) found.get(name)!.push(await cost(rules));
}
const [none, elsewhere] = Object.keys(CASES).map((name) => median(found.get(name)!));
for (const [name, costs] of found) {
  report(`CPU of a capture ${name}`, `${median(costs).toFixed(1)} us`);
}
const ratio = elsewhere! / none!;
report("a rule elsewhere, against none", ratio.toFixed(3), {
  text: "<= 1.05",
  met: ratio <= 1.05,
});

/** Processor time of one capture, in microseconds. */
async function cost(rules: readonly unknown[]): Promise<number> {
  await post("DELETE");
  if (rules.length > 0) await post("POST", { faults: rules });
  const before = await busySeconds(program.pid);
  const { perSecond, refused } = await load(mail2Load(ingress, SECONDS));
  if (refused > 0) throw new Error(`${refused} a second were refused`);
  return (await busySeconds(program.pid) - before) * 1e6 / (perSecond * SECONDS);
}

async function post(method: string, body?: unknown): Promise<void> {
  const answer = await fetch(faults, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`Cannot ${method} faults: ${await answer.text()}`);
  await answer.body?.cancel();
}
