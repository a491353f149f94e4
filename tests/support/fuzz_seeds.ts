/**
 * Complete messages as seeds for several decoders.
 *
 * @module
 */

/** A mail with typical features: groups, encoded words, continued parameters, nested parts. */
export const MAIL = "From: Ada <a@example.com>\r\nTo: b@example.org, Team: c@x.y;\r\n" +
  "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?x?B?QQ==?=\r\nMIME-Version: 1.0\r\n" +
  "Content-Type: multipart/mixed; boundary=\"b\"; name*0*=utf-8''a%20; name*1=c\r\n\r\n" +
  "--b\r\nContent-Type: text/plain; format=flowed; charset=koi8-r\r\n" +
  "Content-Transfer-Encoding: quoted-printable\r\n\r\n> a =\r\n=E4 b\r\n--b\r\n" +
  "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n" +
  "Content-Transfer-Encoding: base64\r\n\r\nAAEC\r\n--b--\r\n";
/** Repetitions, escapes and embedded bytes. */
export const HL7 = "MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5|||AL|NE||UNICODE UTF-8\r" +
  "PID|1||4711^^^X~2^^&3||M\\F\\ller^J\\X41\\||19700101\rOBX|1|ED|x||^^^Base64^QQ==\r";
/** Every kind of value. */
export const JSON_BODY = '{"a":[1,2.5e3,true,null,"\\u00e9\\n"],"b":{"c":"x","c":1},"to":"a@b"}';
