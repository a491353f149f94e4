// Made from schema.ts by `deno task docs`: change the shapes there.

/** A scripted response. */
export interface WebhookAnswer {
  /** Name that it answers; * for every name. */
  readonly name: string;
  /** Method that it answers; by default every method. */
  readonly method?: string;
  /** Status, 200 to 599. */
  readonly status: number;
  /** Header fields by name. */
  readonly headers: Record<string, string>;
  /** Body. */
  readonly body: string;
  /** Milliseconds until it is sent. */
  readonly delay_ms: number;
  /** Number of requests that it still answers; absent if it answers all. */
  readonly times?: number;
}

/** One part of a multipart body. */
export interface WebhookPart {
  /** Name of the form field; hostile text. */
  readonly name?: string;
  /** As stated by the sender; hostile text. */
  readonly filename?: string;
  /** Media type in lower case. */
  readonly content_type: string;
  /** Bytes, with the transfer encoding decoded. */
  readonly size: number;
  /** The part as text; absent for files and for parts above 64 KiB. */
  readonly text?: string;
}

/** Any HTTP request. Empty optional properties are absent. */
export interface WebhookRequest {
  /** Name after /hook/. */
  readonly name: string;
  /** HTTP method as sent. */
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** What follows the name in the path, decoded. */
  readonly rest?: string;
  /** Decoded query parameters, with all values of each name. */
  readonly query: Record<string, string[]>;
  /** Header fields by name in lower case; repeated fields are joined with a comma. */
  readonly headers: Record<string, string>;
  /** Media type of the body, without parameters, in lower case. */
  readonly content_type?: string;
  /** Bytes of the body, with its content coding decoded. */
  readonly size: number;
  /** The body as text; absent if it is not text, or is larger than 1 MiB: then only the raw body has it. */
  readonly text?: string;
  /** The body, parsed, if it is JSON. */
  readonly json?: unknown;
  /** Fields of a form, urlencoded or multipart; files are parts. */
  readonly form?: Record<string, string[]>;
  /** Parts of a multipart body, in order. */
  readonly parts?: WebhookPart[];
  /** Status of the response. */
  readonly status: number;
}
