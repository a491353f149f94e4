/** Shapes of the SMS read-back API, as far as the user interface reads them. */

/** What a body costs to send. */
export interface Segments {
  readonly count: number;
  readonly encoding: "GSM-7" | "UCS-2";
  readonly units: number;
  readonly capacity: number;
  readonly remaining: number;
  /** Where each segment but the last ends, in UTF-16 code units of the body. */
  readonly ends?: readonly number[];
  /** First character that made the message UCS-2. */
  readonly forced_by?: string;
}

/** The canonical message. */
export interface SmsMessage {
  readonly to: string;
  readonly from?: string;
  readonly messaging_service?: string;
  readonly body: string;
  readonly status?: string;
  readonly direction?: string;
  readonly segments: Segments;
}

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
export interface SmsView {
  readonly id: string;
  readonly provider: string;
  readonly received_at: string;
  readonly message: SmsMessage;
  readonly media?: readonly MediaRef[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly url?: string;
}

/** The messages between two numbers, oldest first. */
export interface Conversation {
  /** Both numbers. */
  readonly id: string;
  /** The number outside. */
  readonly them: string;
  /** The application's own number, sender id or messaging service. */
  readonly us: string;
  readonly messages: readonly SmsView[];
  readonly newest: SmsView;
}
