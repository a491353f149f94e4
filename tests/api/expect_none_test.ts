/** `expect({ type, none: true })` means the same in the library, in the client and over HTTP. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ExpectationError, type Service, start } from "../../mod.ts";
import * as client from "../../plugins/client.ts";

type Mails = { readonly type: "mail.message"; readonly none: true; readonly timeoutMs?: number };

/** Returns the number of events and the message of a failed expectation; `undefined` if it held. */
type Told = { readonly events: number; readonly message: string } | undefined;

const SURFACES: Readonly<
  Record<string, (standin: Service) => (expectation: Mails) => Promise<Told>>
> = {
  library: (standin) => async (expectation) => {
    try {
      assertEquals(await standin.expect(expectation), []);
      return undefined;
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      return { events: error.verdict.events.length, message: error.message };
    }
  },
  client: (standin) => async (expectation) => {
    const { type, ...rest } = expectation;
    const asked = client.connect(standin.api.url);
    try {
      assertEquals(await asked.expect(expectation), []);
      assertEquals(await asked.expect(type, { ...rest, timeoutMs: 0 }), []);
      return undefined;
    } catch (error) {
      if (!(error instanceof client.ExpectationError)) throw error;
      return { events: error.verdict.events.length, message: error.message };
    }
  },
  HTTP: (standin) => async ({ timeoutMs, ...rest }) => {
    const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
    const answer = await fetch(`${standin.api.url}/api/v1/expect`, {
      method: "POST",
      body: JSON.stringify({ ...rest, ...timeout }),
    });
    const { met, events, error } = await answer.json();
    assertEquals(met, answer.status === 200);
    if (met) assertEquals(events, []);
    return met ? undefined : { events: events.length, message: error };
  },
};

async function send(standin: Service, subject: string): Promise<void> {
  const answer = await fetch(`${standin.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.com", to: "b@example.org", subject, text: "x" }),
  });
  assertEquals(answer.status, 200, await answer.text());
}

async function chat(standin: Service): Promise<void> {
  const url = `${standin.ingress.url}/services/T0/B0/x`;
  const answer = await fetch(url, { method: "POST", body: '{"text":"Hello"}' });
  assertEquals(answer.status, 200, await answer.text());
}

const NONE: Mails = { type: "mail.message", none: true };

for (const [name, surface] of Object.entries(SURFACES)) {
  Deno.test(`no event of a type is expected: ${name}`, async () => {
    await using standin = await start({ ports: 0, providers: ["mail3", "chat1"] });
    const expect = surface(standin);
    assertEquals(await expect(NONE), undefined);
    await chat(standin);
    assertEquals(await expect(NONE), undefined);
    assertEquals(await expect({ ...NONE, timeoutMs: 20 }), undefined);
    await send(standin, "Early");
    const told = await expect(NONE);
    assertEquals(told?.events, 1);
    assertStringIncludes(told!.message, "1 event matches, expected at most 0:\n  mail.message ");
    assertStringIncludes(told!.message, "Early");
  });

  Deno.test(`no event of a type is expected while one arrives: ${name}`, async () => {
    await using standin = await start({ ports: 0, providers: ["mail3", "chat1"] });
    const watching = surface(standin)({ ...NONE, timeoutMs: 60_000 });
    while (standin.events.watchers === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await chat(standin);
    await send(standin, "Late");
    const told = await watching;
    assertEquals(told?.events, 1);
    assertStringIncludes(told!.message, "Late");
  });

  Deno.test(`no event is expected of a type whose plugin does not run: ${name}`, async () => {
    await using standin = await start({ ports: 0, providers: ["chat1"] });
    await chat(standin);
    assertEquals(await surface(standin)(NONE), undefined);
  });
}
