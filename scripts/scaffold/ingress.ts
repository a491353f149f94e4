import { authNames, authOptions, authorizeFunction, valueCode } from "./auth.ts";
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

function moduleFile({ id, vendor, stateType, stateFrom }: ProviderNames): string {
  const imports = importsOf([{ names: [`type ${stateType}`], from: stateFrom }]);
  const { name, docs, path, host, auth } = vendor;
  return `/** ${id}: the API of ${name}, ${docs} */
import { ${authNames(auth).join(", ")} } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
${imports}import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { example, snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** The ${name} provider. */
export const ${id} = ingressProvider<${stateType}, typeof OPTIONS>({
  id: "${id}",
  title: ${JSON.stringify(`${name} API`)},
  shortTitle: ${JSON.stringify(name)},
  about: ${JSON.stringify(`Messages sent through the API of ${name}`)},
${host === undefined ? "" : `  vendorHosts: ["${host}"],\n`}\
  options: OPTIONS,
  routes: [{
    method: "POST",
    path: "${path}",
    about: "Send a message",
    handle: handler("send"),
  }],
  authorize,
  refuse: (_call, refusal, env) => refuse(toVendorRefusal(refusal), env),
  example,
  snippets,
  faults: FAULTS,
});

${authorizeFunction(auth)}`;
}

function handlersFile(): string {
  return `/** The handlers, loaded on the first call. */
export { send } from "./send.ts";
`;
}

function sendFile({ vendor, capture }: ProviderNames): string {
  const imports = importsOf([{ names: [capture.name], from: "../capture.ts" }]);
  const [begin, wait, result] = capture.isAsync
    ? ["async ", "await ", "Promise<Response>"]
    : ["", "", "Response"];
  return `/** \`POST ${vendor.path}\` */
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
${imports}import type { Env } from "./options.ts";
import { answer, newId, refuse, type Sent } from "./reply.ts";
import { readSend } from "./request.ts";

/** Captures the messages. */
export ${begin}function send(call: IngressCall, env: Env): ${result} {
  const request = readSend(call.body, call.headers.get("content-type"));
  if (!request.ok) return refuse(request.refusal, env);
  const sent: Sent[] = [];
  for (const draft of request.value.drafts) {
    const message_id = newId(env);
    const meta = { ...request.value.meta, message_id, ...presentedCredentials(call.headers) };
    ${wait}${capture.name}(env, draft, { raw: call.raw, meta${capture.about} });
    sent.push({ message_id, draft });
  }
  return answer(sent, env);
}
`;
}

function optionsFile({ vendor, stateType, stateFrom }: ProviderNames): string {
  return `import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { ${stateType} } from "${stateFrom}";

export const OPTIONS = defineOptions({
${authOptions(vendor.auth)}});

export type Env = ProviderEnv<typeof OPTIONS, ${stateType}>;
`;
}

