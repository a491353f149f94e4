/** Senders that name no brand, which networks block: https://www.twilio.com/en-us/guidelines/gb/sms */

/** In the pages of most countries. */
export const GENERIC = /^(?:info|infosms|notify|sms|text|verify)$/i;

/** In the page of the United Kingdom. */
export const GENERIC_IN_BRITAIN = new RegExp(
  `^(?:${
    ("1TimePin 2FA Accept Access Account Active Admin Advise Alert Allow Allowance App Appointment Approve Approved Auth " +
      "AuthMsg Authorise AuthSMS Aware Bank Banking Bill Billing Call Card Caution Certify Check CloudOTP Code Collect " +
      "Collection Confirm Contact Control Courier Delay Deliver Delivery Discount Energy Fraud Help Info InfoSMS ISA Key " +
      "Loan Login Logistics LogMeIn Logon Malware Message Mobile Mortgage MSG MsgAuth Network NoReply Notify OneTimePin " +
      "Order OTP OTPSMS Package Parcel Pay Payment Pin PinCode Post Protocol Purchase Ratify Rebate Receipt Refund " +
      "Reminder Repayment Reply Respond Save Saving Savings Scam Schedule Secure Security Service Shipping Sign Signin " +
      "Signon SMS SMSAuth SMSCode SMSInfo SMSOTP SMSVerify Support System Text Trace Track Tracking Trust TXT Update " +
      "Updates Validate Verify VerifyMe VerifySMS Virus Warn Warning Winner").replaceAll(" ", "|")
  })$`,
  "i",
);
