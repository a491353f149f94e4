/** Types of the files tab. */

export type * from "../../../../plugins/files/model.ts";

/** One file or directory. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly dir: boolean;
  readonly size: number;
  readonly mod_time: string;
  readonly provider?: string;
  readonly content_type?: string;
  readonly links: {
    readonly self: string;
    /** Only of a file. */
    readonly content?: string;
  };
}

/** One directory. */
export interface TreeView {
  readonly path: string;
  readonly parent?: string;
  readonly breadcrumb: readonly { readonly name: string; readonly path: string }[];
  readonly entries: readonly Entry[];
  readonly stats: { readonly files: number; readonly dirs: number; readonly bytes: number };
}
