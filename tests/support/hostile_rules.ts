/**
 * Expectations and faults whose conditions are cheap to send and once were expensive to check.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { HostileInput } from "./hostile_inputs.ts";
import type { Target } from "./under_attack.ts";

/** Most conditions of one pattern. */
const MANY = 200;

/** Conditions that all hold: nothing is there. */
function nothingAt(count: number, path: (at: number) => string): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [path(at), { exists: false }]),
  );
}

const IN_LIST = (at: number) => `json[*][${at}]`;
const IN_HEADERS = (at: number) => `raw.headers.x${at}`;

async function post(
  { urls }: Target,
  path: string,
  body: unknown,
): Promise<readonly [number, string]> {
  const response = await fetch(`${urls.api}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [response.status, await response.text()];
}

/** Sends a webhook. */
async function send({ urls }: Target, type: string, body: string): Promise<void> {
  const response = await fetch(`${urls.ingress}/hook/long`, {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  assertEquals(response.status, 200, await response.text());
}

const LIST = ["application/json", `[${"1,".repeat(500_000)}1]`] as const;
const TEXT = ["text/plain", "a".repeat(20 * 1024 ** 2)] as const;

/** An expectation about a webhook, answered with one of these statuses. */
function expectation(
  name: string,
  asked: unknown,
  { about = LIST, statuses = [200] }: {
    about?: readonly [string, string];
    statuses?: readonly number[];
  } = {},
): HostileInput {
  return {
    name,
    async prepare(target) {
      await send(target, ...about);
      return async () => {
        const [status, text] = await post(target, "/expect", asked);
        assert(statuses.includes(status), `${status}: ${text.slice(0, 500)}`);
      };
    },
  };
}

/** As many rules, and the webhook that they look at. */
function faults(
  name: string,
  rules: readonly unknown[],
  about: readonly [string, string],
): HostileInput {
  return {
    name,
    async prepare(target) {
      const [status, text] = await post(target, "/faults", { faults: rules });
      assertEquals(status, 201, text.slice(0, 500));
      return () => send(target, ...about);
    },
  };
}

const TYPE = { type: "webhook.request", timeout: 0 };

/** Every such rule. */
export const HOSTILE_RULES: readonly HostileInput[] = [
  expectation("an expectation has many conditions on each item of a long list", {
    ...TYPE,
    match: nothingAt(MANY, IN_LIST),
  }),
  expectation("an expectation has many conditions on the header of a long request", {
    ...TYPE,
    match: nothingAt(MANY, IN_HEADERS),
  }, { about: TEXT }),
  expectation("an expectation has twenty thousand conditions", {
    ...TYPE,
    match: nothingAt(20_000, IN_LIST),
  }, { statuses: [400] }),
  expectation("the steps of an order have many conditions each", {
    order: Array(100).fill({ type: TYPE.type, match: nothingAt(MANY, IN_LIST) }),
    timeout: 0,
  }, { statuses: [409] }),
  expectation("a condition is in hundreds of negations", {
    ...TYPE,
    match: { "json[*]": negated(250, { equals: 2 }) },
  }, { statuses: [200, 409] }),
  faults("faults have many conditions on each item of a long list", rules(IN_LIST), LIST),
  faults("faults have many conditions on the header of a long request", rules(IN_HEADERS), TEXT),
];

/** Rules whose last condition fails. */
function rules(path: (at: number) => string): readonly unknown[] {
  const match = { ...nothingAt(MANY - 1, path), "payload.name": "short" };
  return Array(100).fill({ on: "webhook", outcome: "close", match });
}

/** A condition in so many negations. */
function negated(depth: number, condition: unknown): unknown {
  let nested = condition;
  for (let i = 0; i < depth; i++) nested = { not: nested };
  return nested;
}
