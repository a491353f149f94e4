/**
 * The compose file of docs/team.md: each service runs in a network of its own instead of a container, with the file's
 * configuration, environment, names and ports. Real clients then use the load balancer.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readCompose, Stack } from "../support/compose_stack.ts";
import { findProgram, requireClient, requireGo, runOk, skipTest } from "../support/clients.ts";
import { noise, scratch, until } from "../support/files.ts";
import { MllpClient } from "../support/mllp.ts";
import { Follower, hasLeader, patiently } from "../support/nats_team.ts";
import { requireNetwork } from "../support/netns.ts";
import { readBlocks } from "../support/pages.ts";

/** Longest time until another instance writes the tree, in milliseconds. */
const TAKE_OVER_MS = 20_000;

/** A client of the load balancer. */
interface Client {
  readonly title: string;
  readonly program?: string;
  /** Sends a file under a name. */
  send(at: string, file: string, name: string): Promise<void>;
  /** Plugin that captures it. */
  readonly plugin: string;
}

const QUIET = ["--silent", "--show-error", "--fail", "--noproxy", "*", "--max-time", "30"];
const TRUST = [
  ...["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "ConnectTimeout=10"],
];
const S3 = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "any:any"];

const CLIENTS: readonly Client[] = [
  {
    title: "HTTP, curl",
    plugin: "mail",
    send: async (at, _, name) => void await runOk("curl", [...QUIET, ...mail(at, name)]),
  },
  {
    title: "SMTP, swaks",
    program: "swaks",
    plugin: "mail",
    send: async (at, _, name) =>
      void await runOk("swaks", [
        ...["--server", `${at}:1025`, "--from", "a@x.org", "--to", "b@x.org"],
        ...["--header", `Subject: ${name}`],
      ]),
  },
  {
    title: "HL7",
    plugin: "hl7",
    async send(at, _, name) {
      using client = await MllpClient.open({ hostname: at, port: 2575 });
      await client.sendMessage(`MSH|^~\\&|A|B|C|D|2026||ADT^A01|${name}|P|2.5\rPID|1\r`);
      assert((await client.answer())?.includes(`MSA|AA|${name}`));
    },
  },
  {
    title: "S3, curl",
    plugin: "s3",
    async send(at, file, name) {
      const bucket = `http://${at}:9000/team`;
      await runOk("curl", [...QUIET, ...S3, "-X", "PUT", bucket]);
      await runOk("curl", [...QUIET, ...S3, "-T", file, `${bucket}/${name}`]);
    },
  },
  {
    title: "FTP, curl with EPSV",
    plugin: "files",
    send: async (at, file, name) =>
      void await runOk("curl", [...QUIET, "-T", file, `ftp://ada:x@${at}:2121/${name}`]),
  },
  {
    title: "SFTP, OpenSSH",
    program: "sftp",
    plugin: "files",
    async send(at, file, name) {
      await runOk("sftp", ["-b", "-", "-P", "2222", ...TRUST, `ada@${at}`], {
        stdin: `put ${file} /${name}\n`,
      });
    },
  },
  {
    title: "NFS, nfs-cp",
    program: "nfs-cp",
    plugin: "files",
    async send(at, file, name) {
      // libnfs mounts what is before the last slash.
      const url = `nfs://${at}//${name}?version=3&nfsport=2049&mountport=2049`;
      await runOk("nfs-cp", [file, url]);
    },
  },
];

function mail(at: string, name: string): readonly string[] {
  const body = JSON.stringify({ from: "a@x.org", to: "b@x.org", subject: name, text: "Hello" });
  return [
    ...["-H", "authorization: Bearer re_x", "-H", "content-type: application/json"],
    ...["-d", body, `http://${at}:8822/emails`],
  ];
}

interface Listed {
  readonly id: string;
  readonly payload: { readonly subject?: string };
}

async function eventsAt(at: string, query: string): Promise<readonly Listed[]> {
  const response = await fetch(`http://${at}:8811/api/v1/events?limit=0&${query}`);
  const events = await response.json();
  assertEquals(response.status, 200, JSON.stringify(events));
  return events;
}

function isReady(at: string): Promise<boolean> {
  return fetch(`http://${at}:8811/api/v1/ready`).then(async (response) => {
    await response.body?.cancel();
    return response.ok;
  }, () => false);
}

/** Few enough mails that none is dropped to make room: a plugin holds 500 events. */
const SEND_MS = 150;

/** Sends numbered mails one after the other. */
class Sender {
  readonly acknowledged: string[] = [];
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(ingress: string) {
    this.#done = this.#run(ingress);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(ingress: string): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const body = JSON.stringify({ from: "a@x.org", to: "b@x.org", subject: `n${n}`, text: "x" });
      const headers = { authorization: "Bearer re_x", "content-type": "application/json" };
      try {
        const response = await fetch(`${ingress}/emails`, { method: "POST", headers, body });
        await response.body?.cancel();
        if (response.ok) this.acknowledged.push(`n${n}`);
      } catch {
        // The instance died before it answered.
      }
      await new Promise((resolve) => setTimeout(resolve, SEND_MS));
    }
  }
}

