/** The tools over stdio: lines in, lines out. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findInstance } from "../../core/cli/instance/instance.ts";
import { serveStdio } from "../../core/cli/mcp/stdio.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { startService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly content: readonly { text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Runs a program that reads `input`, and returns its responses. */
function serve(url: string, token?: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const answers: Answer[] = [];
  let heard: () => void = () => {};
  const tree = token === undefined ? {} : { api: { token } };
  const line = { texts: { url: [url] }, words: [], problems: [] };
  const ended = serveStdio(findInstance(line, resolveSettings([toy], { tree })), {
    plugins: [toy],
    input: readable,
    write(line) {
      answers.push(JSON.parse(line));
      heard();
    },
  });
  return {
    answers,
    send: (...lines: unknown[]) =>
      writer.write(
        new TextEncoder().encode(
          lines.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join(""),
        ),
      ),
    /** Resolves once there are that many responses. */
    async until(count: number): Promise<void> {
      while (answers.length < count) await new Promise<void>((resolve) => heard = resolve);
    },
    async end(): Promise<void> {
      await writer.close();
      await ended;
    },
  };
}

const call = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

Deno.test("each line is a message, and an invalid one does not end the session", async () => {
  await using service = await startService({ plugins: [toy] });
  const program = serve(service.api.url);
  await program.send("{", `"${"x".repeat(1_100_000)}"`, "", { jsonrpc: "2.0", method: "a/b" });
  await program.send({ jsonrpc: "2.0", id: "p", method: "ping" });
  await program.until(3);
  assertEquals(program.answers.map(({ id, error }) => [id, error?.code]), [
    [undefined, -32700],
    [undefined, -32600],
    ["p", undefined],
  ]);
  await program.end();
});

Deno.test("a wait can be cancelled, reserves its id, and does not block other requests", async () => {
  await using service = await startService({ plugins: [toy] });
  const program = serve(service.api.url);
  const wait = call(1, "wait_for_event", { timeout: "60s" });
  await program.send(wait, wait, call(2, "list_faults"));
  await program.until(2);
  assertEquals(program.answers.map(({ id }) => id), [1, 2]);
  assertStringIncludes(program.answers[0]?.error?.message ?? "", "unanswered");
  await program.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  await program.send(call(3, "list_faults"));
  await program.until(3);
  // Another one is still pending when the input ends.
  await program.send(call(4, "wait_for_event", { timeout: "60s" }));
  await program.end();
  assertEquals(program.answers.map(({ id }) => id), [1, 2, 3]);
});

Deno.test("without the instance or its token, the tools say what to do", async () => {
  const config = { api: { token: "secret" } };
  await using service = await startService({ plugins: [toy], config });
  const words = async (url: string, token?: string): Promise<string> => {
    const program = serve(url, token);
    await program.send(call(1, "list_events"));
    await program.until(1);
    await program.end();
    const { result } = program.answers[0]!;
    assertEquals(result?.isError ?? false, token === undefined);
    return result?.content[0]?.text ?? "";
  };
  assertStringIncludes(await words(service.api.url), "--api-token");
  assertStringIncludes(await words(service.api.url, "secret"), '"count":0');
  assert((await words("http://127.0.0.1:1")).includes("start it with standin serve"));
});
