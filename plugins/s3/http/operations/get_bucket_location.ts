import { xml } from "../reply.ts";
import type { Operation } from "../request.ts";

/** GetBucketLocation: `GET /bucket?location`; empty for us-east-1. */
export const getBucketLocation: Operation = ({ catalog, target }) =>
  xml("LocationConstraint", catalog.bucket(target.bucket).region);
