import { xml } from "../reply.ts";
import type { Operation } from "../request.ts";

/** GetBucketVersioning: `GET /bucket?versioning`. Empty: versioning was never switched on. */
export const getBucketVersioning: Operation = ({ catalog, target }) => {
  catalog.bucket(target.bucket);
  return xml("VersioningConfiguration", []);
};
