import type {
  API_OPTIONS,
  Backend,
  CALLBACK_OPTIONS,
  INGRESS_OPTIONS,
  NAMESPACE_OPTIONS,
  NATS_OPTIONS,
  OTEL_OPTIONS,
  REPEAT_OPTIONS,
  ROOT_OPTIONS,
  STORAGE_OPTIONS,
  UI_OPTIONS,
} from "./core_options.ts";
import type { Values } from "./spec.ts";

/** All settings of a service: merged, checked and resolved. */
export interface Settings {
  readonly core: CoreSettings;
  /** Every compiled-in plugin by id, including disabled ones. */
  readonly plugins: ReadonlyMap<string, PluginSettings>;
  /** Warnings about settings without effect. */
  readonly warnings: readonly string[];
  /** Folder of the configuration file; absent without one. */
  readonly fileFolder?: string;
  /**
   * The configuration file with these fault rules; absent if a program gives them, or without a
   * file.
   */
  readonly faultsFile?: string;
}

/** Settings of the service itself, named as in the file. */
export interface CoreSettings {
  readonly root: Values<typeof ROOT_OPTIONS>;
  readonly ui: Bound<Values<typeof UI_OPTIONS>>;
  readonly api: Bound<Values<typeof API_OPTIONS>>;
  readonly ingress: Bound<Values<typeof INGRESS_OPTIONS>>;
  readonly storage: StorageSettings;
  readonly namespaces: Values<typeof NAMESPACE_OPTIONS>;
  readonly callbacks: CallbackSettings;
  readonly otel: Values<typeof OTEL_OPTIONS>;
  readonly repeat: Values<typeof REPEAT_OPTIONS>;
}

/** The resolved address: the listener's own, or the top-level one. */
export type Bound<V extends { readonly bind: string | undefined }> =
  & Omit<V, "bind">
  & { readonly bind: string };

/** Settings of calls to the application. */
export interface CallbackSettings extends Values<typeof CALLBACK_OPTIONS> {
  /** Addresses by the name that a provider has in this setting. */
  readonly webhooks: Readonly<Record<string, string>>;
  /** The same. */
  readonly inbound: Readonly<Record<string, string>>;
  /** Folder in which calls are kept; present exactly when events outlast the program. */
  readonly folder?: string;
}

/** Settings of the stores. */
export interface StorageSettings extends Values<typeof STORAGE_OPTIONS> {
  /** Folder of the event log; present exactly when `events` is `filesystem`. */
  readonly eventFolder?: string;
  /** Where and how events are kept in NATS; used when `events` is `nats`. */
  readonly nats: NatsSettings;
  /** Number of events to keep, by plugin id, if it differs from `capacity`. */
  readonly plugin_capacity: Readonly<Record<string, number>>;
  /** Storage of every plugin by id: its own settings merged with the general ones. */
  readonly plugins: Readonly<Record<string, PluginStorageSettings>>;
}

/** Settings of `[storage.nats]`. */
export type NatsSettings = Values<typeof NATS_OPTIONS>;

/** Storage of one plugin. */
export interface PluginStorageSettings {
  readonly backend: Backend;
  /** Folder of this plugin; present exactly when the backend is `filesystem`. */
  readonly folder?: string;
}

/** Settings of one plugin. */
export interface PluginSettings {
  readonly enabled: boolean;
  /** Values of its options. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Every provider by id, including disabled ones. */
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

/** Settings of one provider. */
export interface ProviderSettings {
  /** Whether it runs; false if its plugin is disabled. */
  readonly enabled: boolean;
  /** Resolved address; providers on the shared ingress have the ingress listener's. */
  readonly bind: string;
  readonly values: Readonly<Record<string, unknown>>;
}
