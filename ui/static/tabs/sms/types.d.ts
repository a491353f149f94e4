/** Types of the SMS tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { SmsMessage } from "../../../../plugins/sms/model.ts";

export type * from "../../../../plugins/sms/model.ts";

/** Where one attachment is. */
export interface MediaRef {
  readonly index: number;
  readonly stored: boolean;
  readonly url: string;
  readonly content_type?: string;
  readonly filename?: string;
  readonly size?: number;
}

/** One captured message. */
export interface SmsView extends CapturedView<SmsMessage> {
  readonly media?: readonly MediaRef[];
}

/** The messages between two numbers, oldest first. */
export interface Conversation {
  /** Both numbers. */
  readonly id: string;
  /** The outside number. */
  readonly them: string;
  /** The application's own number, sender id or messaging service. */
  readonly us: string;
  readonly messages: readonly SmsView[];
  readonly newest: SmsView;
}
