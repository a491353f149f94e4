/** Web push subscriptions created here. */
import type { Memory } from "../../core/memory/budget.ts";
import { HeldMap } from "../../core/memory/held_map.ts";
import { decodeBase64Url, encodeBase64Url } from "./push3/base64url.ts";
import { encodeToken, isPoint, makeKeys, subscriptionId } from "./push3/subscription.ts";

/**
 * Maximum number of listed subscriptions, and of those remembered as gone; the oldest are dropped
 * first.
 */
const CAPACITY = 10_000;

/** Services to create endpoints for, which determine the paths and the wording of refusals. */
export const SERVICES = ["mozilla", "google"] as const;

/** A subscription in the form of a browser's `PushSubscription.toJSON()`, with its id. */
export interface PushSubscription {
  readonly id: string;
  readonly endpoint: string;
  readonly expirationTime: null;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly created_at: string;
}

/** Request for a subscription. */
export interface SubscriptionRequest {
  /** Public key of the only application server that may send, base64url. */
  readonly applicationServerKey?: string | undefined;
  /** Scheme, host and port of the endpoint; by default those of the ingress. */
  readonly origin?: string | undefined;
  readonly service?: typeof SERVICES[number] | undefined;
}

/** All subscriptions of a service. */
export class Subscriptions {
  readonly #made: HeldMap<PushSubscription>;
  readonly #gone: HeldMap<true>;
  readonly #about: {
    uuid(): string;
    now(): Date;
    ingressUrl(): string;
  };

  constructor(
    about: { readonly memory?: Memory; uuid(): string; now(): Date; ingressUrl(): string },
  ) {
    this.#about = about;
    this.#made = new HeldMap({ maxEntries: CAPACITY }, about.memory);
    this.#gone = new HeldMap({ maxEntries: CAPACITY }, about.memory);
  }

  /** Creates a subscription. Throws `RangeError` for an invalid key or origin. */
  make(
    { applicationServerKey, origin, service = "mozilla" }: SubscriptionRequest,
  ): PushSubscription {
    const serverKey = applicationServerKey === undefined
      ? undefined
      : readKey(applicationServerKey);
    const base = origin === undefined ? this.#about.ingressUrl() : readOrigin(origin);
    const encoder = new TextEncoder();
    const random = (purpose: string): Uint8Array =>
      encoder.encode(`${purpose} ${this.#about.uuid()} ${this.#about.uuid()}`);
    const keys = makeKeys(random, serverKey);
    const token = encodeToken(keys);
    const path = service === "google"
      ? "/fcm/send"
      : serverKey === undefined
      ? "/wpush/v1"
      : "/wpush/v2";
    const made: PushSubscription = {
      id: subscriptionId(token),
      endpoint: `${base}${path}/${token}`,
      expirationTime: null,
      keys: { p256dh: encodeBase64Url(keys.publicKey), auth: encodeBase64Url(keys.auth) },
      created_at: this.#about.now().toISOString(),
    };
    this.#made.set(made.id, made);
    return made;
  }

  /** Newest first. */
  list(): readonly PushSubscription[] {
    return this.#made.values().toReversed();
  }

  /**
   * Ends a subscription: pushes to it are answered as for an unsubscribed browser. Returns whether
   * it existed.
   */
  expire(id: string): boolean {
    if (!this.#made.delete(id)) return false;
    this.#gone.set(id, true);
    return true;
  }

  /** Returns whether a subscription was ended. */
  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  /** Clears all subscriptions; pushes to their endpoints are still decrypted. */
  clear(): void {
    this.#made.clear();
    this.#gone.clear();
  }
}

function readKey(text: string): Uint8Array {
  const key = decodeBase64Url(text);
  if (key !== undefined && isPoint(key)) return key;
  throw new RangeError(
    "Cannot use applicationServerKey: expected a P-256 public key of 65 bytes as base64url",
  );
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) {
    return url.origin;
  }
  throw new RangeError(
    `Cannot use origin ${
      JSON.stringify(text.slice(0, 100))
    }: expected scheme, host and port such as https://localhost:8822`,
  );
}
