/** Open multipart uploads, and the responses to completed ones. */
import { compareKeys } from "../codec/order.ts";
import { S3Error } from "../errors.ts";
import type { Change } from "./journal.ts";
import { holding, type Keeper } from "./keeper.ts";
import type { CatalogLimits, Completion, UploadPart } from "./model.ts";
import { full, goneBucket } from "./refusals.ts";
import type { CatalogState } from "./state.ts";
import { Upload, type UploadStart } from "./upload.ts";

/** Number of completed uploads remembered, so that a repeated completion gets the same response. */
const MAX_COMPLETED = 1000;

/** Parts of the catalog that uploads need. */
export interface UploadContext {
  readonly keeper: Keeper;
  readonly state: CatalogState;
  readonly now: () => Date;
  readonly uuid: () => string;
  limits(): Pick<CatalogLimits, "maxUploads" | "maxParts">;
}

/** The uploads of every bucket. */
export class Uploads {
  readonly #context: UploadContext;

  constructor(context: UploadContext) {
    this.#context = context;
  }

  /** Starts an upload. Throws `NoSuchBucket`. */
  async create(start: UploadStart): Promise<Upload> {
    const { keeper, state, now, uuid, limits } = this.#context;
    const upload = new Upload(uuid().replaceAll("-", ""), { start, initiated: now() });
    return await keeper.change(() => {
      if (!state.buckets.has(start.bucket)) goneBucket(start.bucket);
      if (state.uploads.size >= limits().maxUploads) {
        full("multipart uploads", "max_active_uploads");
      }
      return { changes: [{ kind: "begin upload", upload }], result: upload };
    });
  }

  /** Returns an upload. Throws `NoSuchUpload`, also if its key differs. */
  get(id: string, { bucket, key }: { bucket: string; key: string }): Upload {
    const upload = this.#context.state.uploads.get(id);
    if (upload?.start.bucket !== bucket || upload.start.key !== key) {
      throw new S3Error(
        "NoSuchUpload",
        `Cannot find multipart upload "${id}" of this key: it was completed, aborted or never created`,
      );
    }
    return upload;
  }

  /** Returns the response to a completed upload, while remembered. */
  completion(id: string): Completion | undefined {
    return this.#context.state.completions.get(id);
  }

  /** Returns the uploads of one bucket or all, ordered by key, then by creation. */
  list(bucket?: string): readonly Upload[] {
    return [...this.#context.state.uploads.values()]
      .filter(({ start }) => bucket === undefined || start.bucket === bucket)
      .sort((a, b) => compareKeys(a.start.key, b.start.key));
  }

  /** Throws if there is no room for another part. */
  checkPartRoom(upload: Upload, number: number): void {
    const { state, limits } = this.#context;
    if (upload.parts.has(number) || state.parts < limits().maxParts) return;
    full("parts", "max_parts");
  }

  /** Stores a part; the catalog owns its blob from now on, even if the upload is gone meanwhile. */
  async putPart({ id, start }: Upload, part: UploadPart): Promise<void> {
    const { keeper } = this.#context;
    await holding(this.#context, part.blob.id, () =>
      keeper.change(() => {
        this.checkPartRoom(this.get(id, start), part.number);
        return { changes: [{ kind: "put part", upload: id, part }], result: undefined };
      }));
  }

  /** Aborts an upload and deletes its parts. One that is gone already stays so. */
  async abort({ id }: Upload): Promise<void> {
    const { keeper, state } = this.#context;
    await keeper.change(() => ({
      changes: state.uploads.has(id) ? [{ kind: "end upload", id }] : [],
      result: undefined,
      frees: true,
    }));
  }

  /** Returns the changes to store for a completion, besides the object. */
  completionChanges(id: string, completion: Completion): readonly Change[] {
    const outdated = [...this.#context.state.completions.keys()].slice(0, -MAX_COMPLETED + 1);
    return [
      { kind: "end upload", id },
      ...outdated.map((id): Change => ({ kind: "forget completion", id })),
      { kind: "note completion", id, completion },
    ];
  }
}
