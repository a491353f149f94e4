import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const upload = (path: string, more: object = {}): CheckedItem => ({
  payload: { operation: "upload", path, dir: false, size: 3, blob: { id: "pdf" }, ...more },
});
const blobs = { pdf: new TextEncoder().encode("%PDF-1.7") };

testTwins(CHECKS, {
  "files.content_type": {
    bad: upload("/in/photo.png"),
    good: upload("/in/invoice.pdf"),
    blobs,
    says: "Declared as image/png, but the content looks like application/pdf",
  },
  "files.name": { bad: upload("/in/a?.csv"), good: upload("/in/a.csv") },
  "files.empty": { bad: upload("/in/a.csv", { size: 0 }), good: upload("/in/a.csv") },
});
