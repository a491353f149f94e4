/** Shapes of the read-back API of the tree, as far as the user interface reads them. */

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

/** Payload of an event of the tree. */
export interface FileOperation {
  readonly operation: "upload" | "mkdir" | "rename" | "delete";
  readonly path: string;
  readonly old_path?: string;
  readonly dir: boolean;
  readonly size: number;
  readonly content_type?: string;
  readonly blob?: { readonly id: string; readonly size: number };
  readonly user?: string;
  readonly command: string;
}
