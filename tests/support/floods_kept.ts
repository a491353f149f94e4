/**
 * Clients that make the program store as much as possible besides events: templates, bot settings,
 * channels, views and expectations; and that render very many messages from a few of these.
 *
 * @module
 */
import { type Flood, type Flooded, hold, largest, portOf } from "./flood.ts";

const encoder = new TextEncoder();
const ANSWERED = /HTTP\/1\.1 \d{3} [^]*?\r\n\r\n/;

/** One request, whole. */
function request(head: string, body: string | Uint8Array): readonly [string, Uint8Array] {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return [`${head}\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes];
}

/** Sends requests in sequence, each created on demand. */
function requests(
  connections: number,
  listener: string,
  make: (number: number) => readonly [string, Uint8Array],
): Flood {
  return async (flooded) => {
    const port = await portOf(flooded, listener);
    let number = 0;
    await hold({ connections, port }, flooded, async (sender) => {
      for (;;) {
        const [head, body] = make(number++);
        await sender.send(head);
        await sender.send(body);
        await sender.until(ANSWERED);
      }
    });
  };
}

const JSON_HEAD = "HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
/** Beyond Latin-1: two bytes a character. */
const LONG = "Ωμέγα ".repeat(50_000);

/** Templates of four vendors, each in a separate account. */
const templates = requests(16, "ingress", (number) => {
  switch (number % 4) {
    case 0:
      return request(
        `POST /templates ${JSON_HEAD}\r\nX-Postmark-Server-Token: t${number}`,
        JSON.stringify({ Name: LONG, Subject: "x", HtmlBody: LONG }),
      );
    case 1:
      return request(
        `POST /v3/d${number}.example/templates HTTP/1.1\r\nHost: localhost\r\n` +
          "Authorization: Basic YXBpOmtleQ==\r\nContent-Type: application/x-www-form-urlencoded",
        new URLSearchParams({ name: "x", description: LONG, template: LONG }).toString(),
      );
    case 2:
      return request(
        `POST /v2/email/templates ${JSON_HEAD}`,
        JSON.stringify({
          TemplateName: `t${number}`,
          TemplateContent: { Subject: "x", Html: LONG.slice(0, 200_000), Text: LONG },
        }),
      );
    default:
      return request(
        `POST /v3/smtp/templates ${JSON_HEAD}\r\napi-key: k${number}`,
        JSON.stringify({
          sender: { email: "a@example.org" },
          templateName: LONG,
          subject: LONG,
          htmlContent: LONG,
        }),
      );
  }
});

/** Calls whose versions render to five million characters each. */
const renderings: Flood = async (flooded) => {
  const value = "x".repeat(Math.min(50_000, largest(flooded, 1_000_000)));
  const body = JSON.stringify({
    sender: { email: "a@example.org" },
    subject: "much",
    htmlContent: "{% for one in params.list %}{{ params.value }}{% endfor %}",
    params: { list: Array(100).fill(0), value },
    messageVersions: Array.from({ length: 500 }, () => ({ to: [{ email: "b@example.org" }] })),
  });
  await requests(
    8,
    "ingress",
    () => request(`POST /v3/smtp/email ${JSON_HEAD}\r\napi-key: k`, body),
  )(flooded);
};

const KEY = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${btoa("key:secret")}` +
  "\r\nContent-Type: application/json";
/** A loop over a list that writes a value each time. */
const LOOP = "{% for one in var:list %}{{var:value}}{% endfor %}";

/** Data for a template: five million characters. */
function modelOf(flooded: Flooded) {
  const value = "x".repeat(Math.min(50_000, largest(flooded, 1_000_000)));
  return { list: Array(100).fill(0), value };
}

/** Longest time in which the program may refuse for now, because of what came before, in milliseconds. */
const REFUSING_MS = 10_000;
const PAUSE_MS = 200;

/** Posts JSON, again while the vendor refuses for now, and returns the parsed response. */
async function post(
  flooded: Flooded,
  path: string,
  { body, authorization }: { body: unknown; authorization: string },
) {
  const endMs = performance.now() + REFUSING_MS;
  for (;;) {
    const response = await fetch(`${flooded.program.urls.ingress}${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const isForNow = [429, 503].includes(response.status) || text.includes("no room left");
    if (!isForNow || performance.now() > endMs) {
      throw new Error(`POST ${path}: ${response.status} ${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Fifty messages of a call, each with a body that is a template. */
const writtenByMailjet: Flood = async (flooded) => {
  const authorization = `Basic ${btoa("key:secret")}`;
  const create = { authorization, body: { Name: "much" } };
  const { Data: [{ ID }] } = await post(flooded, "/v3/REST/template", create);
  await post(flooded, `/v3/REST/template/${ID}/detailcontent`, {
    authorization,
    body: { "Html-part": LOOP },
  });
  const body = JSON.stringify({
    Globals: { From: { Email: "a@example.org" }, Subject: "much", Variables: modelOf(flooded) },
    Messages: Array.from({ length: 50 }, () => ({
      To: [{ Email: "b@example.org" }],
      TemplateID: ID,
      TemplateLanguage: true,
    })),
  });
  await requests(8, "ingress", () => request(`POST /v3.1/send ${KEY}`, body))(flooded);
};

/** A batch of a template with very many placeholders. */
const writtenByResend: Flood = async (flooded) => {
  const authorization = "Bearer re_1";
  const { id } = await post(flooded, "/templates", {
    authorization,
    body: {
      name: "much",
      from: "a@example.org",
      subject: "much",
      html: "{{{VALUE}}}".repeat(2500),
      variables: [{ key: "VALUE", type: "string", fallbackValue: "x" }],
    },
  });
  await post(flooded, `/templates/${id}/publish`, { authorization, body: {} });
  const email = {
    to: ["b@example.org"],
    template: { id, variables: { VALUE: "x".repeat(2000) } },
  };
  const body = JSON.stringify(Array(100).fill(email));
  const head = `POST /emails/batch ${JSON_HEAD}\r\nAuthorization: ${authorization}`;
  await requests(8, "ingress", () => request(head, body))(flooded);
};

/** Commands of bots. */
const bots = requests(16, "ingress", (number) =>
  request(
    `POST /bot${number}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/setMyCommands ${JSON_HEAD}`,
    JSON.stringify({
      commands: Array.from({ length: 100 }, (_, i) => ({
        command: `c${i}`,
        description: LONG.slice(0, 256),
      })),
    }),
  ));

/** Views of an app. */
const views = requests(16, "ingress", () =>
  request(
    `POST /api/views.open ${JSON_HEAD}\r\nAuthorization: Bearer xoxb-1`,
    JSON.stringify({
      trigger_id: "1",
      view: {
        type: "modal",
        title: { type: "plain_text", text: "x" },
        blocks: Array(100).fill({ type: "actions", elements: Array(95).fill({}) }),
        private_metadata: "m".repeat(3000),
      },
    }),
  ));

/** Responses that are scripted for webhooks. */
const answers = requests(16, "ui", (number) =>
  request(
    `POST /api/v1/webhook/answers ${JSON_HEAD}`,
    JSON.stringify({ name: `n${number}`, body: LONG }),
  ));

/** Pushes with topics of long endpoints. */
const topics = requests(16, "ingress", (number) =>
  request(
    `POST /wpush/v1/${
      "t".repeat(7000)
    }${number} HTTP/1.1\r\nHost: localhost\r\nTTL: 60\r\nTopic: t`,
    "",
  ));

/** Expectations that nothing will meet, of the maximum size. */
const expectations = requests(600, "ui", () =>
  request(
    `POST /api/v1/expect ${JSON_HEAD}`,
    JSON.stringify({
      order: Array(100).fill({ type: "mail.message", match: { subject: "m".repeat(9900) } }),
      timeout: "60s",
    }),
  ));

/** Bodies of the API that stop before their end. */
const apiBodies: Flood = async (flooded) => {
  const [head, body] = request(`POST /api/v1/inbound ${JSON_HEAD}`, " ".repeat(500_000));
  const port = await portOf(flooded, "ui");
  await hold({ connections: 500, port }, flooded, async (sender) => {
    await sender.send(head);
    await sender.send(body.subarray(1));
    await sender.until(ANSWERED);
  });
};

/** Floods by name of their target. */
export const KEPT_FLOODS: Readonly<Record<string, Flood>> = {
  templates,
  renderings,
  writtenByMailjet,
  writtenByResend,
  bots,
  views,
  answers,
  topics,
  expectations,
  "API bodies": apiBodies,
};
