/** Opens a message layer by layer: multipart/signed, and the CMS forms, in any order. */
import { splitParts } from "../../core/codec/mime/entity.ts";
import { compact } from "../../core/compact.ts";
import { MemoryFullError, reasonOf } from "../../core/errors.ts";
import { WORK_FACTOR } from "../../core/memory/size.ts";
import { inSlices } from "../../core/time_slice.ts";
import type { Certificate } from "./certificate.ts";
import type { Bytes, PrivateKey } from "./cms_crypto.ts";
import { digestByName, type DigestName, ZLIB_OID } from "./codec/algorithms.ts";
import { isPkcs7 } from "./codec/as2_header.ts";
import {
  type CmsContent,
  type CompressedData,
  type EnvelopedData,
  readCms,
  type SignedData,
} from "./codec/cms.ts";
import { decrypt, toEncryption } from "./decrypt.ts";
import { inflate } from "./inflate.ts";
import { cmsOctets, type MimeEntity, readEntity } from "./mime.ts";
import type { CompressionInfo, Encryption, Issue, Layer, LayerKind, Signature } from "./model.ts";
import { type Covered, isBy, toSignature, type Verdict, verifySignatures } from "./signature.ts";

/** Keys and limits for opening messages. */
export interface Keys {
  /** The service's key; absent if there is none. */
  readonly own?: { readonly key: PrivateKey; readonly certificate: Certificate };
  readonly partner?: Certificate;
  readonly now: Date;
  /** Largest size of an opened layer. */
  readonly maxBytes: number;
  /** Reserves memory for this many opened bytes. Rejects with `MemoryFullError`. */
  room(bytes: number): Promise<void> | undefined;
  /** Counts bytes that are garbage once they have been read, and may wait for a collection. */
  waste(bytes: number): Promise<void> | undefined;
}

/** An opened message. */
export interface Unwrapped {
  readonly layers: readonly Layer[];
  readonly issues: readonly Issue[];
  /** The innermost entity reached. */
  readonly inner: MimeEntity;
  /** A layer did not open: `inner` is that layer. */
  readonly recovered: boolean;
  /** Content that the outermost signature covers. */
  readonly signed?: Covered;
  readonly digest?: DigestName;
  readonly signature?: Signature;
  readonly encryption?: Encryption;
  readonly compression?: CompressionInfo;
}

/** A message with more layers is an attack. */
const MAX_LAYERS = 10;

/** Opens a message. A layer that does not open is an issue. Rejects only with `MemoryFullError`. */
export async function unwrap(outer: MimeEntity, keys: Keys): Promise<Unwrapped> {
  const unwrapper = new Unwrapper(keys);
  await unwrapper.run(outer);
  return unwrapper.result(outer);
}

/** Result of opening one layer. */
interface Opened {
  /** Absent if the inside was not reached. */
  readonly inner?: Bytes;
}

