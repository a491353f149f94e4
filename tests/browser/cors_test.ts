/** A page of an origin in `[api] cors_origins` can read captured data; no other page can. */
import { assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { sendMail } from "../support/browser.ts";
import { foreignSiteTest, type Visit } from "../support/foreign_site.ts";

const TOKEN = "sesame-42";

/** Result of `fetch`: the status that the page sees, or `hidden`. */
function ask({ service, page }: Visit, path: string, init: unknown = {}): Promise<number | string> {
  return page.evaluate(
    `fetch("${service.api.url}/api/v1${path}", ${JSON.stringify(init)})
      .then((answer) => answer.status, () => "hidden")`,
  );
}

foreignSiteTest(
  "a page of a listed origin can read, also with a token, and write nothing",
  async (visit) => {
    const { service, page } = visit;
    const headers = { authorization: `Bearer ${TOKEN}` };
    await sendMail(service, { subject: "Read me" });
    assertEquals(await ask(visit, "/health"), 200);
    assertEquals(await ask(visit, "/events"), 401);
    assertEquals(await ask(visit, "/events", { headers }), 200);
    const subjects = await page.evaluate<string[]>(
      `fetch("${service.api.url}/api/v1/mail/messages", ${JSON.stringify({ headers })})
        .then((answer) => answer.json()).then((list) => list.map(({ message }) => message.subject))`,
    );
    assertEquals(subjects, ["Read me"]);
    for (const method of ["DELETE", "POST"]) {
      assertEquals(await ask(visit, "/events", { method, headers }), "hidden");
    }
    assertEquals(service.events.count(), 1);
    // Another page of the same site, on another name.
    const other = await visit.visit("other.example");
    assertEquals(await ask({ ...visit, page: other }, "/health"), "hidden");
    assertEquals(await ask({ ...visit, page: other }, "/events", { headers }), "hidden");
  },
  {
    plugins: [mail],
    configFor: (origin) => ({ api: { cors_origins: [origin], token: TOKEN } }),
  },
);

foreignSiteTest(
  "a page of a listed origin can follow the stream",
  async (visit) => {
    const { service, page } = visit;
    await page.evaluate(`new Promise((open) => {
      window.types = [];
      const stream = new EventSource("${service.api.url}/api/v1/events/stream");
      stream.onopen = () => open(0);
      stream.addEventListener("mail.message", () => window.types.push("mail"));
    })`);
    await sendMail(service);
    await page.evaluate(`new Promise((done) => {
      const look = () => window.types.length > 0 ? done(0) : setTimeout(look, 20);
      look();
    })`);
    assertEquals(service.rejected.list(), []);
  },
  { plugins: [mail], configFor: (origin) => ({ api: { cors_origins: [origin] } }) },
);

foreignSiteTest(
  "without the setting no page of another origin can read",
  async (visit) => {
    assertEquals(await ask(visit, "/health"), "hidden");
  },
  { plugins: [mail] },
);
