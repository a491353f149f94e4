import { type Operation, readCount } from "../request.ts";
import { OWNER, xml, xmlDate } from "../reply.ts";
import { regionOf } from "./bucket.ts";

const MAX_BUCKETS = 10_000;

/** ListBuckets: `GET /`. */
export const listBuckets: Operation = ({ catalog, query }) => {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const most = Math.min(readCount(query, "max-buckets", MAX_BUCKETS), MAX_BUCKETS);
  const region = query.get("bucket-region");
  const fitting = catalog.buckets().filter((bucket) =>
    bucket.name.startsWith(prefix) && bucket.name > after &&
    (region === null || regionOf(bucket) === region)
  );
  const page = fitting.slice(0, most);
  const last = page.at(-1)?.name;
  return xml("ListAllMyBucketsResult", [
    ["Owner", OWNER],
    [
      "Buckets",
      page.map(({ name, created }) => ["Bucket", [
        ["Name", name],
        ["CreationDate", xmlDate(created)],
      ]]),
    ],
    ["ContinuationToken", fitting.length > page.length ? last : undefined],
    ["Prefix", query.has("prefix") ? prefix : undefined],
  ]);
};