class Unwrapper {
  readonly #keys: Keys;
  readonly #layers: Layer[] = [];
  readonly #issues: Issue[] = [];
  #inner: MimeEntity | undefined;
  #recovered = false;
  #signed: Covered | undefined;
  #digest: DigestName | undefined;
  #signature: Signature | undefined;
  #encryption: Encryption | undefined;
  #compression: Omit<CompressionInfo, "placement"> | undefined;
  /** Bytes of the layers opened so far. */
  #unpacked = 0;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  async run(outer: MimeEntity): Promise<void> {
    let entity = outer;
    for (;;) {
      this.#inner = entity;
      if (!isLayer(entity)) return;
      if (this.#layers.length >= MAX_LAYERS) {
        this.#issue("too-many-layers", `Only ${MAX_LAYERS} layers are opened`);
        this.#recovered = true;
        return;
      }
      const { inner } = await this.#open(entity);
      if (inner === undefined) {
        this.#recovered = true;
        return;
      }
      entity = readEntity(inner);
    }
  }

  result(outer: MimeEntity): Unwrapped {
    return {
      layers: this.#layers,
      issues: this.#issues,
      inner: this.#inner ?? outer,
      recovered: this.#recovered,
      ...compact({
        signed: this.#signed,
        digest: this.#digest,
        signature: this.#signature,
        encryption: this.#encryption,
      }),
      ...(this.#compression === undefined
        ? {}
        : { compression: { ...this.#compression, placement: placementOf(this.#layers) } }),
    };
  }

  #makeRoom(bytes: number): Promise<void> | undefined {
    return this.#keys.room(this.#unpacked + bytes);
  }

  #issue(code: string, detail: string, severity: Issue["severity"] = "error"): void {
    this.#issues.push({ code, detail, severity });
  }

  #layer(
    entity: MimeEntity,
    kind: LayerKind,
    about: { bytes: number; opened: boolean; algorithm?: string | undefined },
  ): void {
    const { bytes, opened, algorithm } = about;
    const smimeType = entity.contentType.parameters.get("smime-type");
    this.#layers.push({
      bytes,
      kind,
      opened,
      ...compact({
        algorithm,
        content_type: entity.statedType || undefined,
        smime_type: smimeType,
      }),
    });
  }

  async #open(entity: MimeEntity): Promise<Opened> {
    if (entity.contentType.value === "multipart/signed") return await this.#openDetached(entity);
    let content: CmsContent;
    let octets = entity.body;
    try {
      octets = cmsOctets(entity);
      content = readCms(octets);
    } catch (error) {
      this.#layer(entity, declaredKind(entity), { bytes: octets.length, opened: false });
      this.#issue("unparsable-body", `Cannot read a layer: ${reasonOf(error)}`);
      return {};
    }
    switch (content.kind) {
      case "signed":
        return await this.#openOpaque(entity, content, octets.length);
      case "encrypted":
        return await this.#decrypt(entity, content, octets.length);
      case "compressed":
        return await this.#decompress(entity, content, octets.length);
    }
  }

  async #openDetached(entity: MimeEntity): Promise<Opened> {
    const boundary = entity.contentType.parameters.get("boundary") ?? "";
    const { parts } = boundary === ""
      ? { parts: [] }
      : await inSlices(splitParts(entity.body, boundary, 10));
    const [first, second] = parts as readonly Bytes[];
    const bytes = entity.body.length;
    if (first === undefined || second === undefined) {
      this.#layer(entity, "signed", { bytes, opened: false });
      this.#issue("unparsable-body", "Cannot read a multipart/signed: it does not have two parts");
      return {};
    }
    let data: CmsContent | undefined;
    let error = "the second part is not a signature";
    try {
      data = readCms(cmsOctets(readEntity(second)));
    } catch (thrown) {
      error = reasonOf(thrown);
    }
    const verdict: Verdict = data?.kind === "signed"
      ? await verifySignatures(data, first, this.#keys.partner)
      : {
        verified: false,
        fault: "authentication",
        error: `Cannot read the signature: ${error}`,
        chain: [],
      };
    this.#layer(entity, "signed", { bytes, opened: true, algorithm: verdict.signatureName });
    this.#note(entity, first, verdict);
    return { inner: first };
  }

  async #openOpaque(entity: MimeEntity, data: SignedData, bytes: number): Promise<Opened> {
    const { content } = data;
    if (content === undefined) {
      this.#layer(entity, "signed", { bytes, opened: false });
      this.#issue("unparsable-body", "Cannot read signed data: it has no content");
      return {};
    }
    const verdict = await verifySignatures(data, content, this.#keys.partner);
    this.#layer(entity, "signed", { bytes, opened: true, algorithm: verdict.signatureName });
    this.#note(entity, content, verdict);
    return { inner: content };
  }

  #note(entity: MimeEntity, content: Bytes, verdict: Verdict): void {
    const { partner, now } = this.#keys;
    const { signer, error, fault } = verdict;
    const matched = verdict.verified && isBy(verdict, partner);
    const micalg = entity.contentType.parameters.get("micalg");
    const protocol = entity.contentType.parameters.get("protocol");
    if (this.#signed === undefined) {
      this.#signed = verdict.covered ?? { content };
      this.#digest = verdict.digest ?? digestByName(micalg ?? "");
    }
    this.#signature ??= toSignature(verdict, { partner, matched, micalg, protocol });
    if (fault === "integrity") this.#issue("integrity-check-failed", error ?? "The digest differs");
    else if (fault !== undefined) {
      this.#issue("signature-invalid", error ?? "The signature is wrong");
    }
    if (verdict.canonicalized) {
      this.#issue(
        "content-not-canonical",
        "The signature verifies only with every line end as CRLF",
        "warning",
      );
    }
    if (verdict.verified && partner !== undefined && !matched) {
      this.#issue(
        "signer-not-partner",
        `Signed by "${signer?.info.subject}", which is not the configured partner` +
          (verdict.partnerError === undefined
            ? ""
            : `; the partner's own signature does not count: ${verdict.partnerError}`),
        "warning",
      );
    }
    if (
      micalg !== undefined && verdict.digest !== undefined &&
      digestByName(micalg) !== verdict.digest
    ) {
      this.#issue(
        "micalg-mismatch",
        `Declared "${micalg}", but ${verdict.digest} is used`,
        "warning",
      );
    }
    if (signer !== undefined) this.#checkValidity(signer, now);
  }

  #checkValidity({ info }: Certificate, now: Date): void {
    if (Date.parse(info.not_after) < now.getTime()) {
      this.#issue("signer-certificate-expired", `Valid only until ${info.not_after}`, "warning");
    }
    if (Date.parse(info.not_before) > now.getTime()) {
      this.#issue(
        "signer-certificate-not-yet-valid",
        `Valid only from ${info.not_before}`,
        "warning",
      );
    }
  }

  async #decrypt(entity: MimeEntity, data: EnvelopedData, bytes: number): Promise<Opened> {
    const { own } = this.#keys;
    let inner: Bytes | undefined;
    let error: string | undefined;
    if (own === undefined) {
      error = "Cannot decrypt: the service has no key, see its identity";
      this.#issue("identity-not-ready", error);
    } else {
      try {
        inner = await decrypt(data, own);
      } catch (thrown) {
        error = reasonOf(thrown);
        this.#issue("decryption-failed", error);
      }
    }
    const about = toEncryption(data, error);
    const algorithm = [
      about.content_algorithm ?? about.content_algorithm_oid,
      about.key_algorithm ?? about.key_algorithm_oid,
    ].filter((name) => name !== undefined).join(", ");
    this.#layer(entity, "encrypted", { bytes, opened: inner !== undefined, algorithm });
    this.#encryption ??= about;
    return inner === undefined ? {} : { inner };
  }

  async #decompress(entity: MimeEntity, data: CompressedData, bytes: number): Promise<Opened> {
    let inner: Bytes | undefined;
    let error: string | undefined;
    try {
      const { maxBytes } = this.#keys;
      inner = await inflate(data, {
        maxBytes,
        room: (bytes) => this.#makeRoom(bytes),
        waste: (bytes) => this.#keys.waste(bytes),
      });
      await this.#makeRoom(WORK_FACTOR * inner.length);
      this.#unpacked += inner.length;
    } catch (thrown) {
      if (thrown instanceof MemoryFullError) throw thrown;
      error = reasonOf(thrown);
      this.#issue("decompression-failed", `Cannot decompress: ${error}`);
    }
    const algorithm = data.algorithm.oid === ZLIB_OID ? "zlib" : data.algorithm.oid;
    this.#layer(entity, "compressed", { bytes, opened: inner !== undefined, algorithm });
    this.#compression ??= {
      ...(data.algorithm.oid === ZLIB_OID ? { algorithm: "zlib" } : {}),
      algorithm_oid: data.algorithm.oid,
      compressed_size: data.compressed.length,
      decompressed: inner !== undefined,
      ...compact({ decompressed_size: inner?.length, error }),
    };
    return inner === undefined ? {} : { inner };
  }
}

/** Returns whether an entity wraps another. */
function isLayer({ contentType: { value, parameters } }: MimeEntity): boolean {
  if (value === "multipart/signed") return isPkcs7(parameters.get("protocol") ?? "pkcs7-signature");
  return value === "application/pkcs7-mime" || value === "application/x-pkcs7-mime";
}

/** Returns the position of the outermost compression: `before-signing` is inside a signature. */
function placementOf(layers: readonly Layer[]): string {
  const compressed = layers.findIndex(({ kind }) => kind === "compressed");
  const isSigned = ({ kind }: Layer): boolean => kind === "signed";
  if (layers.slice(0, compressed).some(isSigned)) return "before-signing";
  return layers.slice(compressed).some(isSigned) ? "after-signing" : "unsigned";
}

/** Returns the stated kind of an unreadable layer. */
function declaredKind({ contentType }: MimeEntity): LayerKind {
  const stated = contentType.parameters.get("smime-type")?.toLowerCase() ?? "";
  if (stated.startsWith("signed")) return "signed";
  return stated.startsWith("compressed") ? "compressed" : "encrypted";
}
