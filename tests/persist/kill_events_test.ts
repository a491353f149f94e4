/**
 * `kill -9` at random moments while a client of every protocol sends: acknowledged items exist
 * after the next start, byte for byte, in order and once. `KILL_ROUNDS=200` runs many rounds,
 * `KILL_SEED=n` repeats the moments of an earlier run.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type Sender, SENDERS, type Sent } from "../support/event_senders.ts";
import { scratch } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";
import { numberFrom, seedFrom } from "../support/settings.ts";

const ROUNDS = numberFrom("KILL_ROUNDS", 5);
const SEED = seedFrom("KILL_SEED");
/** Longest time that a round lasts once every client was answered, in milliseconds. */
const MAX_LOAD_MS = 400;
/** Longest time until the first response to each client, in milliseconds. */
const ANSWER_MS = 60_000;

interface View {
  readonly id: string;
  readonly summary: string;
  readonly payload: unknown;
  readonly raw: { readonly path?: string; readonly body: string };
}

/** Tokens of one client in the order in which it sent them, and those that were acknowledged. */
interface History {
  readonly sent: Map<string, Sent>;
  readonly acknowledged: string[];
}

/** A client in one round. */
interface Client {
  /** Resolves with the first acknowledgement. */
  readonly answered: Promise<void>;
  /** Resolves with what ended it. */
  readonly ended: Promise<Error>;
}

Deno.test(`acknowledged events survive kill -9 (${ROUNDS} rounds)`, async () => {
  await using folder = await scratch();
  const config = `${folder.path}/standin.toml`;
  await Deno.writeTextFile(
    config,
    `[storage]\nevents = "filesystem"\npath = "${folder.path}/kept"\ncapacity = 1000000\n`,
  );
  const random = generator(SEED);
  const histories = new Map(
    Object.keys(SENDERS).map((name): [string, History] => [
      name,
      { sent: new Map(), acknowledged: [] },
    ]),
  );
  for (let round = 0; round <= ROUNDS; round++) {
    await using program = await startProgram({
      args: ["serve", "--config", config, ...FREE_PORTS],
    });
    const where = `round ${round}, seed ${SEED}`;
    await verify(program, histories, where);
    if (round === ROUNDS) {
      await program.stop();
      break;
    }
    const at = {
      ...await listening(program),
      ingress: program.urls.ingress!,
      informMs: ANSWER_MS,
    };
    const senders = await Promise.all([...histories.keys()].map((name) => SENDERS[name]!(at)));
    let isKilled = false;
    const clients = new Map(
      [...histories].map(([name, history], i): [string, Client] => [
        name,
        sendAll(senders[i]!, { name, round, history }),
      ]),
    );
    const early = Promise.race([...clients].map(async ([name, { ended }]) => {
      const error = await ended;
      if (!isKilled) throw new Error(`${name} failed before the kill, ${where}`, { cause: error });
    }));
    await Promise.race([early, allAnswered(clients, where)]);
    await Promise.race([
      early,
      new Promise((resolve) => setTimeout(resolve, random() * MAX_LOAD_MS)),
    ]);
    isKilled = true;
    await program.stop("SIGKILL");
    // A TFTP client waits for packets that will never arrive.
    await Promise.all(senders.map((sender) => sender.close?.()));
    await Promise.all([...clients.values()].map(({ ended }) => ended));
  }
  const counts = [...histories].map(([name, one]) => `${name} ${one.acknowledged.length}`);
  console.log(`${ROUNDS} rounds; events that were acknowledged: ${counts.join(", ")}`);
});

/** Sends until the program has ended. */
function sendAll(
  sender: Sender,
  { name, round, history }: { name: string; round: number; history: History },
): Client {
  const first = Promise.withResolvers<void>();
  const send = async (): Promise<Error> => {
    try {
      for (let n = 0;; n++) {
        const token = `T${name}R${round}N${n}E`;
        history.sent.set(token, {});
        await sender.send(token, (what) => history.sent.set(token, what));
        history.acknowledged.push(token);
        first.resolve();
      }
    } catch (error) {
      assert(error instanceof Error);
      return error;
    }
  };
  return { answered: first.promise, ended: send() };
}

/** Rejects with the names of the clients that were not answered in time. */
async function allAnswered(clients: ReadonlyMap<string, Client>, where: string): Promise<void> {
  const waiting = new Set(clients.keys());
  const all = Promise.all([...clients].map(async ([name, { answered }]) => {
    await answered;
    waiting.delete(name);
  }));
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const names = [...waiting].join(", ");
    reject(new Error(`Waited ${ANSWER_MS} ms for the first answer to ${names}, ${where}`));
  }, ANSWER_MS);
  await Promise.race([all, late]).finally(() => clearTimeout(timer));
}

async function verify(
  program: Program,
  histories: ReadonlyMap<string, History>,
  where: string,
): Promise<void> {
  const api = `${program.urls.api}/api/v1`;
  const events: View[] = await (await fetch(`${api}/events?limit=0&include_raw=true`)).json();
  const ids = events.map(({ id }) => id);
  assertEquals(ids, ids.toSorted().toReversed(), `in order, ${where}`);
  const found = new Map<string, View>();
  const order: string[] = [];
  for (const event of events.toReversed()) {
    const body = new TextDecoder("latin1").decode(Uint8Array.fromBase64(event.raw.body));
    const token = /T[a-z]+\d?R\d+N\d+E/.exec(`${event.raw.path} ${event.summary} ${body}`)?.[0];
    if (token === undefined) continue;
    assert(!found.has(token), `${token} is there twice, ${where}`);
    found.set(token, event);
    order.push(token);
  }
  for (const [name, { sent, acknowledged }] of histories) {
    const own = order.filter((token) => token.startsWith(`T${name}R`));
    const missing = acknowledged.filter((token) => !found.has(token));
    assertEquals(missing, [], `acknowledged and lost, ${where}`);
    const known = new Set(acknowledged);
    assertEquals(own.filter((token) => known.has(token)), acknowledged, `in order, ${where}`);
    for (const token of own) await verifyBytes(api, found.get(token)!, sent.get(token)!);
  }
}

async function verifyBytes(api: string, event: View, { raw, attachment }: Sent): Promise<void> {
  if (raw !== undefined) {
    const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
    assertEquals(event.raw.body, bytes.toBase64());
  }
  if (attachment === undefined) return;
  const { attachments: [one] } = event.payload as { attachments: [{ blob: { id: string } }] };
  const response = await fetch(`${api}/blobs/${one.blob.id}`);
  assertEquals(await response.text(), new TextDecoder().decode(attachment));
}

/** Numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