function requestFile({ vendor, capture }: ProviderNames): string {
  const imports = importsOf(capture.imports, [capture.name]);
  const draft = capture.draft({ from: "from", to: "to", text: "text" })
    .replace(/\b(\w+): \1\b/g, "$1");
  return `/**
 * The body of \`POST ${vendor.path}\`, read with the vendor's checks in the vendor's order. Pure.
 * ${vendor.docs}
 *
 * @module
 */
import { JsonFields, Violations } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { failure, type Result, success } from "../../../core/result.ts";
${imports}import { invalid, REFUSALS, type VendorRefusal } from "./reply.ts";

/** What a request asks for. */
export interface SendRequest {
  /** Messages to capture: one for each recipient whose id the response has. */
  readonly drafts: readonly ${capture.draftType}[];
  /** Members that the plugin's model lacks. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Maximum number of violations reported: a hostile body can have millions. */
const MAX_VIOLATIONS = 50;

/** Reads a body. Never throws. */
export function readSend(
  body: Uint8Array,
  contentType: string | null,
): Result<SendRequest, VendorRefusal> {
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
  return success({ drafts: [${draft}], meta: {} });
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
  const draft = { names: [`type ${capture.draftType}`], from: "../capture.ts" };
  return `/**
 * Responses of ${vendor.name}, word for word as the vendor's pages have them.
 *
 * @module
 */
import type { Violation } from "../../../core/codec/json_fields.ts";
import { vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
${importsOf([draft])}import type { Env } from "./options.ts";

/** The vendor's page of its errors. */
export const ERRORS = "${vendor.docs}";

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

${answerCode(capture.draftType)}/** A refusal in the vendor's form. */
export function refuse({ status, message }: VendorRefusal, { ctx }: Env): Response {
  return vendorJson({ request_id: ctx.uuid(), error: message }, { status });
}
`;
}

/** The part of `reply.ts` about what was sent. */
function answerCode(draftType: string): string {
  return `/** An id of a message, in the vendor's form. */
export function newId({ ctx }: Env): string {
  return ctx.uuid();
}

/** A captured message. */
export interface Sent {
  /** Its id in the response, which is also in \`meta\` of the event. */
  readonly message_id: string;
  readonly draft: ${draftType};
}

/** The response to a call, with what it sent. */
export function answer(sent: readonly Sent[], { ctx }: Env): Response {
  return vendorJson({ request_id: ctx.uuid(), ids: sent.map(({ message_id }) => message_id) });
}

`;
}

function faultsFile({ vendor, stateType, stateFrom }: ProviderNames): string {
  const imports = importsOf([{ names: [`type ${stateType}`], from: stateFrom }]);
  return `/** Faults of ${vendor.name}, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import type { HttpFaults } from "../../../core/plugin.ts";
${imports}import type { Env, OPTIONS } from "./options.ts";
import { ERRORS, REFUSALS, refuse, type VendorRefusal } from "./reply.ts";

const called = onDemand(() => import("./subjects.ts"));

const outcome = (id: string, refusal: VendorRefusal, what: string) => ({
  id,
  about: \`\${refusal.status}: \${what}\`,
  source: ERRORS,
  answer: ({ env }: { readonly env: Env }) => refuse(refusal, env),
});

/** Outcomes of every call. */
export const FAULTS: HttpFaults<typeof OPTIONS, ${stateType}> = {
  phases: { capture: "A message to send: payload is the message" },
  subjects: called("subjectsOf"),
  outcomes: [
    outcome("rate_limit", REFUSALS.rateLimit, "too many requests"),
    outcome("unauthorized", REFUSALS.wrongKey, "the key is missing or wrong"),
    outcome("server_error", REFUSALS.internal, "an internal error"),
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
  return request.ok ? request.value.drafts.map((draft) => ${subject.names[0]}(draft)) : [];
}
`;
}

function snippetsFile({ vendor, capture }: ProviderNames): string {
  const { path, auth: { keys, header: [field, value] } } = vendor;
  const { from, to } = capture.example;
  const basic = value.startsWith("writeBasic(")
    ? 'import { writeBasic } from "../../../core/http/auth.ts";\n'
    : "";
  return `${basic}import type { Endpoint, ExampleCall, Snippet, Values } from "../../../core/plugin.ts";
import type { OPTIONS } from "./options.ts";

/** A message as clients send it, with required members only. */
export const EXAMPLE = { from: "${from}", to: "${to}", text: "Hello" };

/** The call that sends it: for curl, \`standin demo\` and tests. Any key will do unless one is configured. */
export function example(values: Values<typeof OPTIONS>): ExampleCall {
  return {
    path: ${pathCode(path, keys)},
    headers: {
      "content-type": "application/json",
      ${/-/.test(field) ? `"${field}"` : field}: ${value},
    },
    body: JSON.stringify(EXAMPLE),
  };
}

/** Snippets for the vendor's SDKs; the one for curl comes from the example. */
export function snippets(_at: Endpoint, _values: Values<typeof OPTIONS>): readonly Snippet[] {
  return [];
}
`;
}

/** Code for a path with its parameters: the option of the same name, or any text. */
function pathCode(path: string, keys: readonly string[]): string {
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => keys.includes(name) ? `\${encodeURIComponent(${valueCode(name)})}` : "any",
  );
  return filled.includes("${") ? `\`${filled}\`` : `"${filled}"`;
}
