import { assertEquals, assertRejects } from "@std/assert";
import { pluginChecks } from "../../core/plugin.ts";
import { findingsOf } from "./checks.ts";
import { withoutOutside } from "./offline.ts";

const ABOUT = { id: "toy.link", level: "info", about: "A dead link" } as const;

Deno.test("a check that fetches a link of an item is caught, even if it ignores failures", async () => {
  const curious = pluginChecks<unknown>({
    read: async () => {
      try {
        await fetch("http://127.0.0.1:9/");
      } catch { /* Dead. */ }
    },
    topics: [{ checks: [ABOUT], find: () => [] }],
  });
  await assertRejects(
    () => withoutOutside(() => findingsOf(curious, { payload: {} })),
    Error,
    "Reached outside: globalThis.fetch",
  );
});

Deno.test("a check that connects as the SpamAssassin check does is caught, too", async () => {
  const asking = pluginChecks<unknown>({
    read: (_event, ctx) =>
      ctx.connect("spamassassin", { timeoutMs: 1, signal: new AbortController().signal })
        .catch(() => {}),
    topics: [{ checks: [ABOUT], find: () => [] }],
  });
  await assertRejects(
    () => findingsOf(asking, { payload: {} }),
    Error,
    "Connected to spamassassin",
  );
});

Deno.test("DNS look-ups and file access are caught, and work again afterwards", async () => {
  for (
    const attempt of [
      () => Deno.resolveDns("example.org", "A"),
      () => Deno.connect({ port: 9 }),
      () => Deno.readTextFile(new URL("offline.ts", import.meta.url)),
    ]
  ) {
    await assertRejects(
      () => withoutOutside(() => Promise.resolve().then<unknown>(attempt).catch(() => {})),
      Error,
      "Reached outside: Deno.",
    );
  }
  assertEquals(await withoutOutside(() => Promise.resolve(1)), 1);
  await Deno.readTextFile(new URL("offline.ts", import.meta.url));
});
