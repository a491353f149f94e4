import { importsOf } from "./capture.ts";
import type { ProviderNames } from "./names.ts";

/**
 * Files of a new provider on the shared ingress, by path: it accepts a message as JSON, and answers
 * with its id.
 */
export function ingressFiles(names: ProviderNames): Map<string, string> {
  const folder = `plugins/${names.plugin}/${names.id}`;
  return new Map([
    [`${folder}/mod.ts`, moduleFile(names)],
    [`${folder}/handlers.ts`, handlersFile()],
    [`${folder}/send.ts`, sendFile(names)],
    [`${folder}/options.ts`, optionsFile(names)],
    [`${folder}/request.ts`, requestFile(names)],
    [`${folder}/request_test.ts`, requestTest(names)],
    [`${folder}/reply.ts`, replyFile(names)],
    [`${folder}/faults.ts`, faultsFile(names)],
    [`${folder}/subjects.ts`, subjectsFile(names)],
    [`${folder}/snippets.ts`, snippetsFile(names)],
  ]);
}

function moduleFile({ id, vendor, path, stateType, stateFrom }: ProviderNames): string {
  const imports = importsOf([{ names: [`type ${stateType}`], from: stateFrom }]);
  return `import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
${imports}import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { SEND_PATH, snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Takes messages as JSON over HTTP. */
export const ${id} = ingressProvider<${stateType}, typeof OPTIONS>({
  id: "${id}",
  title: "${vendor} API",
${
    vendor.toLowerCase() === id
      ? ""
      : `  shortTitle: "${vendor}",\n`
  }  about: "Takes POST ${path} with a message as JSON",
  options: OPTIONS,
  routes: [{
    method: "POST",
    path: SEND_PATH,
    about: "Send one message",
    handle: handler("send"),
  }],
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
});

function authorize({ headers }: IngressCall, { values }: Env): Response | undefined {
  if (values.api_key === undefined) return undefined;
  const given = readBearer(headers.get("authorization"));
  return matchesSecret(given, values.api_key) ? undefined : refuse(REFUSALS.wrongKey);
}
`;
}

function handlersFile(): string {
  return `/** The handlers, loaded on the first call. */
export { send } from "./send.ts";
`;
}

function sendFile({ path, capture }: ProviderNames): string {
  const imports = importsOf([{ names: [capture.name], from: "../capture.ts" }]);
  const [begin, wait, result] = capture.isAsync
    ? ["async ", "await ", "Promise<Response>"]
    : ["", "", "Response"];
  return `/** \`POST ${path}\` */
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
${imports}import type { Env } from "./options.ts";
import { answer, refuse, type Sent } from "./reply.ts";
import { readSend } from "./request.ts";

/** Captures each message. */
export ${begin}function send(call: IngressCall, env: Env): ${result} {
  const request = readSend(call.body, call.headers.get("content-type"));
  if (!request.ok) return refuse(request.refusal);
  const meta = { ...presentedCredentials(call.headers) };
  const sent: Sent[] = [];
  for (const draft of request.value) {
    const { id } = ${wait}${capture.name}(env, draft, { raw: call.raw, meta${capture.about} });
    sent.push({ id, draft });
  }
  return answer(sent);
}
`;
}

function optionsFile({ stateType, stateFrom }: ProviderNames): string {
  return `import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ${stateType} } from "${stateFrom}";

export const OPTIONS = defineOptions({
  api_key: optionalText("API key that requests must carry; by default any is accepted", {
    secret: true,
  }),
});

export type Env = ProviderEnv<typeof OPTIONS, ${stateType}>;
`;
}

function requestFile({ path, capture }: ProviderNames): string {
  const imports = importsOf(capture.imports, [capture.name]);
  const draft = capture.draft({ from: "from", to: "to", text: "text" })
    .replace(/\b(\w+): \1\b/g, "$1");
  return `/**
 * The body of \`POST ${path}\`, read with the vendor's own checks in the vendor's order. Pure.
 *
 * @module
 */
import { JsonFields, Violations } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { failure, type Result, success } from "../../../core/result.ts";
${imports}import { invalid, REFUSALS, type VendorRefusal } from "./reply.ts";

/** Maximum number of violations reported: a hostile body can have millions. */
const MAX_VIOLATIONS = 50;

/** Reads a body into drafts to capture, one for each recipient. Never throws. */
export function readSend(
  body: Uint8Array,
  contentType: string | null,
): Result<readonly ${capture.draftType}[], VendorRefusal> {
  const json = readJson(body, contentType);
  if (!json.ok || !isJsonObject(json.value)) return failure(REFUSALS.badJson);
  const violations = new Violations(MAX_VIOLATIONS);
  const fields = new JsonFields(json.value, {
    report: (path, message) => violations.add(path, message),
    wrongType: (expected) => \`must be of type \${expected}\`,
  });
  const from = readText(fields, "from");
  const to = readText(fields, "to");
  const text = readText(fields, "text");
  if (violations.found.length > 0) return failure(invalid(violations.found));
  return success([${draft}]);
}

function readText(fields: JsonFields, name: string): string {
  if (fields.value(name) === undefined) fields.report(name, "is required");
  return fields.text(name) ?? "";
}
`;
}

