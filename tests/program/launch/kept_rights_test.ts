import { deepEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "#program/commands/declarations.ts";
import { fromSources, makeSandbox } from "../../e2e/_program.ts";

/** The permissions that are left after a command has run in the launcher's own thread. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  "--version": ["read"],
  "help": ["read"],
  "search --help": ["read"],
  "uninstall": ["read", "write"],
  "completions bash": ["read"],
  "licenses": ["read"],
  "config check": ["read"],
  "config init": ["read", "write"],
  "config encrypt embedding.api_key": ["read", "write"],
  "config decrypt embedding.api_key --yes": ["read"],
  "setup": ["read", "write", "run"],
};

Deno.test("every command that is not locked is tested", () => {
  const names = COMMANDS.filter(({ keeps }) => keeps !== undefined).map(({ name }) => name);
  const lines = Object.keys(KEPT).map((line) => `${line.replace(/^--/, "")} `);
  deepEqual(names.filter((name) => !lines.some((line) => line.startsWith(`${name} `))), []);
});

Deno.test("a command that is not locked runs with the permissions that it keeps", async () => {
  await using sandbox = await makeSandbox({});
  const config = `${sandbox.cwd}/rag.yaml`;
  await Deno.writeTextFile(config, "language: en\nembedding:\n  api_key: sk-0123456789\n");
  const probe = fileURLToPath(new URL("_rights_left.ts", import.meta.url));
  for (const [line, kept] of Object.entries(KEPT)) {
    const own = line.startsWith("config init") ? "fresh.yaml" : config;
    const settings = /^config|^setup/.test(line) ? ["--config", own] : [];
    const { cmd, args } = fromSources([...line.split(" "), ...settings]);
    const main = args.findIndex((arg) => arg.endsWith("main.ts"));
    const { stderr } = await new Deno.Command(cmd, {
      args: args.with(main, probe),
      env: sandbox.env,
      cwd: sandbox.cwd,
      clearEnv: true,
    }).output();
    const errors = new TextDecoder().decode(stderr);
    const [, left] = errors.split("left: ");
    deepEqual(JSON.parse(left ?? "null"), { code: 0, left: kept }, `${line}: ${errors}`);
  }
});
