import { assert, assertEquals } from "@std/assert";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { optionTree } from "./tree.ts";
import { unreadVariables } from "./unread.ts";

const tree = optionTree(PLAIN_PLUGINS);

/** Two environments: one with names, one without. */
async function told(env: Readonly<Record<string, string>>) {
  const read = (name: string) => env[name];
  return {
    named: await unreadVariables(tree, { env: read, names: Object.keys(env) }),
    looked: await unreadVariables(tree, { env: read }),
  };
}

Deno.test("a variable with a typo is reported with the intended setting", async () => {
  for (
    const name of [
      "SERVICE_SMPT_PORT",
      "SERVICE_SMTP_PRT",
      "SERVICE_SMTP_PORTS",
      "SERVICE_SMTP_PART",
      "SERVICE_SMTPPORT",
      "SERVICE_XSMTP_PORT",
    ]
  ) {
    const expected = [`${name} has no effect: nothing reads it; did you mean SERVICE_SMTP_PORT?`];
    assertEquals(await told({ [name]: "2525", SERVICE_UI_PORT: "0", HOME: "/" }), {
      named: expected,
      looked: expected,
    });
  }
});

Deno.test("a setting of the file, and the other name of a flag, are reported as such", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["SERVICE_STORAGE_CAPACITY", "it can only be set in the file: [storage] capacity"],
    [
      "SERVICE_SMTP_READ_TIMEOUT",
      "it can only be set in the file: [plugins.mail.providers.smtp] read_timeout",
    ],
    ["SERVICE_IN_PORT", "use SERVICE_INGRESS_PORT"],
  ];
  for (const [name, reason] of cases) {
    const expected = [`${name} has no effect: ${reason}`];
    assertEquals(await told({ [name]: "1" }), { named: expected, looked: expected });
  }
});

Deno.test("variables that are read are not reported, unrelated names only if all names are known", async () => {
  assertEquals(
    await told({
      SERVICE_SMTP_PORT: "1",
      SERVICE_UI_DIR: "x",
      SERVICES: "x",
      SERVICE_WHATEVER: "",
    }),
    { named: ["SERVICE_WHATEVER has no effect: nothing reads it"], looked: [] },
  );
});

Deno.test("the value is never quoted: it may be a password", async () => {
  const { named } = await told({ SERVICE_SMTP_PASSWRD: "hunter2" });
  assert(named[0]?.includes("SERVICE_SMTP_PASSWORD") && !named[0].includes("hunter2"));
});

Deno.test("the search for variables yields to other work", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await unreadVariables(tree, {
    env() {
      const end = performance.now() + 0.01;
      while (performance.now() < end);
      return undefined;
    },
  });
  clearInterval(timer);
  assert(turns > 3, `${turns} turns`);
});
