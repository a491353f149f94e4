/** Snippets that send one admission. */
import type { Endpoint, Snippet } from "../../../core/plugin.ts";

const FIELDS = "APP|HOSPITAL|EHR|CLINIC|20260131120000||ADT^A01|MSG00001|P|2.5.1";
const PATIENT = "PID|1||4711^^^HOSPITAL^MR||Lovelace^Ada||18151210|F";

/** One admission, sent with four clients. */
export function snippets({ hostname, port }: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Send one message with bash",
      lang: "sh",
      code: `bash -c 'exec 3<>/dev/tcp/${hostname}/${port}
printf "\\013MSH|^~\\\\\\\\&|${FIELDS}\\r${PATIENT}\\r\\034\\r" >&3
IFS= read -r -d $'"'\\034'"' -t 5 answer <&3; printf "%s\\n" "$answer" | tr "\\r" "\\n"'`,
    },
    {
      title: "Python (hl7)",
      lang: "python",
      code: `from hl7.client import MLLPClient

message = "MSH|^~\\\\&|${FIELDS}\\r${PATIENT}\\r"
with MLLPClient("${hostname}", ${port}) as client:
    print(client.send_message(message))`,
    },
    {
      title: "mllp_send from Python's hl7",
      lang: "sh",
      code: `printf 'MSH|^~\\\\&|${FIELDS}\\r${PATIENT}\\r' > message.hl7
mllp_send --loose --file message.hl7 --port ${port} ${hostname}`,
    },
    {
      title: "Node.js (node-hl7-client)",
      lang: "js",
      code: `import { Client, Message } from "node-hl7-client";

const message = new Message({
  text: "MSH|^~\\\\&|${FIELDS}\\r${PATIENT}",
});
const client = new Client({ host: "${hostname}" });
const connection = client.createConnection({ port: ${port} }, (answer) => {
  console.log(answer.getMessage().get("MSA.1").toString());
  connection.close();
});
connection.once("connect", () => connection.sendMessage(message));`,
    },
  ];
}