function requestTest({ id }: ProviderNames): string {
  return `import { assertEquals } from "@std/assert";
import { readSend } from "./request.ts";
import { EXAMPLE } from "./snippets.ts";

function isTaken(body: unknown): boolean {
  return readSend(new TextEncoder().encode(JSON.stringify(body)), "application/json").ok;
}

const cases: [what: string, body: unknown, taken: boolean][] = [
  ["a whole message", EXAMPLE, true],
  ["an array", [], false],
];
for (const name of Object.keys(EXAMPLE)) {
  cases.push([\`a message without \${name}\`, { ...EXAMPLE, [name]: null }, false]);
  cases.push([\`\${name} of a wrong type\`, { ...EXAMPLE, [name]: 1 }, false]);
}

for (const [what, body, taken] of cases) {
  Deno.test(\`${id} \${taken ? "takes" : "refuses"} \${what}\`, () => {
    assertEquals(isTaken(body), taken);
  });
}
`;
}

function replyFile({ vendor, capture }: ProviderNames): string {
  const draft = importsOf([{ names: [`type ${capture.draftType}`], from: "../capture.ts" }]);
  return `/**
 * Answers of ${vendor}, word for word as the vendor's pages have them. Pure.
 *
 * @module
 */
import type { Violation } from "../../../core/codec/json_fields.ts";
import { vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
${draft}
/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  wrongKey: { status: 401, message: "The API key is missing or wrong" },
  badJson: { status: 400, message: "The body must be a JSON object" },
  rateLimit: { status: 429, message: "Too many requests" },
  internal: { status: 500, message: "An internal error" },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Refuses a message that cannot be used. */
export function invalid(violations: readonly Violation[]): VendorRefusal {
  const message = violations.map(({ field, message }) => \`\${field} \${message}\`).join("; ");
  return { status: 400, message };
}

/** A refusal of core, in the vendor's words. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  if (kind === "busy") return REFUSALS.rateLimit;
  if (kind === "internal") return REFUSALS.internal;
  return { status, message };
}

/** A captured message. */
export interface Sent {
  /** Id of its event. */
  readonly id: string;
  readonly draft: ${capture.draftType};
}

/** The response to a call, with what it sent. */
export function answer(sent: readonly Sent[]): Response {
  return vendorJson({ id: sent[0]?.id });
}

/** A refusal in the vendor's form. */
export function refuse({ status, message }: VendorRefusal): Response {
  return vendorJson({ error: message }, { status });
}
`;
}

function faultsFile({ vendor, stateType, stateFrom }: ProviderNames): string {
  const imports = importsOf([{ names: [`type ${stateType}`], from: stateFrom }]);
  return `/** Faults of ${vendor}, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults } from "../../../core/plugin.ts";
${imports}import type { OPTIONS } from "./options.ts";
import { REFUSALS, refuse, type VendorRefusal } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

/** The vendor's page of its errors. */
const ERRORS = "https://vendor.example/errors";

const refusal = (refusal: VendorRefusal) => () => refuse(refusal);

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, ${stateType}> = {
  phases: { capture: "A message to send: payload is the message" },
  subjects: called("subjectsOf"),
  outcomes: [
    {
      id: "rate_limit",
      about: "429: too many requests",
      source: ERRORS,
      answer: refusal(REFUSALS.rateLimit),
    },
    {
      id: "unauthorized",
      about: "401: the API key is wrong",
      source: ERRORS,
      answer: refusal(REFUSALS.wrongKey),
    },
    {
      id: "server_error",
      about: "500: an internal error",
      source: ERRORS,
      answer: refusal(REFUSALS.internal),
    },
  ],
};
`;
}

function subjectsFile({ capture: { subject } }: ProviderNames): string {
  return `/** What a call would capture, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
${importsOf([subject])}import { readSend } from "./request.ts";

export function subjectsOf({ body, headers }: IngressCall): readonly Omit<FaultSubject, "raw">[] {
  const request = readSend(body, headers.get("content-type"));
  return request.ok ? request.value.map((draft) => ${subject.names[0]}(draft)) : [];
}
`;
}

function snippetsFile({ path, capture }: ProviderNames): string {
  const { from, to } = capture.example;
  return `import type { Endpoint, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** Path of the call. */
export const SEND_PATH = "${path}";

/** A message as clients send it, with required members only. Snippets and tests use it. */
export const EXAMPLE = { from: "${from}", to: "${to}", text: "Hello" };

/** Runnable snippets; any key does unless one is pinned. */
export function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const key = values.api_key === undefined ? "any-key" : "<api_key>";
  return [{
    title: "Send one message with curl",
    lang: "sh",
    code: \`curl -sS \${at.url}\${SEND_PATH} \\\\
  -H 'Authorization: Bearer \${key}' \\\\
  -H 'Content-Type: application/json' \\\\
  -d '\${JSON.stringify(EXAMPLE)}'\`,
  }];
}
`;
}
