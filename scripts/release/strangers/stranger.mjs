// A project of somebody else's, with the packages for Node from a release: sends a mail and finds it.
import { start } from "@standin/client/node";

const standin = await start();
try {
  await fetch(`${standin.ingress}/emails`, {
    method: "POST",
    headers: { "authorization": "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({
      from: "shop@example.com",
      to: "ada@example.org",
      subject: "Hello from Node",
      text: "x",
    }),
  });
  const { payload } = await standin.waitFor("mail.message", { to: "ada@example.org" });
  console.log(payload.subject);
} finally {
  await standin.stop();
}
