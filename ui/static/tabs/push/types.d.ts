/** Shapes of the push read-back API, as far as the user interface reads them. */

/** What a device shows or plays. */
export interface Alert {
  readonly title?: string;
  readonly subtitle?: string;
  readonly body?: string;
  readonly category?: string;
  readonly image?: string;
  readonly sound?: string;
  readonly badge?: number;
  readonly localization?: {
    readonly title_key?: string;
    readonly title_args?: readonly string[];
    readonly subtitle_key?: string;
    readonly subtitle_args?: readonly string[];
    readonly body_key?: string;
    readonly body_args?: readonly string[];
  };
}

/** How a push is to be delivered. */
export interface Delivery {
  readonly priority?: string;
  readonly priority_raw?: string;
  readonly collapse_key?: string;
  readonly expiry?: {
    readonly at?: string;
    readonly ttl_seconds?: number;
    readonly immediate: boolean;
    readonly raw?: string;
  };
}

/** A verbatim part of the request. */
export interface Payload {
  readonly format: string;
  /** Base64. */
  readonly data: string;
  readonly json?: unknown;
}

/** The canonical push. */
export interface PushMessage {
  readonly kind: "notification" | "silent" | "empty";
  readonly push_type?: string;
  readonly app?: string;
  readonly target: { readonly kind: string; readonly value: string; readonly source?: string };
  readonly alert?: Alert;
  readonly data_json?: unknown;
  readonly delivery: Delivery;
  readonly payloads?: readonly Payload[];
}

/** One captured push. */
export interface PushView {
  readonly id: string;
  readonly provider: string;
  readonly received_at: string;
  readonly title: string;
  readonly preview?: string;
  readonly displays: boolean;
  readonly explain: string;
  readonly message: PushMessage;
  readonly raw_url: string;
  readonly url?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A phone that a card is drawn for. */
export type Platform = "ios" | "android";
