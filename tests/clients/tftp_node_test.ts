/** The npm TFTP client, which requests large blocks in large windows. */
import { assertEquals } from "@std/assert";
import { requireNode, runOk } from "../support/clients.ts";
import { content, noise, scratch, startFiles } from "../support/files.ts";
import { assertBytes } from "../support/real_client.ts";

const CODE = `
const [host, port, windowSize, folder] = process.argv.slice(2);
const tftp = (await import("tftp")).default;
const client = tftp.createClient({ host, port: Number(port), blockSize: 8192, windowSize: Number(windowSize) });
// Its callback after an upload is not called in every run on current versions of Node: the process ends all the same.
await new Promise((resolve) => {
  process.once("beforeExit", resolve);
  client.put(folder + "/up", "file", (error) => error && process.exit(1));
});
await new Promise((resolve, reject) => {
  client.get("file", folder + "/down", (error) => error ? reject(error) : resolve());
});
process.exit(0);
`;

for (const windowSize of [1, 32, 64]) {
  Deno.test(`tftp from npm transfers 3 MB in windows of ${windowSize} blocks of 8 KiB`, async (t) => {
    const project = await requireNode(t);
    if (project === undefined) return;
    await using service = await startFiles();
    await using folder = await scratch();
    const { hostname, port } = service.endpoint("tftp");
    const bytes = noise(3_000_000);
    await Deno.writeFile(`${folder.path}/up`, bytes);
    const script = `${project.folder}/tftp_${windowSize}.mjs`;
    await Deno.writeTextFile(script, CODE);
    const args = [script, hostname, String(port), String(windowSize), folder.path];
    const { code } = await runOk(project.node, args);
    assertEquals(code, 0);
    assertBytes(await content(service, "/file"), bytes, "What was put");
    assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "What was got");
  });
}
