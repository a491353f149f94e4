/** When SpamAssassin scans a mail. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import type { Finding } from "../../mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const ANSWER = "SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.0 / 5.0\r\n\r\n";

/** Counts connections to a spamd that reports everything as spam. */
function fakeSpamd() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const state = { connections: 0 };
  const serving = (async () => {
    for await (const conn of listener) {
      state.connections++;
      await conn.read(new Uint8Array(65_536));
      await conn.write(new TextEncoder().encode(ANSWER));
      conn.close();
    }
  })();
  return {
    port: listener.addr.port,
    state,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

async function send(service: TestService): Promise<string> {
  const answer = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_123", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.org", to: "b@example.org", subject: "c", text: "d" }),
  });
  assertEquals(answer.status, 200, await answer.text());
  return (await service.getJson<{ id: string }[]>("/events"))[0]!.id;
}

const spamIn = async (service: TestService, id: string) =>
  (await service.getJson<{ checks: Finding[] }>(`/events/${id}/checks`)).checks
    .filter((finding) => finding.id.startsWith("mail.spam"));

Deno.test("SpamAssassin is asked once, and only when the checks are requested", async () => {
  await using spamd = fakeSpamd();
  const config = { plugins: { mail: { spamassassin: `localhost:${spamd.port}` } } };
  await using service = await startService({ plugins: [mail], config });
  const id = await send(service);
  assertEquals(spamd.state.connections, 0);
  for (let n = 0; n < 2; n++) {
    assertEquals((await spamIn(service, id)).map((one) => one.id), ["mail.spam"]);
  }
  assertEquals(spamd.state.connections, 1);
});

Deno.test("without the setting SpamAssassin is not asked", async () => {
  await using spamd = fakeSpamd();
  const dial = Deno.connect;
  const dialled: unknown[] = [];
  // Used only by the service, not by `fetch`.
  Deno.connect = ((options: Deno.ConnectOptions) => {
    dialled.push(options);
    return dial(options);
  }) as typeof Deno.connect;
  try {
    await using service = await startService({ plugins: [mail] });
    assertEquals(await spamIn(service, await send(service)), []);
    assertEquals(dialled, []);
  } finally {
    Deno.connect = dial;
  }
  assertEquals(spamd.state.connections, 0);
});

Deno.test("an unreachable SpamAssassin is a note beside the other findings", async () => {
  let port: number;
  {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    port = listener.addr.port;
  }
  await using service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { spamassassin: `127.0.0.1:${port}` } } },
  });
  const [note] = await spamIn(service, await send(service));
  assertEquals([note?.id, note?.level], ["mail.spam_unknown", "info"]);
  assert(note?.message.startsWith("SpamAssassin did not answer: "), note?.message);
});

Deno.test("a remote SpamAssassin must be allowed", () => {
  const tree = (allow?: readonly string[], spamassassin = "scanner.example:1783") => ({
    plugins: { mail: { spamassassin } },
    ...(allow === undefined ? {} : { callbacks: { allow } }),
  });
  for (const other of ["127.0.0.1.example:783", "localhost.example:783", "[::2]:783"]) {
    assertThrows(
      () => resolveSettings([mail], { tree: tree(undefined, other) }),
      ConfigError,
      "it is on another machine",
    );
  }
  for (const own of ["127.1.2.3", "[::1]:783", "spam.localhost:783"]) {
    resolveSettings([mail], { tree: tree(undefined, own) });
  }
  assertThrows(
    () => resolveSettings([mail], { tree: tree() }),
    ConfigError,
    'add "spamd://scanner.example:1783" to [callbacks] allow',
  );
  const settings = resolveSettings([mail], { tree: tree(["spamd://scanner.example:1783"]) });
  assertEquals(settings.plugins.get("mail")?.values.spamassassin, "scanner.example:1783");
  for (const bad of ["http://localhost:783", "localhost:0", "localhost:99999", "a b"]) {
    assertThrows(
      () =>
        resolveSettings([mail], {
          env: (name) => name === "SERVICE_MAIL_SPAMASSASSIN" ? bad : undefined,
        }),
      ConfigError,
      "expected host:port, such as localhost:783 or [::1]:783",
    );
  }
});
