/** The structure of the program: imports between parts, and required lists. */
import { assert, assertEquals } from "@std/assert";
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { checkImport } from "../scripts/lint/table.ts";
import { ASSETS } from "../ui/assets.ts";
import { findCycle, loadedWith, readGraph } from "../scripts/architecture/graph.ts";

const ROOT = new URL("../", import.meta.url);
const GRAPH = await readGraph(ROOT, ["main.ts", "mod.ts", "core/plugin.ts"]);

/** Exports of `mod.ts`. A change here is a change of the public interface: add it to CHANGELOG.md. */
const PUBLIC_NAMES: readonly string[] = [
  "AddedFault",
  "Address",
  "AnyPlugin",
  "As2CertInfo",
  "As2CompressionInfo",
  "As2Encryption",
  "As2Filter",
  "As2Issue",
  "As2Layer",
  "As2LayerKind",
  "As2MdnRecord",
  "As2Message",
  "As2Mic",
  "As2MicCoverage",
  "As2Payload",
  "As2ReceiptRequest",
  "As2RecipientInfo",
  "As2Security",
  "As2Severity",
  "As2Signature",
  "Attachment",
  "Author",
  "BlobRef",
  "CallAttempt",
  "CallRecord",
  "CallState",
  "CallWait",
  "CallbacksOffError",
  "CapturedEvent",
  "ChannelRef",
  "ChatChange",
  "ChatFile",
  "ChatFilter",
  "ChatMessage",
  "ChatState",
  "CheckLevel",
  "CheckPlace",
  "ClearOptions",
  "ClientCertificate",
  "Clock",
  "Condition",
  "ConfigError",
  "Content",
  "CountRange",
  "Endpoint",
  "EventFilter",
  "EventPattern",
  "EventStore",
  "Expectation",
  "ExpectationError",
  "Extract",
  "FaultRule",
  "FieldReport",
  "FileOperation",
  "Finding",
  "HeaderPairs",
  "Hl7Ack",
  "Hl7AckCode",
  "Hl7Batch",
  "Hl7Component",
  "Hl7Field",
  "Hl7Filter",
  "Hl7Header",
  "Hl7Issue",
  "Hl7Message",
  "Hl7Repetition",
  "Hl7Segment",
  "Hl7Separators",
  "ListOptions",
  "MailFilter",
  "MailMessage",
  "NearMiss",
  "NoFilters",
  "Operators",
  "Page",
  "PushAlert",
  "PushDelivery",
  "PushExpiry",
  "PushFilter",
  "PushKind",
  "PushLocalization",
  "PushMessage",
  "PushPayload",
  "PushPayloadFormat",
  "PushPriority",
  "PushTarget",
  "PushTargetKind",
  "PushTargetSource",
  "RawRecord",
  "RejectedFilter",
  "RejectedJournal",
  "S3Encryption",
  "S3Operation",
  "S3Retention",
  "Segments",
  "SentCalls",
  "Service",
  "SmsFilter",
  "SmsMedia",
  "SmsMessage",
  "SmsState",
  "SnmpTrap",
  "SnmpV1",
  "SnmpV2",
  "SnmpV3",
  "SnmpVarbind",
  "StandardFilters",
  "StandardFiltersOf",
  "StandardPayloads",
  "Standin",
  "StartOptions",
  "StoryLink",
  "StoryOptions",
  "StreamItem",
  "SummaryParts",
  "TextFilter",
  "TimeoutError",
  "ToldStory",
  "Verdict",
  "WaitOptions",
  "WebhookFilter",
  "WebhookPart",
  "WebhookRequest",
  "as2",
  "chat",
  "files",
  "hl7",
  "mail",
  "push",
  "s3",
  "sms",
  "snmp",
  "start",
  "webhook",
];

Deno.test("every import obeys the layers", () => {
  const breaches = GRAPH.flatMap(({ from, to }) => {
    const breach = checkImport(from, to);
    return breach === undefined ? [] : [`${from}: ${breach.message}`];
  });
  assertEquals(breaches, []);
});

Deno.test("the graph holds every file of the program", () => {
  const files = new Set(GRAPH.map(({ from }) => from));
  for (const file of ["main.ts", "mod.ts", "core/app/start.ts", "plugins/mail/mod.ts"]) {
    assert(files.has(file), `${file} is not in the graph`);
  }
});

Deno.test("no file imports itself in a cycle at run time", () => {
  assertEquals(findCycle(GRAPH.filter((edge) => !edge.typeOnly)), undefined);
});

Deno.test("no file imports itself in a cycle, types included", () => {
  assertEquals(findCycle(GRAPH), undefined);
});

