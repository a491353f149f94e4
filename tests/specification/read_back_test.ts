/** Rules of every read-back route, checked on one service that holds events of every provider. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Ajv2020, type ValidateFunction } from "npm:ajv@8.20.0/dist/2020.js";
import addFormats from "npm:ajv-formats@3.0.1";
import type { EventView } from "../../core/events/view.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { startService, type TestService } from "../support/service.ts";

interface Listed {
  readonly id: string;
  readonly provider: string;
  readonly type: string;
  readonly received_at: string;
  readonly url: string;
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, { content: Media }> }>>>
  >;
  readonly components: object;
}

type Media = Readonly<Record<string, { readonly schema: object }>>;

/** Plugins whose events are listed as messages. */
const WITH_MESSAGES = ["mail", "sms", "chat", "push", "as2", "hl7"];
const LISTS = ["/events", ...WITH_MESSAGES.map((plugin) => `/${plugin}/messages`)];

/** A service filled with the samples of every provider. */
async function startFilled(): Promise<TestService> {
  const service = await startService();
  const demo = await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  assertEquals([demo.code, demo.stderr], [0, ""]);
  // Senders get no response to a trap, or to a file over NFS.
  await service.waitFor("snmp.trap", { search: "authenticationFailure" });
  await service.waitFor("files.upload", { provider: "nfs" });
  return service;
}

/** Every provider of the specification, and the type of event that it always captures. */
const PROVIDERS = [
  ...["mail1", "mail2", "mail3", "smtp"].map((id) => `mail/${id} mail.message`),
  "sms/sms1 sms.message",
  ...["ftp", "sftp", "tftp", "nfs"].map((id) => `files/${id} files.upload`),
  ...["push1", "push2"].map((id) => `push/${id} push.message`),
  "hl7/mllp hl7.message",
  ...["chat1", "chat2"].map((id) => `chat/${id} chat.message`),
  "snmp/trap snmp.trap",
  "s3/http s3.object.put",
  "as2/http as2.message",
];

async function listRules(service: TestService, path: string): Promise<void> {
  const all = await service.getJson<Listed[]>(path);
  assert(all.length > 0);
  const times = all.map(({ received_at }) => received_at);
  assertEquals(times, times.toSorted().reverse());
  const ids = async (query: string) =>
    (await service.getJson<Listed[]>(`${path}?${query}`)).map(({ id }) => id);
  const idsOf = (keep: (one: Listed) => boolean) => all.filter(keep).map(({ id }) => id);
  for (
    const kind of new Set(all.map(({ provider, type }) => `provider=${provider}&type=${type}`))
  ) {
    assertEquals(
      await ids(kind),
      idsOf(({ provider, type }) => `provider=${provider}&type=${type}` === kind),
    );
  }
  assertEquals(await ids("search=no%20such%20text"), []);
  assertEquals(await ids("limit=1"), idsOf((one) => one === all[0]));
  assertEquals(await ids("offset=1"), idsOf((one) => one !== all[0]));
  assertEquals(await ids("since=5m"), idsOf(() => true));
  assertEquals(await ids(`since=${Date.now() + 60_000}`), []);
  assertEquals(await ids("since=2999-01-01T00:00:00Z"), []);
}

async function refusals(service: TestService, path: string): Promise<void> {
  for (const query of ["since=yesterday", "limit=-1", "offset=-1", "limit=ten", "type=no.such"]) {
    const body = await service.getJson<Record<string, unknown>>(`${path}?${query}`, 400);
    assertEquals(Object.keys(body), ["error"]);
  }
}

async function pageOfNewest(service: TestService, path: string): Promise<void> {
  const [newest] = await service.getJson<Listed[]>(path);
  assertEquals(newest!.url, `${service.ui.url}/ui/events/${newest!.id}`);
  const page = await fetch(newest!.url);
  assertEquals(page.status, 200);
  await page.body?.cancel();
  const item = await service.getJson<Listed>(`${path}/${newest!.id}`);
  assertEquals(item.url, newest!.url);
}

/** Calls every route of one message with ids that the plugin does not have. */
async function foreignIds(service: TestService, plugin: string): Promise<void> {
  const { paths } = await service.getJson<Description>(`/${plugin}/openapi.json`);
  const events = await service.getJson<EventView[]>("/events");
  const foreign = events.find((event) => event.plugin !== plugin)!.id;
  const routes = Object.entries(paths).filter(([path]) => path.includes("/messages/{id}"));
  assert(routes.length > 0);
  for (const [path, methods] of routes) {
    for (const method of Object.keys(methods)) {
      for (const id of [foreign, "0".repeat(24), "unknown"]) {
        const url = service.api.url + path.replace("{id}", id).replace("{idx}", "0");
        const query = path.endsWith("/values") ? "?path=MSH-1" : "";
        const response = await fetch(url + query, { method: method.toUpperCase() });
        const body = await response.text();
        assertEquals(response.status, 404, `${method} ${path} ${id}: ${body}`);
        assertEquals(Object.keys(JSON.parse(body)), ["error"]);
      }
    }
  }
  assertEquals((await service.getJson<unknown[]>("/events")).length, events.length);
}

