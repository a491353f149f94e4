/**
 * The same work with npm's smtp-server and mailparser: receives messages, parses them, and keeps
 * the newest 500. Run by Node, their native platform. Prints the port.
 *
 * @module
 */
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const kept = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  size: 26_214_400,
  onData(stream, session, callback) {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => {
      const raw = Buffer.concat(chunks);
      simpleParser(raw).then((message) => {
        kept.push({ envelope: session.envelope, raw, message });
        if (kept.length > 500) kept.shift();
        callback(null, `captured as ${kept.length}`);
      }, callback);
    });
  },
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.server.address().port}`));
