#!/usr/bin/env node
// deno-lint-ignore-file no-console -- it speaks for the program where that cannot be started
"use strict";
// Starts the executable that npm has installed for this system, and ends as it ends.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const OWN_PACKAGE = `${require("./package.json").name}-${process.platform}-${process.arch}`;

/** Path of the executable, or nothing where npm left it out. */
function find() {
  try {
    return require.resolve(`${OWN_PACKAGE}/bin/muxue_rag${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return undefined;
  }
}

const executable = find();
if (executable === undefined) {
  console.error(
    `muxue_rag: the package ${OWN_PACKAGE} is missing. Either there is none for this system, or npm was told to ` +
      `leave out optional packages: install again without --omit=optional.`,
  );
  process.exit(1);
}

// A signal may come as soon as the child runs: without its handler it would end this process and leave the child behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
child.on("error", (error) => {
  console.error(`muxue_rag: ${executable} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