Deno.test("the compose file of the team page serves every protocol, also when an instance dies", async (t) => {
  const haproxy = requireClient(t, "haproxy");
  const curl = requireClient(t, "curl");
  const compose = await readCompose();
  await using network = await requireNetwork(t, Object.keys(compose.services).length + 1);
  const nats = await requireGo(t, "nats_server");
  if (!haproxy || !curl || !network || !nats) return;
  await using folder = await scratch();
  const programs = { haproxy, nats };
  await using stack = new Stack(compose, { folder: folder.path, network, programs });
  const servers = ["nats-1", "nats-2", "nats-3"];
  for (const name of servers) await stack.start(name);
  const urls = servers.map((name) => `nats://${stack.address(name)}:4222`);
  await patiently(() => hasLeader({ servers: urls }));
  const instances = ["standin-1", "standin-2"];
  await Promise.all(instances.map((name) => stack.start(name)));
  await stack.start("standin");
  const at = stack.address("standin");
  await until(() => isReady(at), 30_000);

  const file = `${folder.path}/file`;
  await Deno.writeFile(file, noise(300_000));
  for (const { title, program, plugin, send } of CLIENTS) {
    await t.step(title, async (t) => {
      if (program !== undefined && findProgram(program) === undefined) {
        return skipTest(t, program, "is not installed");
      }
      // Connections are distributed in turn.
      const names = [1, 2, 3, 4].map((n) => `${title.slice(0, 4).trim().replace(",", "")}-${n}`);
      for (const name of names) await send(at, file, name);
      await until(async () => {
        const events = await Promise.all(
          instances.map((name) => eventsAt(stack.address(name), `plugin=${plugin}`)),
        );
        const texts = events.map((list) => JSON.stringify(list));
        return texts.every((text) => names.every((name) => text.includes(name)));
      }, 15_000);
    });
  }

  await t.step("the published ports are those of the load balancer", () => {
    const binds = [...compose.configs.balancer!.content.matchAll(/bind :([\d-]+)/g)];
    const published = compose.services.standin!.ports!.map((line) => line.split(":").slice(1));
    assertEquals(
      published.map(([from, to]) => `${from} ${to}`).toSorted(),
      binds.map(([, ports]) => `${ports} ${ports}`).toSorted(),
    );
  });

  await t.step("one instance after the other dies, and clients go on", async () => {
    const [first] = await eventsAt(at, "");
    const program = { urls: { api: `http://${at}:8811` } };
    const follower = new Follower({ running: [{ program }] }, first!.id);
    const sender = new Sender(`http://${at}:8822`);
    const { acknowledged } = sender;
    for (const [index, name] of instances.entries()) {
      const count = acknowledged.length;
      await until(() => acknowledged.length > count + 20, 30_000);
      await stack.kill(name);
      const left = acknowledged.length;
      await until(() => acknowledged.length > left + 20, 30_000);
      // With the tree, which another instance has to take over.
      const url = `ftp://ada:x@${at}:2121/after-${index}`;
      await until(
        () => runOk(curl, [...QUIET, "-T", file, url]).then(() => true, () => false),
        TAKE_OVER_MS,
      );
      // A new container may have another address.
      stack.move(name);
      await stack.start(name);
      await until(() => isReady(stack.address(name)), 30_000);
    }
    await sender.stop();
    const events = (await eventsAt(at, "")).map(({ id }) => id).toReversed();
    await follower.stop(events.at(-1)!);
    assertEquals(follower.ids, events.slice(-follower.ids.length));
    const subjects = (await eventsAt(at, "provider=mail3")).map(({ payload }) => payload.subject);
    for (const subject of acknowledged) {
      assertEquals(subjects.filter((one) => one === subject).length, 1, subject);
    }
  });
});

Deno.test("Docker Compose and Kubernetes know everything in the files of the team page", async (t) => {
  const manifests = await requireGo(t, "manifests");
  if (manifests === undefined) return;
  await using folder = await scratch();
  const blocks = (await readBlocks()).filter(({ page }) => page === "docs/team.md");
  const textOf = (heading: string, has: string): string =>
    blocks.find((block) => block.heading === heading && block.code.includes(has))!.code;
  const compose = textOf("Compose", "services:");
  const kubernetes = textOf("Kubernetes", "kind: Deployment");
  const [composeFile, kubernetesFile] = [`${folder.path}/compose.yaml`, `${folder.path}/k8s.yaml`];
  const read = async (first: string, second: string): Promise<string> => {
    await Deno.writeTextFile(composeFile, first);
    await Deno.writeTextFile(kubernetesFile, second);
    return (await runOk(manifests, [composeFile, kubernetesFile])).stdout;
  };
  assertEquals((await read(compose, kubernetes)).trim().split("\n"), [
    ...["nats-1", "nats-2", "nats-3", "standin", "standin-1", "standin-2"]
      .map((name) => `service ${name}`),
    ...["Deployment", "ConfigMap", "Service"],
  ]);
  // It is strict.
  const misspelt = (text: string, word: string): string => text.replace(word, `${word}s`);
  await assertRejects(() => read(misspelt(compose, "restart"), kubernetes), Error, "restarts");
  await assertRejects(() => read(compose, misspelt(kubernetes, "image")), Error, "images");
});
