/**
 * Names of EDI segments and of the elements of their envelopes: ASC X12 (004010) and UN/EDIFACT (D.01B, ISO 9735).
 */

/**
 * Name of the segment, then of its elements, separated by `/`; an empty name means that there is no short one.
 * @type {Readonly<Record<string, string>>}
 */
const X12 = {
  ACK: "Line item acknowledgement/Status/Quantity/Unit/Date qualifier/Date",
  AK1: "Group response/Functional id/Group control number",
  AK2: "Transaction set response/Transaction set id/Control number",
  AK3: "Segment note/Segment id/Position/Loop id/Error",
  AK4: "Element note/Position/Element reference/Error/Copy of the element",
  AK5: "Transaction set result/Result/Error",
  AK9: "Group result/Result/Sets included/Sets received/Sets accepted",
  AMT: "Amount/Qualifier/Amount",
  BAK: "Beginning of acknowledgement/Purpose/Acknowledgement type/Order number/Date",
  BEG: "Beginning of purchase order/Purpose/Order type/Order number/Release number/Date",
  BIG: "Beginning of invoice/Invoice date/Invoice number/Order date/Order number",
  BSN: "Beginning of ship notice/Purpose/Shipment id/Date/Time",
  CAD: "Carrier detail",
  CTT: "Totals/Line items/Hash total",
  CUR: "Currency/Entity/Currency code",
  DTM: "Date or time/Qualifier/Date/Time",
  FOB: "Delivery terms/Payment method",
  GE: "Group trailer/Transaction sets/Control number",
  GS:
    "Group header/Functional id/Sender/Receiver/Date/Time/Control number/Responsible agency/Version",
  HL: "Hierarchical level/Id/Parent id/Level code/Child code",
  IEA: "Interchange trailer/Groups/Control number",
  ISA:
    "Interchange header/Authorization qualifier/Authorization/Security qualifier/Security/Sender qualifier/Sender/" +
    "Receiver qualifier/Receiver/Date/Time/Repetition separator or standard/Version/Control number/" +
    "Acknowledgement wanted/Usage/Component separator",
  IT1: "Invoice line/Line/Quantity/Unit/Unit price",
  ITD: "Terms of sale",
  LIN: "Item identification/Line/Qualifier/Product id",
  LX: "Assigned number/Number",
  MAN: "Marks and numbers/Qualifier/Number",
  MSG: "Message text/Text",
  N1: "Party/Entity/Name/Id qualifier/Id",
  N2: "More of the name/Name/Name",
  N3: "Address/Line/Line",
  N4: "Place/City/State/Postal code/Country",
  N9: "Reference/Qualifier/Reference",
  NM1: "Name/Entity/Type/Last or organization name/First name",
  PER: "Contact/Function/Name/Number qualifier/Number",
  PID: "Product description/Type/Characteristic/Agency/Code/Description",
  PO1: "Order line/Line/Quantity/Unit/Unit price/Basis/Id qualifier/Product id",
  PRF: "Purchase order reference/Order number",
  REF: "Reference/Qualifier/Reference/Description",
  SAC: "Allowance or charge",
  SCH: "Delivery schedule/Quantity/Unit",
  SE: "Transaction set trailer/Segments/Control number",
  SN1: "Shipped item/Line/Units shipped/Unit",
  ST: "Transaction set header/Transaction set id/Control number",
  TD1: "Packaging",
  TD5: "Carrier routing",
  TDS: "Total/Amount",
  TXI: "Tax",
};

/** @type {Readonly<Record<string, string>>} */
const EDIFACT = {
  ALC: "Allowance or charge",
  BGM: "Beginning of message/Document name/Document number/Function",
  CNT: "Control total/Control",
  COM: "Communication contact/Contact",
  CPS: "Consignment packing sequence/Id/Parent id",
  CTA: "Contact/Function/Department or employee",
  CUX: "Currencies/Currency",
  DOC: "Document details/Document",
  DTM: "Date or time/Date, time, period",
  EQD: "Equipment/Qualifier/Id",
  FTX: "Free text/Subject/Function/Reference/Text",
  GIN: "Goods identity number/Qualifier/Number",
  GIR: "Related identification numbers",
  IMD: "Item description/Format/Characteristic/Description",
  LIN: "Line item/Line/Action/Item number",
  LOC: "Place/Function/Place",
  MEA: "Measurements/Purpose/Measurement/Value",
  MOA: "Monetary amount/Amount",
  NAD:
    "Name and address/Party/Party id/Name and address/Name/Street/City/Region/Postal code/Country",
  PAC: "Package/Number/Details/Type",
  PAT: "Payment terms/Type/Terms/Period",
  PCD: "Percentage/Percentage",
  PCI: "Package identification/Instructions/Marks",
  PIA: "Additional product id/Function/Item number",
  PRI: "Price/Price",
  QTY: "Quantity/Quantity",
  RFF: "Reference/Reference",
  STS: "Status",
  TAX: "Duty, tax or fee/Function/Type/Account/Basis/Rate",
  TDT: "Transport/Stage/Journey/Mode/Means/Carrier",
  TOD: "Terms of delivery/Function/Payment method/Terms",
  UCF: "Group response",
  UCI: "Interchange response/Control reference/Sender/Receiver/Action/Error",
  UCM: "Message response/Reference/Identifier/Action/Error",
  UNA: "Service string advice",
  UNB:
    "Interchange header/Syntax identifier/Sender/Recipient/Prepared/Control reference/Password/Application reference/" +
    "Priority/Acknowledgement request/Agreement/Test",
  UNE: "Group trailer/Messages/Reference",
  UNG: "Group header/Message group/Sender/Recipient/Prepared/Reference/Agency/Version",
  UNH: "Message header/Reference/Identifier/Common access reference/Status",
  UNS: "Section control/Section",
  UNT: "Message trailer/Segments/Reference",
  UNZ: "Interchange trailer/Messages or groups/Control reference",
};

const TABLES = { x12: X12, edifact: EDIFACT };

/**
 * Returns the name of a segment; empty if unknown.
 * @param {"x12" | "edifact"} standard
 * @param {string} tag
 */
export function segmentName(standard, tag) {
  return names(standard, tag)[0] ?? "";
}

/**
 * Returns the name of an element, counted from 1; empty if unknown.
 * @param {"x12" | "edifact"} standard
 * @param {string} tag
 * @param {number} position
 */
export function elementName(standard, tag, position) {
  return names(standard, tag)[position] ?? "";
}

/** @param {"x12" | "edifact"} standard @param {string} tag */
function names(standard, tag) {
  const table = TABLES[standard];
  return Object.hasOwn(table, tag) ? table[tag]?.split("/") ?? [] : [];
}

/**
 * Formats a position: `BEG03`, `BEG03-2` in X12, `NAD+2`, `NAD+2.1` in EDIFACT; repetitions in brackets.
 * @param {"x12" | "edifact"} standard
 * @param {string} tag
 * @param {{ position: number, repetition?: number | undefined, component?: number | undefined }} at
 */
export function placeName(standard, tag, { position, repetition, component }) {
  const element = standard === "x12" ? String(position).padStart(2, "0") : `+${position}`;
  const times = repetition === undefined ? "" : `[${repetition}]`;
  const part = component === undefined ? "" : `${standard === "x12" ? "-" : "."}${component}`;
  return `${tag}${element}${times}${part}`;
}