async function clearing(service: TestService, plugin: string): Promise<void> {
  const before = await service.getJson<EventView[]>("/events");
  const url = `${service.api.url}/api/v1/${plugin}/messages`;
  const response = await fetch(url, { method: "DELETE" });
  assertEquals([response.status, await response.text()], [204, ""]);
  assertEquals(await service.getJson(`/${plugin}/messages`), []);
  const after = await service.getJson<EventView[]>("/events");
  const kept = before.filter((event) => event.plugin !== plugin);
  assertEquals(after.map(({ id }) => id), kept.map(({ id }) => id));
}

/** Reads routes and compares each response with the description of its plugin. */
class Declared {
  readonly #service: TestService;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Reads `path`, an instance of `route`. */
  async read<T>(path: string, route = path): Promise<T> {
    const validate = this.#validators.get(route) ?? await this.#validator(route);
    this.#validators.set(route, validate);
    const body = await this.#service.getJson<T>(path);
    assert(validate(body), `${path}: ${JSON.stringify(validate.errors)}`);
    return body;
  }

  async #validator(route: string): Promise<ValidateFunction> {
    const plugin = STANDARD_PLUGINS.find(({ id }) => route.startsWith(`/${id}/`))?.id;
    const at = plugin === undefined ? "/openapi.json" : `/${plugin}/openapi.json`;
    const { paths, components } = await this.#service.getJson<Description>(at);
    const content = paths[`/api/v1${route}`]?.get?.responses["200"]?.content;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    return ajv.compile({ ...content?.["application/json"]?.schema, components });
  }
}

async function shapes(service: TestService): Promise<void> {
  const declared = new Declared(service);
  for (const path of LISTS) {
    for (const { id } of await declared.read<Listed[]>(path)) {
      await declared.read(`${path}/${id}`, `${path}/{id}`);
    }
  }
  for (const path of ["/health", "/plugins", "/chat/channels", "/as2/identity", "/rejected"]) {
    await declared.read(path);
  }
  const { entries } = await declared.read<{ entries: { path: string }[] }>("/files/tree");
  for (const { path } of entries) {
    await declared.read(`/files/stat${path}`, "/files/stat/{path}");
  }
  const { buckets } = await declared.read<{ buckets: { name: string }[] }>("/s3/buckets");
  for (const { name } of buckets) {
    const bucket = "/s3/buckets/{bucket}";
    await declared.read(`/s3/buckets/${name}`, bucket);
    const path = `/s3/buckets/${name}/objects`;
    const { objects } = await declared.read<{ objects: { key: string }[] }>(
      path,
      `${bucket}/objects`,
    );
    for (const { key } of objects) await declared.read(`${path}/${key}`, `${bucket}/objects/{key}`);
  }
  assert(entries.length > 0 && buckets.length > 0);
}

Deno.test("the lists, items and refusals of every plugin obey the common rules", async (t) => {
  await using service = await startFilled();

  await t.step("every provider captures events of its documented type", async () => {
    const events = await service.getJson<EventView[]>("/events");
    const found = new Set(
      events.map(({ plugin, provider, type }) => `${plugin}/${provider} ${type}`),
    );
    assertEquals(PROVIDERS.filter((one) => !found.has(one)), []);
  });
  for (const path of LISTS) {
    await t.step(`${path} is newest first, filtered and paged`, () => listRules(service, path));
    await t.step(
      `${path} refuses invalid parameters with 400 and an error`,
      () => refusals(service, path),
    );
    await t.step(
      `every item that ${path} lists has a page and its URL`,
      () => pageOfNewest(service, path),
    );
  }
  for (const plugin of WITH_MESSAGES) {
    await t.step(
      `${plugin}: unknown ids and events of other plugins are 404 on every route`,
      () => foreignIds(service, plugin),
    );
  }
  await t.step("everything read back has the documented shape", () => shapes(service));
  await t.step("every plugin has its page", async () => {
    for (const { id } of STANDARD_PLUGINS) {
      const page = await fetch(`${service.ui.url}/ui/${id}/`);
      assertMatch(page.headers.get("content-type")!, /^text\/html/);
      assertEquals([page.status, (await page.text()).includes("<script")], [200, true], id);
    }
  });
  for (const plugin of WITH_MESSAGES) {
    await t.step(
      `clearing the messages of ${plugin} answers 204 and leaves other plugins alone`,
      () => clearing(service, plugin),
    );
  }
});
