import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const put = (more: object): CheckedItem => ({
  payload: {
    operation: "object.put",
    bucket: "b",
    key: "a.bin",
    size: 3,
    blob: { id: "blob" },
    ...more,
  },
});
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const TEXT = new TextEncoder().encode("hello");
const ZIP = Uint8Array.from([0x50, 0x4b, 3, 4, 0]);
const blobs = { png: PNG, text: TEXT, zip: ZIP };
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

testTwins(CHECKS, {
  "s3.content_type": {
    bad: put({ content_type: "image/jpeg", blob: { id: "png" } }),
    good: put({ content_type: "image/png", blob: { id: "png" } }),
    blobs,
    says: "Declared as image/jpeg, but the content looks like image/png",
  },
  "s3.content_type without a signature": {
    bad: put({ content_type: "application/pdf", blob: { id: "text" } }),
    good: put({ content_type: "text/plain", blob: { id: "text" } }),
    blobs,
  },
  "s3.content_type of a container": {
    bad: put({ content_type: "text/html", blob: { id: "zip" } }),
    good: put({ content_type: WORD, blob: { id: "zip" } }),
    blobs,
  },
  "s3.name": { bad: put({ key: "logs/12:00.txt" }), good: put({ key: "logs/12.00.txt" }) },
  "s3.name of a device": { bad: put({ key: "x/NUL.txt" }), good: put({ key: "x/null.txt" }) },
  "s3.name that is too long": {
    bad: put({ key: "é".repeat(128) }),
    good: put({ key: "é".repeat(127) }),
  },
  "s3.name of decomposed characters": {
    bad: put({ key: "u\u0308ber.txt" }),
    good: put({ key: "\u00fcber.txt" }),
    says: "normalization form C",
  },
  "s3.name with a dot at the end": {
    bad: put({ key: "x." }),
    good: put({ operation: "object.delete", key: "x." }),
  },
  "s3.empty": { bad: put({ size: 0 }), good: put({ size: 0, key: "folder/" }) },
});
