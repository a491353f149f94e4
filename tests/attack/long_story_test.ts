/** A story with as many events as a plugin holds, all to one recipient. */
import { assertEquals, assertLess } from "@std/assert";
import { scratch } from "../support/files.ts";
import { FREE_PORTS } from "../support/program.ts";
import { BESIDE_BYTES, mib, startTarget, type Target } from "../support/under_attack.ts";
import { ask, holdsLittle } from "../support/unread.ts";

const REQUESTS = 100;
const MAILS = 1000;
const LIMIT_BYTES = 512_000_000;
/** Far above one time slice. */
const MAX_WAIT_MS = 1500;
/** The same for a hundred such responses at once, which took 4 s when they were begun in one turn of the event loop. */
const MAX_UNREAD_MS = 2500;

async function send({ urls }: Target): Promise<void> {
  const body = JSON.stringify({
    personalizations: Array(MAILS).fill({ to: [{ email: "ada@example.org" }] }),
    from: { email: "shop@example.com" },
    subject: "Again",
    content: [{ type: "text/plain", value: "Again" }],
  });
  for (let i = 0; i < REQUESTS; i++) {
    const response = await fetch(`${urls.ingress}/v3/mail/send`, {
      method: "POST",
      headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
      body,
    });
    assertEquals(response.status, 202, await response.text());
  }
}

Deno.test("a story of a hundred thousand events delays nobody, read or unread", async (t) => {
  await using folder = await scratch();
  const config = `${folder.path}/standin.toml`;
  await Deno.writeTextFile(
    config,
    `[storage]\ncapacity = ${REQUESTS * MAILS}\nmemory_limit = "${LIMIT_BYTES}"\n`,
  );
  await using target = await startTarget({ args: ["serve", ...FREE_PORTS, "--config", config] });
  const check = async (work: () => Promise<void>, mostMs = MAX_WAIT_MS): Promise<void> => {
    const { longestWaitMs, peakBytes } = await target.measure(work);
    assertLess(longestWaitMs, mostMs, `another client waited ${Math.round(longestWaitMs)} ms`);
    assertLess(peakBytes, LIMIT_BYTES + BESIDE_BYTES, `${mib(peakBytes)} resident at most`);
  };
  const api = `${target.urls.api}/api/v1`;
  await t.step("captured", () => check(() => send(target)));
  const [{ id }] = await (await fetch(`${api}/events?limit=1&include_payload=false`)).json();
  const paths = ["/stories?limit=1", `/stories/${id}`, "/stories?search=again&plugin=mail&to=ada"];
  for (const path of paths) {
    await t.step(path.replace(id, "…"), () =>
      check(async () => {
        await Promise.all(Array.from({ length: 4 }, async () => {
          const answer = await (await fetch(`${api}${path}`)).json();
          const [story] = answer.stories ?? [answer];
          assertEquals(story?.count, REQUESTS * MAILS, JSON.stringify(answer).slice(0, 300));
        }));
      }));
  }
  // Afterwards, because the end of a hundred unread responses takes time of its own.
  for (const path of paths) {
    await t.step(
      `${path.replace(id, "…")}, unread`,
      () =>
        check(
          () => holdsLittle(target, LIMIT_BYTES, () => ask(`${api}${path}`, 100)),
          MAX_UNREAD_MS,
        ),
    );
  }
});
