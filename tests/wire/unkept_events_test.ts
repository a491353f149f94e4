/**
 * Nothing is acknowledged before the log has stored it; if the log refuses an event, every protocol
 * answers with a temporary error.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { LogWriteError } from "../../core/errors.ts";
import type { EventLog, LogFollower, LogRecord } from "../../core/events/log.ts";
import type { Service } from "../../core/app/service.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { startService } from "../support/service.ts";

/** Keeps or refuses each record on request. */
class HeldLog implements EventLog {
  /** Records that wait; refused if an error is given. */
  readonly waiting: ((error?: LogWriteError) => void)[] = [];
  refuses = false;
  readonly writable = true;
  readonly shared = false;
  #follower: LogFollower = () => {};

  follow(follower: LogFollower): undefined {
    this.#follower = follower;
  }

  append(record: LogRecord): Promise<void> {
    if (this.refuses) return Promise.reject(new LogWriteError("Cannot keep it: the disk is full"));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.push((error) => {
      if (error !== undefined) return reject(error);
      this.#follower(record);
      resolve();
    });
    return promise;
  }

  trim(): void {}

  last(): Promise<void> | undefined {
    return this.refuses ? Promise.reject(new LogWriteError("The disk is full")) : undefined;
  }
}

function follow({ events }: Service, log: EventLog): void {
  assert(events instanceof MemoryEventStore);
  events.follow(log);
}

/** Response of each provider when the log refuses. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "mail/mail1": /503.*"StatusCode":503/,
  "mail/mail2": /503.*"errors"/,
  "mail/mail3": /503.*"application_error"/,
  "mail/smtp": /451 4\.3\.0/,
  "sms/sms1": /503.*"code":20503/,
  "chat/chat1": /503.*service_unavailable/,
  "chat/chat2": /503/,
  "files/ftp": /452/,
  "files/sftp": /Cannot keep it/,
  "files/tftp": /error 3/,
  "files/nfs": /JUKEBOX/,
  "s3/http": /503.*SlowDown/,
  "push/push1": /503.*UNAVAILABLE/,
  "push/push2": /503.*ServiceUnavailable/,
  "as2/http": /503/,
  "snmp/trap": /timed out/,
};

Deno.test("every protocol temporarily refuses what the log refuses, and records it", async () => {
  await using service = await startService({ logLevel: "error" });
  const log = new HeldLog();
  log.refuses = true;
  follow(service, log);
  const { stderr } = await runToEnd(["demo", "--url", service.api.url], {
    plugins: STANDARD_PLUGINS,
  });
  const lines = stderr.split("\n");
  for (const [provider, expected] of Object.entries(REFUSED)) {
    const own = lines.filter((line) => line.includes(`Cannot send to ${provider} `));
    assert(own.length > 0, `${provider} took its samples`);
    for (const line of own) assertMatch(line, expected);
  }
  assertEquals(service.events.count(), 0);
  const noted = new Set(service.rejected.list().map(({ provider }) => provider));
  const providers = [...Object.keys(REFUSED).map((name) => name.split("/")[1]!), "mllp"];
  assertEquals(providers.filter((provider) => !noted.has(provider)), []);
  const url = `${service.api.url}/api/v1/events`;
  const deletion = await fetch(url, { method: "DELETE" });
  assertEquals([deletion.status, await deletion.json()], [503, { error: "The disk is full" }]);
});

Deno.test("HL7 answers AE, not AR, when the log refuses: the message may be sent again", async () => {
  await using service = await startService({ logLevel: "error" });
  const log = new HeldLog();
  log.refuses = true;
  follow(service, log);
  using conn = await Deno.connect({ port: service.endpoint("mllp").port });
  const message = "MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\rPID|1\r";
  await conn.write(new TextEncoder().encode(`\x0b${message}\x1c\r`));
  const buffer = new Uint8Array(4096);
  const answer = new TextDecoder().decode(buffer.subarray(0, await conn.read(buffer) ?? 0));
  assertMatch(answer, /MSA\|AE\|1/);
});

/** Sends a mail over a version of HTTP; resolves with the response. */
async function sendMail({ ingress }: Service, version: "1.1" | "2"): Promise<Response> {
  using client = Deno.createHttpClient({ http1: version === "1.1", http2: version === "2" });
  const response = await fetch(`${ingress.url}/v3/mail/send`, {
    client,
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.x" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.org" },
      subject: "Held back",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
  return new Response(await response.text() || null, response);
}

for (const version of ["1.1", "2"] as const) {
  Deno.test(`over HTTP/${version}, an answer waits for the log, and lists have the event by then`, async () => {
    await using service = await startService({ logLevel: "error" });
    const log = new HeldLog();
    follow(service, log);
    let isAnswered = false;
    const sent = sendMail(service, version).finally(() => isAnswered = true);
    while (log.waiting.length === 0) await service.getJson("/health");
    // Other responses of the same program overtake it, which proves that it waits.
    for (let i = 0; i < 20; i++) await service.getJson("/health");
    assertEquals([isAnswered, service.events.count()], [false, 0]);
    log.waiting.shift()!();
    const { status, headers } = await sent;
    assertEquals(status, 202);
    const [event] = service.events.list({});
    assertEquals(event?.raw.http_version, version);
    assertEquals(headers.get("x-service-event-url")?.split("/").at(-1), event?.id);
  });

  Deno.test(`over HTTP/${version}, what the log refuses later is not acknowledged`, async () => {
    await using service = await startService({ logLevel: "error" });
    const log = new HeldLog();
    follow(service, log);
    const sent = sendMail(service, version);
    while (log.waiting.length === 0) await service.getJson("/health");
    log.waiting.shift()!(new LogWriteError("Cannot keep it: the disk is full"));
    const response = await sent;
    assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
    assertEquals(response.headers.get("x-service-event-url"), null);
    assertMatch(await response.text(), /the disk is full/);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list().map(({ status }) => status), [503]);
  });
}
