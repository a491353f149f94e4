#!/usr/bin/env node
// Starts the program that npm chose for this platform, and ends as it does.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "standin.exe" : "standin";

let program;
try {
  program = require.resolve(`@standin/${platform}/${file}`);
} catch {
  console.error(
    `Cannot start standin: the package @standin/${platform} is not installed; there are programs for linux-x64 and ` +
      "linux-arm64 (glibc), darwin-x64, darwin-arm64 and win32-x64, and npm leaves them out with --omit=optional",
  );
  process.exit(1);
}

// A terminal sends its own signals to both; those that are meant for us alone are handed on, and the child's end is
// waited for in either case. Before there is a child: it may say that it is ready before the next line runs.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });

child.on("error", (error) => {
  console.error(`Cannot start standin: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal === null ? code : 128 + constants.signals[signal]);
});
