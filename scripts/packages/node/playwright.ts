/**
 * Fixtures for Playwright that give each test its own namespace.
 *
 * @example
 * ```ts ignore
 * import { test as base } from "@playwright/test";
 * import { standinFixtures, type StandinFixtures, type StandinWorkerFixtures } from "@standin/client/playwright";
 *
 * const test = base.extend<StandinFixtures, StandinWorkerFixtures>(standinFixtures);
 *
 * test("a new user is sent a code", async ({ page, standin }) => {
 *   const address = standin.address("ada@example.org");
 *   await page.getByLabel("Email").fill(address);
 *   await standin.waitFor("mail.message", { to: address, has: "code" });
 * });
 * ```
 *
 * @module
 */
import process from "node:process";
import { connect, type StandardClient, type StandardNamespace } from "../../../plugins/client.ts";
import { uniqueName } from "./names.ts";
import { start, type StartOptions } from "./start.ts";

/** Fixtures of a test. */
export interface StandinFixtures {
  /**
   * A client of the test's own namespace. If the test fails, the captured events are attached to
   * its report.
   */
  readonly standin: StandardNamespace;
}

/** Fixtures of a worker. */
export interface StandinWorkerFixtures {
  /**
   * Options for starting the program; set with `use` in the configuration. Ignored if `STANDIN_URL`
   * is set.
   */
  readonly standinOptions: StartOptions;
  /** The service at `STANDIN_URL`, or a program started for this worker. */
  readonly standinService: StandardClient;
}

/** The part of Playwright's `TestInfo` that is used. */
export interface TestInfoLike {
  /** Number of the worker. */
  readonly parallelIndex: number;
  /** `passed`, `failed`, `timedOut` and so on. */
  readonly status?: string;
  /** The expected status of the test. */
  readonly expectedStatus?: string;
  /** Adds a file to the report. */
  attach(
    name: string,
    options: { readonly body: string; readonly contentType: string },
  ): Promise<void>;
}

/** Fixtures in the form that `test.extend` takes. */
export interface StandinFixtureFunctions {
  /** See `StandinFixtures`. */
  readonly standin: (
    args: StandinWorkerFixtures,
    use: (standin: StandardNamespace) => Promise<void>,
    info: TestInfoLike,
  ) => Promise<void>;
  /** See `StandinWorkerFixtures`. */
  readonly standinService: [
    (
      args: Pick<StandinWorkerFixtures, "standinOptions">,
      use: (service: StandardClient) => Promise<void>,
    ) => Promise<void>,
    { scope: "worker" },
  ];
  /** See `StandinWorkerFixtures`. */
  readonly standinOptions: [StartOptions, { scope: "worker"; option: true }];
}

/** For `test.extend`. */
export const standinFixtures: StandinFixtureFunctions = {
  standin: async ({ standinService }, use, info) => {
    const standin = standinService.namespace(uniqueName(`p${info.parallelIndex}`));
    await use(standin);
    if (info.status === info.expectedStatus) return;
    const body = JSON.stringify(await standin.list(), null, 2);
    await info.attach("standin.json", { body, contentType: "application/json" });
  },
  standinService: [
    async ({ standinOptions }, use) => {
      const url = process.env.STANDIN_URL;
      if (url) return await use(connect(url));
      const standin = await start(standinOptions);
      try {
        await use(standin);
      } finally {
        await standin.stop();
      }
    },
    { scope: "worker" },
  ],
  standinOptions: [{}, { scope: "worker", option: true }],
};
