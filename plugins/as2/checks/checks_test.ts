import { type CheckedItem, testTwins, type Twins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const as2 = (fields: object, document = ""): CheckedItem => ({
  payload: {
    payload: {
      size: document.length,
      ...(document === "" ? {} : { format: "x12", blob: { id: "1" } }),
    },
    receipt: { requested: true, signed_requested: true },
    security: { signed: true, encrypted: true, compressed: false },
    ...fields,
  },
});
const secured = (more: object) =>
  as2({ security: { signed: true, encrypted: true, compressed: false, ...more } });
const SIGNER = {
  subject: "CN=a",
  not_before: "2025-01-01T00:00:00Z",
  not_after: "2028-01-01T00:00:00Z",
};
const signedBy = (notBefore: string, notAfter: string) =>
  secured({
    signature: { signer: { subject: "CN=a", not_before: notBefore, not_after: notAfter } },
  });

const ISA =
  "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260131*1200*U*00401*000000001*0*P*>~";
const X12 = `${ISA}
GS*PO*S*R*20260131*1200*7*X*004010~
ST*850*0001~
BEG*00*SA*1**20260131~
SE*3*0001~
GE*1*7~
IEA*1*000000001~
`;
const EDIFACT =
  "UNA:+.? 'UNB+UNOC:3+S+R+260131:1200+1'UNH+5+ORDERS:D:96A:UN'BGM+220+O?'1+9'UNT+3+5'UNZ+1+1'";

/** A valid document, and the same with a part replaced. */
function edited(good: string, from: string, to: string, more: Partial<Twins> = {}): Twins {
  if (!good.includes(from)) throw new Error(`No ${from}`);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const bad = good.replace(from, to);
  return {
    bad: {
      ...as2({}, bad),
      payload: { ...as2({}, bad).payload as object, payload: about("bad", bad) },
    },
    good: {
      ...as2({}, good),
      payload: { ...as2({}, good).payload as object, payload: about("good", good) },
    },
    blobs: { bad: bytes(bad), good: bytes(good) },
    ...more,
  };
}
const about = (id: string, text: string) => ({ size: text.length, format: "x12", blob: { id } });

testTwins(CHECKS, {
  "as2.edi_count of SE": edited(X12, "SE*3*", "SE*4*", {
    says: "SE states 4; counted 3 segments",
    marks: "SE*4*0001",
  }),
  "as2.edi_count of GE": edited(X12, "GE*1*", "GE*2*", { says: "GE states 2; counted 1 ST" }),
  "as2.edi_count of IEA": edited(X12, "IEA*1*", "IEA**", { says: "IEA states nothing" }),
  "as2.edi_count of UNT": edited(EDIFACT, "UNT+3", "UNT+2", { says: "counted 3 segments" }),
  "as2.edi_count of UNZ": edited(EDIFACT, "UNZ+1", "UNZ+9"),
  "as2.edi_control_number": edited(X12, "SE*3*0001", "SE*3*0002", { marks: "SE*3*0002" }),
  "as2.edi_control_number of UNZ": edited(EDIFACT, "UNZ+1+1", "UNZ+1+2"),
  "as2.edi_envelope": edited(X12, "GE*1*7~", "", { says: "GS has no GE" }),
  "as2.edi_envelope without a header": edited(EDIFACT, "UNH+5+ORDERS:D:96A:UN'", "", {
    says: "UNT has no UNH",
  }),
  "as2.edi_envelope of a segment outside": edited(X12, "GE*1*7~", "GE*1*7~N1*ST~", {
    says: "N1 is outside every ST",
    marks: "N1*ST",
  }),
  "as2.edi_envelope of UNZ": edited(EDIFACT, "UNZ+1+1'", "", { says: "UNB has no UNZ" }),
  "as2.edi_control_number of two transaction sets": edited(
    X12.replace("GE*1*7~", "ST*850*0002~\nBEG*00~\nSE*3*0002~\nGE*2*7~"),
    "ST*850*0002~\nBEG*00~\nSE*3*0002~",
    "ST*850*0001~\nBEG*00~\nSE*3*0001~",
    { says: 'Two ST in one GS have the control number "0001"', marks: "ST*850*0001" },
  ),
  "as2.edi_group": edited(X12, "GS*PO*", "GS*IN*", {
    says: 'GS01 is "IN"; a transaction set 850 belongs in PO',
    marks: "ST*850*0001",
  }),
  "as2.edi_charset": edited(
    EDIFACT.replace("UNOC", "UNOA"),
    "BGM+220+O",
    "BGM+220+o",
    { says: '"o" is not a character of UNOA', marks: "o" },
  ),
  "as2.edi_charset of UNOB": edited(EDIFACT, "UNOC:3+S", "UNOB:1+Ü", {
    says: "is not a character of UNOB",
  }),
  "as2.weak_key": {
    bad: secured({ signature: { signer: { ...SIGNER, key_algorithm: "RSA 1024" } } }),
    good: secured({ signature: { signer: { ...SIGNER, key_algorithm: "RSA 2048" } } }),
    says: "has 1024 bits",
  },
  "as2.weak_receipt": {
    bad: as2({ receipt: { requested: true, signed_requested: true, mic_algs: ["sha1", "md5"] } }),
    good: as2({
      receipt: { requested: true, signed_requested: true, mic_algs: ["sha1", "sha-256"] },
    }),
  },
  "as2.edi_isa": edited(X12, "SENDER         ", "SENDER", { says: "ISA has 97 characters" }),
  "as2.weak_encryption": {
    bad: secured({ encryption: { decrypted: true, content_algorithm: "3des" } }),
    good: secured({ encryption: { decrypted: true, content_algorithm: "aes256-cbc" } }),
  },
  "as2.weak_digest": {
    bad: secured({ signature: { digest_algorithm: "sha1" } }),
    good: secured({ signature: { digest_algorithm: "sha256" } }),
  },
  "as2.certificate_expired": {
    bad: signedBy("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
    good: signedBy("2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
  },
  "as2.certificate_expired not yet": {
    bad: signedBy("2026-06-01T00:00:00Z", "2027-01-01T00:00:00Z"),
    good: signedBy("2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
  },
  "as2.certificate_expires": {
    bad: signedBy("2025-01-01T00:00:00Z", "2026-02-10T00:00:00Z"),
    good: signedBy("2025-01-01T00:00:00Z", "2026-03-10T00:00:00Z"),
  },
  "as2.unprotected": {
    bad: as2({ security: { signed: false, encrypted: false, compressed: true } }),
    good: as2({ security: { signed: true, encrypted: false, compressed: false } }),
  },
  "as2.no_receipt": {
    bad: as2({ receipt: { requested: true, signed_requested: false } }),
    good: as2({}),
  },
});
