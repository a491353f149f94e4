import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";

const DEFAULT_REGION = "us-east-1";

/** HeadBucket: `HEAD /bucket`. */
export const headBucket: Operation = ({ catalog, target }) => {
  const { region } = catalog.bucket(target.bucket);
  return empty(200, { "x-amz-bucket-region": region === "" ? DEFAULT_REGION : region });
};
