/** A stream of this service. */
export interface StreamShape {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly description: string;
  /** Any copy of it may answer requests for a message. */
  readonly direct?: boolean;
  /** It has one message for each subject, as the buckets of keys and values do. */
  readonly lastOnly?: boolean;
}