Deno.test("no folder imports itself in a cycle at run time", () => {
  const folders = GRAPH.filter((edge) => !edge.typeOnly)
    .map(({ from, to }) => ({ from: unitOf(from), to: unitOf(to) }));
  assertEquals(findCycle(folders), undefined);
});

/** A plugin is one unit, because its `mod.ts` joins its providers; a file directly under `core/` is a unit too. */
function unitOf(path: string): string {
  const plugin = /^plugins\/[^/]+(?=\/)/.exec(path)?.[0];
  if (plugin !== undefined) return plugin;
  if (/^(core\/)?[^/]+$/.test(path)) return path;
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** What a start loads; `run.ts` and `standard.ts` are imported on demand, but by every command that starts a service. */
const START = loadedWith(GRAPH, ["main.ts", "core/cli/run.ts", "plugins/standard.ts"]);

Deno.test("a start loads no packages but small ones", () => {
  const packages = [...START].filter((file) =>
    !/^(node:|core\/|plugins\/|@std\/|main\.ts|deno\.json)/.test(file)
  );
  assertEquals(packages, [], "takes long to load: import it where it is first used");
});

Deno.test("a start loads no code that only answers calls", () => {
  assert(GRAPH.some(({ to }) => to === "plugins/mail/mail1/handlers.ts"));
  const answering = /^plugins\/\w+\/\w+\/(handlers|send|serve|subjects)\.ts$/;
  assertEquals([...START].filter((file) => answering.test(file)), [], "see core/on_demand.ts");
});

Deno.test("every plugin folder is in the list of standard plugins", async () => {
  const folders: string[] = [];
  for await (const entry of Deno.readDir(new URL("plugins/", ROOT))) {
    if (entry.isDirectory) folders.push(entry.name);
  }
  assertEquals(STANDARD_PLUGINS.map(({ id }) => id).toSorted(), folders.toSorted());
});

Deno.test("every tab that a plugin names is among the assets", () => {
  const missing = STANDARD_PLUGINS.flatMap(({ tab }) => tab === undefined ? [] : [tab])
    .filter((tab) => !ASSETS.has(tab));
  assertEquals(missing, []);
});

Deno.test("mod.ts exports the public API, and nothing else", async () => {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "mod.ts"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const doc = JSON.parse(new TextDecoder().decode(output.stdout)) as Documentation;
  const names = Object.values(doc.nodes).flatMap(({ symbols }) => symbols.map(({ name }) => name));
  assertEquals(names.toSorted(), PUBLIC_NAMES);
});

interface Documentation {
  readonly nodes: Readonly<
    Record<string, { readonly symbols: readonly { readonly name: string }[] }>
  >;
}

Deno.test("every answer with a body counts until it has been sent", async () => {
  // Uncounted ones are held for as many clients as ask for them and read nothing.
  const uncounted = /Response\.json\(|(?:return|[?:]|=>)\s+new Response\((?!null\b)/;
  const found: string[] = [];
  for await (const file of sources(ROOT, ["plugins"])) {
    if (file.endsWith("_test.ts")) continue;
    if (uncounted.test(await Deno.readTextFile(file))) found.push(file);
  }
  assertEquals(
    found,
    [],
    "write answers with vendorJson() or textResponse() of core/http/reply.ts",
  );
});

Deno.test("no file turns a check off", async () => {
  const pattern = new RegExp(
    ["deno-lint-" + "ignore", "@ts-" + "(ignore|nocheck|expect-error)"].join("|"),
  );
  const found: string[] = [];
  for await (const file of sources(ROOT, ["core", "plugins", "scripts", "tests", "ui"])) {
    // The rule itself and its test contain the words they search for.
    if (file.includes("/scripts/lint/")) continue;
    if (pattern.test(await Deno.readTextFile(file))) found.push(file);
  }
  assertEquals(found, []);
});

async function* sources(root: URL, folders: readonly string[]): AsyncGenerator<string> {
  for (const folder of folders) {
    const path = new URL(`${folder}/`, root);
    for await (const entry of Deno.readDir(path)) {
      if (entry.name === "node_modules") continue;
      if (entry.isDirectory) yield* sources(path, [entry.name]);
      else if (/\.[jt]s$/.test(entry.name)) yield new URL(entry.name, path).pathname;
    }
  }
}

Deno.test("a cycle is found, and shown as its path", () => {
  const edges = [["a", "b"], ["b", "c"], ["x", "b"], ["c", "b"]]
    .map(([from = "", to = ""]) => ({ from, to }));
  assertEquals(findCycle(edges), ["b", "c", "b"]);
  assertEquals(findCycle(edges.slice(0, 3)), undefined);
});
