import type { SmsStatus } from "../schema.ts";

/** States that are reported to the application. */
export type Reported = SmsStatus | "canceled";

/** Changes to a message after its capture; the captured event itself never changes. */
export interface Change {
  readonly redacted?: boolean;
  readonly canceled?: boolean;
  readonly deleted?: boolean;
  /** State that was reported to the application. */
  readonly status?: Reported;
  /** Error code of an undelivered message. */
  readonly error_code?: number;
  readonly at: Date;
}

/** Kinds of services. */
export type ServiceKind = "verify" | "messaging";

/** A service created through the API. */
export interface Service {
  readonly sid: string;
  readonly name: string;
  readonly account: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly created: Date;
  readonly updated: Date;
  readonly removed?: boolean;
}

/** A verification: a code sent to an address. */
export interface Verification {
  readonly sid: string;
  readonly service: string;
  readonly account: string;
  readonly to: string;
  readonly channel: string;
  readonly code: string;
  readonly status: "pending" | "approved" | "canceled";
  /** When each code was sent. */
  readonly sent: readonly { readonly at: Date; readonly channel: string; readonly sid: string }[];
  /** Number of wrong codes so far. */
  readonly checks: number;
  readonly created: Date;
  readonly updated: Date;
}

/** Maximum number of records of each kind; the oldest are dropped first. */
const MAX_RECORDS = 10_000;

/** One per service. */
export class Store {
  readonly #changes = new Map<string, Change>();
  readonly #services = {
    verify: new Map<string, Service>(),
    messaging: new Map<string, Service>(),
  } as const;
  /** The latest one for each address of a service. */
  readonly #verifications = new Map<string, Verification>();
  /** Whether the log has warned that one setting alone has no effect. */
  warned = false;

  change(eventId: string): Change | undefined {
    return this.#changes.get(eventId);
  }

  addChange(eventId: string, change: Change): Change {
    const added = { ...this.#changes.get(eventId), ...change };
    put(this.#changes, eventId, added);
    return added;
  }

  /** Returns services, newest first, without removed ones. */
  services(kind: ServiceKind): readonly Service[] {
    return [...this.#services[kind].values()].filter(({ removed }) => !removed).reverse();
  }

  service(kind: ServiceKind, sid: string): Service | undefined {
    return this.#services[kind].get(sid);
  }

  saveService(kind: ServiceKind, service: Service): void {
    put(this.#services[kind], service.sid, service);
  }

  /** Finds a verification by its address or id. */
  verification(service: string, name: string): Verification | undefined {
    const found = this.#verifications.get(`${service} ${name}`);
    if (found !== undefined || !name.startsWith("VE")) return found;
    return [...this.#verifications.values()].find((one) =>
      one.sid === name && one.service === service
    );
  }

  saveVerification(verification: Verification): void {
    put(this.#verifications, `${verification.service} ${verification.to}`, verification);
  }
}

function put<T>(records: Map<string, T>, key: string, value: T): void {
  records.set(key, value);
  if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
}
