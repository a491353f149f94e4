import type {
  API_OPTIONS,
  Backend,
  INGRESS_OPTIONS,
  NAMESPACE_OPTIONS,
  REPEAT_OPTIONS,
  ROOT_OPTIONS,
  STORAGE_OPTIONS,
  UI_OPTIONS,
} from "./core_options.ts";
import type { Values } from "./spec.ts";

/** Everything a service is started with: all sources merged, checked and resolved. */
export interface Settings {
  readonly core: CoreSettings;
  /** Every compiled-in plugin, disabled ones too, by id. */
  readonly plugins: ReadonlyMap<string, PluginSettings>;
  /** Sentences about settings that are allowed but have no effect. */
  readonly warnings: readonly string[];
  /** Folder of the configuration file; absent without one. */
  readonly fileFolder?: string;
}

/** Settings of the service itself, named as in the file. */
export interface CoreSettings {
  readonly root: Values<typeof ROOT_OPTIONS>;
  readonly ui: Bound<Values<typeof UI_OPTIONS>>;
  readonly api: Bound<Values<typeof API_OPTIONS>>;
  readonly ingress: Bound<Values<typeof INGRESS_OPTIONS>>;
  readonly storage: StorageSettings;
  readonly namespaces: Values<typeof NAMESPACE_OPTIONS>;
  readonly repeat: Values<typeof REPEAT_OPTIONS>;
}

/** The address is resolved: the listener's own, or the top-level one. */
export type Bound<V extends { readonly bind: string | undefined }> =
  & Omit<V, "bind">
  & { readonly bind: string };

/** Settings of the stores. */
export interface StorageSettings extends Values<typeof STORAGE_OPTIONS> {
  /** Folder of the log of events; present exactly when `events` is `filesystem`. */
  readonly eventFolder?: string;
  /** Events kept, by plugin id; only where it differs from `capacity`. */
  readonly plugin_capacity: Readonly<Record<string, number>>;
  /** By plugin id, for every plugin: what holds for it once its own settings are merged with the general ones. */
  readonly plugins: Readonly<Record<string, PluginStorageSettings>>;
}

/** Where one plugin keeps its state. */
export interface PluginStorageSettings {
  readonly backend: Backend;
  /** Folder of this plugin alone; present exactly when the backend is `filesystem`. */
  readonly folder?: string;
}

/** Settings of one plugin. */
export interface PluginSettings {
  readonly enabled: boolean;
  /** Every provider, disabled ones too, by id. */
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

/** Settings of one provider. */
export interface ProviderSettings {
  /** Whether it runs: false too when its plugin is disabled. */
  readonly enabled: boolean;
  /** Address to listen on, resolved; for providers of the shared ingress it is the ingress listener's. */
  readonly bind: string;
  readonly values: Readonly<Record<string, unknown>>;
}
