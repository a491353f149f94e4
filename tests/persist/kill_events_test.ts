/**
 * `kill -9` at random moments while a client of every protocol sends: acknowledged items exist
 * after the next start, byte for byte, in order and once. `KILL_ROUNDS=200` runs many rounds,
 * `KILL_SEED=n` repeats the moments of an earlier run.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type Sender, SENDERS, type Sent } from "../support/event_senders.ts";
import { scratch, until } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";

const ROUNDS = Number(Deno.env.get("KILL_ROUNDS") ?? 5);
const SEED = Number(Deno.env.get("KILL_SEED") ?? Math.floor(Math.random() * 1e9));
/** Longest time that a round lasts once every client was answered, in milliseconds. */
const MAX_LOAD_MS = 400;

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
    const program = await startProgram({ args: ["serve", "--config", config, ...FREE_PORTS] });
    await verify(program, histories, `round ${round}, seed ${SEED}`);
    if (round === ROUNDS) {
      await program.stop();
      break;
    }
    const at = { ...await listening(program), ingress: program.urls.ingress! };
    const before = new Map([...histories].map(([name, one]) => [name, one.acknowledged.length]));
    const senders = await Promise.all([...histories.keys()].map((name) => SENDERS[name]!(at)));
    const working = [...histories].map(([name, history], i) =>
      sendAll(senders[i]!, { name, round, history })
    );
    await until(() =>
      [...histories].every(([name, one]) => one.acknowledged.length > before.get(name)!)
    );
    await new Promise((resolve) => setTimeout(resolve, random() * MAX_LOAD_MS));
    await program.stop("SIGKILL");
    // A TFTP client waits for packets that will never arrive.
    await Promise.all(senders.map((sender) => sender.close?.()));
    await Promise.all(working);
  }
  const counts = [...histories].map(([name, one]) => `${name} ${one.acknowledged.length}`);
  console.log(`${ROUNDS} rounds; events that were acknowledged: ${counts.join(", ")}`);
});

/** Runs until the program has ended. */
async function sendAll(
  sender: Sender,
  { name, round, history }: { name: string; round: number; history: History },
): Promise<void> {
  try {
    for (let n = 0;; n++) {
      const token = `T${name}R${round}N${n}E`;
      history.sent.set(token, {});
      await sender.send(token, (what) => history.sent.set(token, what));
      history.acknowledged.push(token);
    }
  } catch (error) {
    // The connection is gone; any other error shows as a client that was never answered.
    assert(error instanceof Error);
  }
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
