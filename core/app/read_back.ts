import { describePlugins } from "../api/describe.ts";
import { createService } from "../api/mount.ts";
import { describeApi } from "../api/openapi.ts";
import type { ApiState, Restoring } from "../api/state.ts";
import { compact } from "../compact.ts";
import type { AssetSource } from "../http/assets.ts";
import type { HttpHandler } from "../http/call.ts";
import type { RouteContext } from "../http/route.ts";
import type { Logger } from "../log.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin, Endpoint } from "../plugin.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { VERSION } from "../version.ts";
import { placesOf } from "./faults.ts";
import { mountsOf, type OpenedPlugin } from "./open.ts";
import { describeStorage, memoryOf, type Stores } from "./stores.ts";

/** Parts of the service that its API reads and changes. */
export interface ReadBackParts extends
  Pick<
    ApiState,
    "callbacks" | "engine" | "faults" | "readiness" | "reset" | "spans" | "startedAt" | "stories"
  > {
  /** Context of the service's own routes. */
  readonly core: RouteContext;
  readonly plugins: readonly AnyPlugin[];
  readonly opened: readonly OpenedPlugin[];
  readonly settings: Settings;
  readonly stores: Stores;
  /** Addresses of providers, by plugin and provider. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly tls: TlsIdentity;
  readonly log: Logger;
  /** Whether ids are the same in every run. */
  readonly seeded: boolean;
}

/** Creates the handler of the read-back API, and of the user interface if its files are given. */
export function createReadBack(
  { core, plugins, opened, settings, stores, endpoints, tls, log, seeded, ...own }: ReadBackParts,
  assets: AssetSource | undefined,
): HttpHandler {
  const { token, cors_origins: corsOrigins } = settings.core.api;
  const { blobs, events, expectations, memory, rejected } = stores;
  const enabled = opened.map(({ plugin }) => plugin);
  const state: ApiState = {
    ...core,
    ...own,
    ...{ rejected, expectations },
    follow: (filter, options) => events.subscribe(filter, options),
    version: VERSION,
    faultPlaces: placesOf(opened),
    enabledPlugins: enabled.map((plugin) => plugin.id),
    describe: (all) =>
      describePlugins(plugins, settings, {
        all,
        endpointOf: (plugin, provider) => endpoints.get(`${plugin}/${provider}`),
      }),
    openApi: (plugin) => describeApi(enabled, plugin),
    ca: async () => (await tls.certificate()).ca,
    storage: describeStorage(settings),
    tally: events.tally,
    blobBytes: () => blobs.bytes,
    budget: memory,
    memory: () => memoryOf(stores),
    restoring: restoringOf(stores, { seeded, plugins: enabled }),
  };
  return createService({
    state,
    core,
    plugins: mountsOf(opened, core),
    ...compact({ assets, token }),
    host: settings.core.root.host,
    corsOrigins,
    log,
  });
}

/** Takes in what another instance captured. */
function restoringOf(
  { blobs, events, expectations }: Stores,
  about: Pick<Restoring, "seeded" | "plugins">,
): Restoring {
  return {
    ...about,
    blob: (ref, bytes) => blobs.restore(ref, bytes),
    events: (restored) => events.restore(restored),
    expectations: (records) => expectations.restore(records),
  };
}
