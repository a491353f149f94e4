/** Support of HTML and CSS in email clients, as caniemail.com has tested it. */
export interface SupportData {
  readonly source: string;
  /** Its text. */
  readonly licence: string;
  /** Date of the data. */
  readonly date: string;
  readonly clients: readonly {
    readonly id: string;
    readonly family: string;
    readonly platform: string;
  }[];
  /** By the name of the page on caniemail.com; `support` has a letter for each client: y, a, n or u. */
  readonly features: Readonly<
    Record<string, { readonly title: string; readonly support: string }>
  >;
}

/** Loads the data on first use. */
export async function loadSupport(): Promise<SupportData> {
  return (await import("./support.json", { with: { type: "json" } })).default;
}
