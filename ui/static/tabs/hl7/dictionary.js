/** Names of segments and of their fields, from the tables of HL7 v2 (2.5.1, chapters 2 to 10). */

/**
 * Name of the segment, then of its fields, separated by `/`; an empty name means that there is no common one.
 * @type {Readonly<Record<string, string>>}
 */
const SEGMENTS = {
  ABS: "Abstract",
  ACC: "Accident/Date and time/Code/Location",
  ADD: "Addendum",
  AIG: "Appointment: general resource/Set id/Action code/Resource id/Resource type",
  AIL: "Appointment: location/Set id/Action code/Location/Location type",
  AIP: "Appointment: personnel/Set id/Action code/Person/Resource type",
  AIS: "Appointment: service/Set id/Action code/Service/Start",
  AL1: "Allergy/Set id/Type/Allergen/Severity/Reaction/Identified on",
  BHS:
    "Batch header/Field separator/Encoding characters/Sending application/Sending facility/Receiving application/" +
    "Receiving facility/Created/Security/Name, id, type/Comment/Control id/Reference control id",
  BTS: "Batch trailer/Message count/Comment/Totals",
  DG1: "Diagnosis/Set id/Coding method/Code/Description/Date and time/Type",
  DSC: "Continuation pointer/Pointer/Style",
  ERR:
    "Error/Code and location/Error location/HL7 error code/Severity/Application error code/Parameter/Diagnostics/" +
    "User message",
  EVN: "Event type/Event code/Recorded/Planned/Reason/Operator/Occurred/Facility",
  FHS:
    "File header/Field separator/Encoding characters/Sending application/Sending facility/Receiving application/" +
    "Receiving facility/Created/Security/Name, id/Comment/Control id/Reference control id",
  FT1: "Financial transaction/Set id/Transaction id/Batch id/Date/Posted/Type/Code/Description",
  FTS: "File trailer/Batch count/Comment",
  GT1:
    "Guarantor/Set id/Number/Name/Spouse/Address/Home phone/Business phone/Date of birth/Sex/Type",
  IN1:
    "Insurance/Set id/Plan id/Company id/Company name/Company address/Contact/Phone/Group number/Group name/" +
    "Group employer id/Group employer name/Effective/Expires",
  IN2: "Insurance, additional/Employee id/Social security number",
  MRG:
    "Merge/Prior patient identifiers/Prior alternate id/Prior account number/Prior patient id/Prior visit number/" +
    "Prior alternate visit id/Prior name",
  MSA:
    "Acknowledgement/Code/Message control id/Text/Expected sequence number/Delayed acknowledgement/Error condition",
  MSH:
    "Message header/Field separator/Encoding characters/Sending application/Sending facility/Receiving application/" +
    "Receiving facility/Date and time/Security/Message type/Control id/Processing id/Version/Sequence number/" +
    "Continuation pointer/Accept acknowledgement/Application acknowledgement/Country/Character set/" +
    "Principal language/Alternate character sets/Profile",
  NK1:
    "Next of kin/Set id/Name/Relationship/Address/Phone/Business phone/Contact role/Start/End/Job title",
  NTE: "Notes and comments/Set id/Source/Comment/Type",
  OBR:
    "Observation request/Set id/Placer order number/Filler order number/Service/Priority/Requested/" +
    "Observed from/Observed to/Collection volume/Collector/Action code/Danger code/Clinical information/" +
    "Specimen received/Specimen source/Ordering provider/Callback phone/Placer field 1/Placer field 2/" +
    "Filler field 1/Filler field 2/Results reported/Charge/Diagnostic service/Result status/Parent result/" +
    "Quantity, timing/Copies to/Parent/Transport/Reason for study",
  OBX:
    "Observation/Set id/Value type/Observation id/Sub-id/Value/Units/Reference range/Abnormal flags/Probability/" +
    "Nature of abnormal test/Result status/Effective date of range/Access checks/Observed/Producer/Observer/Method",
  ORC:
    "Common order/Order control/Placer order number/Filler order number/Placer group/Order status/Response flag/" +
    "Quantity, timing/Parent/Transaction time/Entered by/Verified by/Ordering provider/Enterer's location/" +
    "Callback phone/Effective/Reason",
  PD1:
    "Additional demographics/Living dependency/Living arrangement/Primary facility/Primary care provider/Student",
  PID:
    "Patient/Set id/Patient id/Patient identifiers/Alternate id/Name/Mother's maiden name/Date of birth/Sex/Alias/" +
    "Race/Address/County/Home phone/Business phone/Language/Marital status/Religion/Account number/" +
    "Social security number/Driver's licence/Mother's identifier/Ethnic group/Birth place/Multiple birth/" +
    "Birth order/Citizenship/Veteran/Nationality/Died/Death indicator",
  PR1: "Procedure/Set id/Coding method/Code/Description/Date and time/Type",
  PV1:
    "Visit/Set id/Patient class/Location/Admission type/Preadmit number/Prior location/Attending doctor/" +
    "Referring doctor/Consulting doctor/Hospital service/Temporary location/Preadmit test/Readmission/" +
    "Admit source/Ambulatory status/VIP/Admitting doctor/Patient type/Visit number/Financial class/" +
    "Charge price/Courtesy code/Credit rating/Contract code/Contract effective/Contract amount/" +
    "Contract period/Interest code/Bad debt code/Bad debt date/Bad debt agency/Bad debt transferred/" +
    "Bad debt recovered/Account deleted/Account deleted on/Discharge disposition/Discharged to/Diet/" +
    "Servicing facility/Bed status/Account status/Pending location/Prior temporary location/Admitted/Discharged",
  PV2:
    "Visit, additional/Prior pending location/Accommodation/Admit reason/Transfer reason/Valuables",
  QAK: "Query acknowledgement/Query tag/Response status/Query name/Hits/Hits here/Hits remaining",
  QPD: "Query parameters/Query name/Query tag/Parameters",
  QRD:
    "Query definition/Date and time/Format/Priority/Query id/Deferred response/Deferred until/Quantity limit/" +
    "Who/What/Department/Data code",
  RCP: "Response control/Priority/Quantity limit/Modality",
  RGS: "Resource group/Set id/Action code/Group id",
  ROL: "Role/Instance id/Action code/Role/Person/Begin/End",
  RXA: "Administration/Sub-id/Administration/Start/End/Code/Amount/Units",
  RXD: "Dispense/Sub-id/Code/Dispensed/Amount/Units/Form/Prescription number",
  RXE: "Encoded order/Quantity, timing/Give code/Minimum/Maximum/Units/Form",
  RXO: "Pharmacy order/Give code/Minimum/Maximum/Units/Form",
  RXR: "Pharmacy route/Route/Site/Device/Method",
  SCH:
    "Scheduling/Placer appointment id/Filler appointment id/Occurrence/Placer group/Schedule id/Event reason/" +
    "Appointment reason/Appointment type/Duration/Duration units/Timing",
  SPM: "Specimen/Set id/Specimen id/Parents/Type",
  TXA:
    "Document/Set id/Type/Content/Activity time/Activity provider/Origination/Transcribed/Edited/Originator/" +
    "Authenticator/Transcriptionist/Unique number/Parent number/Placer order/Filler order/File name/Completion",
  TQ1:
    "Timing/Set id/Quantity/Repeat pattern/Explicit time/Relative time/Duration/Start/End/Priority",
};

/** @type {Map<string, readonly string[]>} */
const names = new Map(Object.entries(SEGMENTS).map(([id, text]) => [id, text.split("/")]));

/** @param {string} id @returns {string} empty for a segment without a common name */
export function segmentName(id) {
  return names.get(id)?.[0] ?? (id.startsWith("Z") ? "Site-defined" : "");
}

/** @param {string} id @param {number} position @returns {string} empty for a field without a common name */
export function fieldName(id, position) {
  return names.get(id)?.[position] ?? "";
}
