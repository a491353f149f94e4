/** Settings, requests and answers of every page: each is parsed by its consumer. */
import { assert, assertEquals } from "@std/assert";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import { resolveSettings } from "../../core/options/resolve.ts";
import { parseToml } from "../../core/options/toml.ts";
import { optionTree } from "../../core/options/tree.ts";
import { parseProfile } from "../../plugins/hl7/checks/profile.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { type Block, blocksOf, nameOf } from "../support/pages.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const BLOCKS = await blocksOf("settings_test.ts");

const blocksIn = (lang: string): readonly Block[] => BLOCKS.filter((block) => block.lang === lang);

/** Resolves a configuration file like the program, which refuses unknown keys. */
function readConfig(text: string, name: string): void {
  const file = { path: "/srv/standin.toml", tree: parseToml(text, name) };
  resolveSettings(STANDARD_PLUGINS, { file, configFolder: "/srv" });
}

Deno.test("every TOML block is a configuration that the program accepts", async (t) => {
  for (const block of blocksIn("toml")) {
    await t.step(nameOf(block), () => {
      if (block.page === "docs/agents.md") {
        // The configuration of an agent.
        const { mcp_servers } = parseToml(block.code, block.page);
        assertEquals(mcp_servers, { standin: { url: "http://localhost:8811/mcp" } });
      } else if (block.heading === "HL7" && block.code.includes("[messages.")) {
        const { messages, segments, fields } = parseProfile(block.code, block.page);
        assert(messages.size > 0 && segments.size > 0 && fields.size > 0);
      } else readConfig(block.code, nameOf(block));
    });
  }
});

Deno.test("every YAML block uses settings that the program has", async (t) => {
  const variables = new Set(
    [...optionTree(STANDARD_PLUGINS).byPath.values()].map(({ variable }) => variable),
  );
  for (const block of blocksIn("yaml")) {
    await t.step(nameOf(block), () => {
      for (const text of block.code.split(/^---$/m)) {
        const document = parseYaml(text, { merge: true });
        const embedded = document.data?.["standin.toml"];
        if (embedded !== undefined) readConfig(embedded, nameOf(block));
        for (const { environment = {} } of Object.values<Service>(document.services ?? {})) {
          const unknown = Object.keys(environment).filter((name) => !variables.has(name));
          assertEquals(unknown, []);
        }
      }
    });
  }
});

/** A service of a compose file. */
interface Service {
  readonly environment?: Readonly<Record<string, unknown>>;
}

Deno.test("every agent configuration gives access to the tools", async (t) => {
  await using service = await startService();
  for (const block of blocksIn("json").filter(({ page }) => page === "docs/agents.md")) {
    await t.step(nameOf(block), async () => {
      const { mcpServers, servers } = JSON.parse(block.code);
      const { standin } = mcpServers ?? servers;
      const address = standin.url ?? standin.httpUrl;
      if (address === undefined) {
        // tests/cli/mcp_test.ts runs the command.
        assertEquals(standin, { command: "standin", args: ["mcp"] });
        return;
      }
      const answer = await fetch(address.replace("http://localhost:8811", service.api.url), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      const text = await answer.text();
      assertEquals(answer.status, 200, text);
      assert(text.includes("wait_for_event"), text);
    });
  }
});

Deno.test("every payload of the inbound callbacks is accepted by the application", async (t) => {
  const examples = blocksIn("json").filter(({ page }) => page === "docs/reference/callbacks.md");
  const blocks = [...examples, ...blocksIn("json").filter(({ page }) => page === "docs/mail.md")];
  await using application = startReceiver();
  await using hospital = await startService({ plugins: [hl7] });
  const mllp = `mllp://127.0.0.1:${hospital.endpoint("mllp").port}`;
  const inbound = Object.fromEntries(
    examples.map(({ code }) => JSON.parse(code).provider as string)
      .map((name) => [name, name === "mllp" ? mllp : `${application.url}/${name}`]),
  );
  await using service = await startService({
    config: { callbacks: { enabled: true, allow: ["http://127.0.0.1:*", mllp], inbound } },
  });
  for (const block of blocks) {
    await t.step(nameOf(block), async () => {
      const answer = await fetch(`${service.api.url}/api/v1/inbound?wait=true`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: block.code,
      });
      const text = await answer.text();
      assert(answer.ok, text);
      const [call] = JSON.parse(text).calls;
      assertEquals(call.attempts.at(-1)?.status, 200, text);
    });
  }
  assertEquals(application.received.length, blocks.length - 1);
});

Deno.test("the configurations for library users name existing exports", async () => {
  const { exports, unstable } = JSON.parse(await Deno.readTextFile("deno.json"));
  const blocks = blocksIn("json").filter(({ page }) => page === "docs/library.md");
  assertEquals(blocks.length, 2);
  for (const block of blocks) {
    const config = JSON.parse(block.code);
    for (const name of config.unstable) assert(unstable.includes(name), name);
  }
  assertEquals(Object.keys(exports).slice(0, 1), ["."]);
});

Deno.test("the list of stories has the form that its page shows", async () => {
  const [block, ...others] = blocksIn("json").filter(({ page }) => page === "docs/stories.md");
  assert(block !== undefined && others.length === 0);
  await using service = await startService();
  await sendWithTrace(`${service.ingress.url}/emails`, {
    from: "a@example.com",
    to: "b@example.com",
    subject: "Welcome",
    text: "Hello",
  });
  await sendWithTrace(`${service.ingress.url}/services/T0/B0/x`, { text: "Hello" });
  const list = await service.getJson("/stories?min_events=2");
  assertFits(JSON.parse(block.code), list, "the answer");
});

async function sendWithTrace(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: "Bearer re_any",
      "content-type": "application/json",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    },
    body: JSON.stringify(body),
  });
  assertEquals(answer.status, 200, await answer.text());
}

/**
 * Fails unless everything shown is in the response, with a value of the same type; `…` means that
 * there is more.
 */
function assertFits(shown: unknown, actual: unknown, at: string): void {
  assertEquals(typeof actual, typeof shown, at);
  if (typeof shown !== "object" || shown === null) return;
  for (const [key, value] of Object.entries(shown)) {
    if (key === "…") continue;
    assertFits(value, (actual as Record<string, unknown>)[key], `${at}.${key}`);
  }
}

Deno.test("no JSON block is left out", () => {
  const read = [
    "docs/agents.md",
    "docs/reference/callbacks.md",
    "docs/library.md",
    "docs/mail.md",
    "docs/stories.md",
  ];
  const left = blocksIn("json").filter(({ page }) => !read.includes(page));
  assertEquals(left.map(nameOf), []);
});
