import { deepEqual, equal, match } from "node:assert/strict";
import { LanguageServer, SPEECHES } from "../models/language/_servers/mod.ts";
import { makeIndexed } from "./_program.ts";

const FILES = { "bridge.md": "# Harbour Bridge\n\nThe Harbour Bridge was opened in 1932.\n" };

for (
  const fault of [
    "500",
    "429 Retry-After",
    "HTML",
    "empty body",
    "cut",
    "cut JSON",
    "100 MB",
  ] as const
) {
  Deno.test(`a model that fails again and again (${fault}) leaves the passages`, async () => {
    await using server = await LanguageServer.start("openai-compatible");
    server.rule = () => fault;
    await using sandbox = await makeIndexed(FILES, {
      env: server.environment(),
    });
    const { run, folder } = sandbox;
    const { code, stdout, stderr } = await run`ask ${"Harbour Bridge opened"} --dir ${folder} --language en`;
    equal(code, 1, `${stdout}\n${stderr}`);
    match(stderr, /(^|\n)Error: .*\n$/);
    match(
      stdout,
      /^\[1\] bridge\.md:1-3 {2}Harbour Bridge\n( {3}│.*\n)* {3}│ The Harbour Bridge was opened in 1932\.$/m,
    );
  });
}

for (const speech of SPEECHES) {
  Deno.test(`a model that speaks the protocol of ${speech} answers`, async () => {
    await using server = await LanguageServer.start(speech);
    server.reply = () =>
      "The Harbour Bridge was opened in 1932 [1]. The Harbour Bridge was opened in 1999 [1].";
    await using sandbox = await makeIndexed(FILES, { env: server.environment() });
    const { run, folder } = sandbox;
    const { code, stdout, stderr } =
      await run`ask ${"Harbour Bridge opened"} --dir ${folder} --language en --json`;
    equal(code, 0, stderr);
    const { data: { sentences, usage } } = JSON.parse(stdout);
    deepEqual(sentences.map(({ verdict }: Record<string, unknown>) => verdict), ["supported", "conflicting"]);
    equal(usage.calls, 1);
  });
}

Deno.test("a model that refuses to answer leaves the places of the passages", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.rule = () => "refusal";
  await using sandbox = await makeIndexed(FILES, {
    env: server.environment(),
  });
  const { run, folder } = sandbox;
  const { code, stdout } = await run`ask ${"Harbour Bridge opened"} --dir ${folder} --language en`;
  equal(code, 0);
  match(stdout, /\(not found in the documents\)\n\nThe nearest passages:\n\[1\] bridge\.md:1-3/);
});
