import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox } from "./_program.ts";

const FILES = {
  "notes.md": "# Notes\n\nNothing to hide.\n",
  "src/main.ts": "export const answer = 42;\n",
  "conf/app.yaml": 'port: 80\npassword: "correct-horse"\n',
  "conf/credentials.json": "{}\n",
  "工资/一月.txt": "一月的工资\n",
  "node_modules/a/index.js": "module.exports = 1;\n",
  ".env": "TOKEN=1\n",
  ".ssh/id_rsa": "key\n",
  "old/server.pem": "-----BEGIN CERTIFICATE-----\n",
};

Deno.test("preview says what would be read and what may be secret, writes nothing, and its lines leave that out", async () => {
  await using sandbox = await makeSandbox(FILES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const { folder, run } = sandbox;
  const before = await Array.fromAsync(Deno.readDir(sandbox.cwd), ({ name }) => name);
  const preview = async () => JSON.parse((await run`preview ${folder} --json`).stdout).data.folders[0];
  const { files, kinds, skipped, sensitive, ignoreLines, seconds, indexBytes } = await preview();
  equal(files, 7);
  deepEqual(kinds.map(({ kind, files }: { kind: string; files: number }) => [kind, files]).toSorted(), [
    ["code", 2],
    ["text", 5],
  ]);
  deepEqual(skipped, { hidden: 2 });
  deepEqual(
    sensitive.map(({ path, reason, leftOut = "read" }: Record<string, string>) => [path, reason, leftOut]),
    [
      ["conf/app.yaml", "secret_content", "read"],
      ["conf/credentials.json", "secret_name", "read"],
      ["node_modules/", "made_by_tools", "read"],
      ["old/server.pem", "secret_name", "read"],
      ["工资/", "private_folder", "read"],
      [".env", "secret_name", "hidden"],
      [".ssh", "private_folder", "hidden"],
    ],
  );
  equal(seconds[0] < seconds[1] && indexBytes[0] < indexBytes[1], true);
  const { stdout } = await run`preview ${folder}`;
  match(stdout, /! conf\/app\.yaml: begins with a key, a token or a password\n/);
  match(stdout, /· \.env: named like a file of keys or passwords, left out \(hidden\)\n/);
  deepEqual(await Array.fromAsync(Deno.readDir(sandbox.cwd), ({ name }) => name), before);

  await Deno.writeTextFile(join(folder, ".muxueragignore"), ignoreLines.join("\n"));
  const after = await preview();
  equal(after.files, 2);
  deepEqual(after.ignoreLines, []);
});

Deno.test("lines for ignore files match names with the signs of patterns", async () => {
  await using sandbox = await makeSandbox({
    "[a]*/secret.txt": "x\n",
    "!b/token.txt": "x\n",
    "#c/password.txt": "x\n",
    "d.md": "x\n",
  });
  const { folder, run } = sandbox;
  const preview = async () => JSON.parse((await run`preview ${folder} --json`).stdout).data.folders[0];
  await Deno.writeTextFile(join(folder, ".muxueragignore"), (await preview()).ignoreLines.join("\n"));
  equal((await preview()).files, 1);
});
