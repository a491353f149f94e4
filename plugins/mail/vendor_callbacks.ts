/** Shared by the callbacks of all HTTP mail vendors: reports about captured emails, and emails to the application. */
import type { MaybePromise } from "../../core/result.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import {
  type CallContext,
  defineCallbacks,
  type OutgoingCall,
  type ProviderCallbacks,
} from "../../core/plugin.ts";
import type { MailState } from "./capture.ts";
import { INBOUND_EXAMPLE, type InboundMail, readInboundMail, replyTo } from "./inbound_mail.ts";
import { isMail, type MailEvent, REPLY } from "./report_events.ts";

/** Context of the calls of a mail vendor. */
export type VendorContext<O extends OptionSet, T> = CallContext<O, MailState, T>;

/** A report to make. */
export interface Report<C> {
  /** One of the kinds. */
  readonly name: string;
  /** Its parameters; empty after a capture. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly context: C;
}

/** The parts that differ between vendors. */
export interface VendorCallbacks<O extends OptionSet, T> extends
  Pick<
    ProviderCallbacks<O, MailState, T>,
    "schedule" | "kinds" | "began" | "sign" | "keys"
  > {
  /** Returns the calls of a report. */
  report(mail: MailEvent, report: Report<VendorContext<O, T>>): readonly OutgoingCall[];
  /** Reports that follow a capture; `delivered` comes a second later. */
  readonly captured: readonly string[];
  /** Returns whether reports follow the capture of an email; by default they always do. */
  isReported?(mail: MailEvent): boolean;
  /** Emails that the application receives. */
  readonly inbound: {
    /** Description of a reply to a captured email, in one sentence. */
    readonly reply: string;
    /** Description of any other incoming email, in one sentence. */
    readonly about: string;
    /** Documentation of the format. */
    readonly source: string;
    /** Returns the call with an email. */
    call(mail: InboundMail, context: VendorContext<O, T>): MaybePromise<OutgoingCall>;
  };
}

/** Milliseconds from a capture to the report of its delivery. */
const DELIVERY_MS = 1000;

/** Defines the callbacks of a mail vendor. */
export function defineVendorCallbacks<O extends OptionSet, T>(
  { report, captured, isReported, inbound, kinds, ...rest }: VendorCallbacks<O, T>,
): ProviderCallbacks<O, MailState, T> {
  const { reply, about, source, call } = inbound;
  return defineCallbacks<O, MailState, T>({
    ...rest,
    kinds: { ...kinds, reply: { label: "Reply", about: reply, source, params: REPLY } },
    applies: (_name, event) => isMail(event),
    async make({ event, name, with: params }, context) {
      const mail = event as MailEvent;
      if (name === "reply") return [await call(replyTo(mail, params.body), context)];
      return report(mail, { name, params, context });
    },
    afterCapture(event, context) {
      if (!isMail(event) || context.webhook === undefined) return [];
      if (isReported?.(event) === false) return [];
      return captured.flatMap((name) => {
        const calls = report(event, { name, params: {}, context });
        return name === "delivered"
          ? calls.map((call) => ({ ...call, afterMs: DELIVERY_MS }))
          : calls;
      });
    },
    inbound: {
      about,
      source,
      example: INBOUND_EXAMPLE,
      make: async (payload, context) => ({
        calls: [await call(readInboundMail(payload), context)],
      }),
    },
  });
}
