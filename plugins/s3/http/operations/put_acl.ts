import { BUCKET_ACLS, type CannedAcl, grantsOf, OBJECT_ACLS } from "../../codec/acl.ts";
import { childrenOf, childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readAcl } from "../acl.ts";
import { readXmlBody } from "../text_body.ts";
import { empty, OWNER_ID } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { GRANTEE } from "../setting_shapes.ts";
import { checkShape, type Shape } from "../shapes.ts";
import { tellChange } from "../tell_change.ts";
import { entryOf, findObject, versionHeaders } from "../versions.ts";

/** PutBucketAcl: `PUT /bucket?acl`. */
export const putBucketAcl: Operation = async (request) => {
  const { catalog, target } = request;
  catalog.bucket(target.bucket);
  const acl = await readWanted(request, "bucket");
  // It may be gone by now.
  await catalog.setAcl(catalog.bucket(target.bucket), acl);
  return empty(200);
};

/** PutObjectAcl: `PUT /bucket/key?acl`. */
export const putObjectAcl: Operation = async (request) => {
  const { catalog, target } = request;
  findObject(request, { changes: true });
  const acl = await readWanted(request, "object");
  const object = await catalog.amend(catalog.bucket(target.bucket), entryOf(request), { acl });
  tellChange(request, object, "object.acl");
  return empty(200, versionHeaders(request, object));
};

/** Reads the ACL from header field or document. Throws `NotImplemented` for grants that match no canned ACL. */
async function readWanted(request: S3Request, of: "bucket" | "object"): Promise<CannedAcl> {
  const { acl } = readAcl(request.call.headers, of);
  const root = await readXmlBody(request);
  if (root === undefined && acl === undefined) {
    throw new S3Error("MissingSecurityHeader", "Cannot put an ACL without x-amz-acl or a document");
  }
  if (root === undefined) return acl!;
  if (acl !== undefined) {
    throw new S3Error("UnexpectedContent", "Cannot put an ACL by both x-amz-acl and a document");
  }
  return readDocument(root, of);
}

const DOCUMENT: Shape = {
  Owner: { in: { ID: {}, DisplayName: {} } },
  AccessControlList: {
    required: true,
    in: {
      Grant: {
        // Amazon S3 user guide: an ACL can have up to 100 grants.
        most: 100,
        in: {
          Grantee: GRANTEE,
          Permission: {
            required: true,
            words: ["FULL_CONTROL", "WRITE", "WRITE_ACP", "READ", "READ_ACP"],
          },
        },
      },
    },
  },
};

function readDocument(root: XmlNode, of: "bucket" | "object"): CannedAcl {
  if (root.name !== "AccessControlPolicy") {
    throw new S3Error("MalformedACLError", "Cannot put an ACL: expected AccessControlPolicy");
  }
  checkShape(root, DOCUMENT);
  checkOwner(root);
  const [list] = childrenOf(root, "AccessControlList");
  const grants = new Set(childrenOf(list!, "Grant").map(toLine));
  const known = of === "bucket" ? BUCKET_ACLS : OBJECT_ACLS;
  const acl = known.find((one) => {
    const lines = [
      `${OWNER_ID} FULL_CONTROL`,
      ...grantsOf(one).map(({ to, permission }) => `${"uri" in to ? to.uri : to.id} ${permission}`),
    ];
    return lines.length === grants.size && lines.every((line) => grants.has(line));
  });
  if (acl !== undefined) return acl;
  throw new S3Error(
    "NotImplemented",
    `Cannot keep the grants ${[...grants].join(", ") || "(none)"}: expected ` +
      `${OWNER_ID} FULL_CONTROL and the grants of a canned ACL`,
  );
}

/** S3 gives nothing away: the owner stays. */
function checkOwner(root: XmlNode): void {
  const [owner] = childrenOf(root, "Owner");
  const id = owner === undefined ? undefined : childText(owner, "ID")?.trim();
  if (id === undefined || id === OWNER_ID) return;
  throw new S3Error(
    "AccessDenied",
    `Cannot change the Owner to "${id}": expected ${OWNER_ID}, or no Owner`,
  );
}

function toLine(grant: XmlNode): string {
  const [grantee] = childrenOf(grant, "Grantee");
  const [id, uri, mail] = ["ID", "URI", "EmailAddress"].map((name) =>
    childText(grantee!, name)?.trim()
  );
  return `${id ?? uri ?? mail ?? "nobody"} ${childText(grant, "Permission")!.trim()}`;
}
