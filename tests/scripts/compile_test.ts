import { deepEqual, equal, match, throws } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { buildTime } from "../../scripts/compile/build_info.ts";
import { thirdPartyLicenses } from "../../scripts/compile/licenses.ts";
import { startFlags } from "../../scripts/compile/start_flags.ts";
import { executableName, targetOf, TARGETS } from "../../scripts/compile/targets.ts";

Deno.test("startFlags() returns only flags, and none of them allows a prompt", () => {
  for (const flag of startFlags()) match(flag, /^--[a-z]/);
  equal(startFlags().includes("--no-prompt"), true);
  equal(startFlags().some((flag) => /allow-(?:all|ffi)/.test(flag)), false);
});

Deno.test("executableName() names version, system and processor", () => {
  deepEqual(TARGETS.map((target) => executableName("1.2.3", target)), [
    "muxue_rag-1.2.3-linux-x64",
    "muxue_rag-1.2.3-linux-arm64",
    "muxue_rag-1.2.3-macos-x64",
    "muxue_rag-1.2.3-macos-arm64",
    "muxue_rag-1.2.3-windows-x64.exe",
  ]);
  throws(() => targetOf("sparc-sun-solaris"), /No executable is made for sparc-sun-solaris/);
});

Deno.test("buildTime() returns the time in SOURCE_DATE_EPOCH, and throws if it is not a number", () => {
  equal(buildTime("1700000000").toISOString(), "2023-11-14T22:13:20.000Z");
  throws(() => buildTime("yesterday"), /SOURCE_DATE_EPOCH/);
});

Deno.test("thirdPartyLicenses() returns every package with the text of its licence", async () => {
  const text = await thirdPartyLicenses(fileURLToPath(new URL("../../", import.meta.url)));
  for (const name of ["@modelcontextprotocol/server", "@orama/orama", "zod", "commander"]) {
    match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, (?:MIT|Apache-2\\.0)$`, "m"));
  }
  match(text, /Permission is hereby granted, free of charge/);
  // The packages of tests and scripts are not in the program.
  equal(/^fast-check /m.test(text), false);
});
