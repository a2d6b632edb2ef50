import { deepEqual, equal, match } from "node:assert/strict";
import { readTarGz } from "../../scripts/release/read_archives.ts";
import { fakeRelease } from "./_fake_release.ts";
import { run } from "./_run.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { npmPackages } from "../../scripts/bundle/npm_packages.ts";
import { targetOf } from "../../scripts/compile/targets.ts";

const has = (command: string) => run(command, ["--version"]).then(({ code }) => code === 0, () => false);
const ignore = Deno.build.os === "windows" || !await has("node");

/** Lays out the packages as npm does, with a shell script instead of this system's executable. */
async function install(temp: TempDir, script: string | undefined): Promise<string> {
  const { os, arch } = targetOf();
  const executables = script === undefined ? [] : [{ os, arch, content: new TextEncoder().encode(script) }];
  for (const { path, content } of npmPackages(await fakeRelease(executables))) {
    const name = path.replace("npm/", "").replace("-1.2.3.tgz", "");
    for (const entry of readTarGz(content)) {
      const file = `node_modules/${name}/${entry.path.replace("package/", "").replace(/\*$/, "")}`;
      temp.write(file, entry.text);
      if (entry.path.endsWith("*")) Deno.chmodSync(temp.at(file), 0o755);
    }
  }
  return temp.at("node_modules/muxue-rag/muxue_rag.js");
}

Deno.test(
  { name: "the npm package's command passes arguments, streams and the exit code through", ignore },
  async () => {
    using temp = new TempDir();
    const shim = await install(
      temp,
      '#!/bin/sh\nread line\necho "got $line and $#: $2"\necho note >&2\nexit 7\n',
    );
    const child = new Deno.Command(shim, {
      args: ["--dir", "my docs"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("a line\n"));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    deepEqual([code, decoder.decode(stdout), decoder.decode(stderr)], [
      7,
      "got a line and 2: my docs\n",
      "note\n",
    ]);
  },
);

Deno.test(
  { name: "the npm package's command forwards a signal, and ends as the program does", ignore },
  async () => {
    using temp = new TempDir();
    const shim = await install(
      temp,
      '#!/bin/sh\ntrap "echo stopped; exit 130" TERM\necho ready\nwhile :; do sleep 0.05; done\n',
    );
    const child = new Deno.Command(shim, { stdin: "null", stdout: "piped", stderr: "null" }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    equal((await reader.read()).value, "ready\n");
    child.kill("SIGTERM");
    equal((await reader.read()).value, "stopped\n");
    equal((await child.status).code, 130);
    await reader.cancel();
  },
);

Deno.test({
  name: "the npm package's command reports that the package with the executable is missing",
  ignore,
}, async () => {
  using temp = new TempDir();
  const { code, stderr } = await run(await install(temp, undefined));
  equal(code, 1);
  match(stderr, /^muxue_rag: the package muxue-rag-\S+ is missing\./);
});

Deno.test({
  name: "npm installs the packages, and their commands run",
  ignore: ignore || !await has("npm"),
}, async () => {
  using temp = new TempDir();
  const { os, arch } = targetOf();
  const content = new TextEncoder().encode('#!/bin/sh\necho "muxue_rag 1.2.3 $*"\n');
  const packages = npmPackages(await fakeRelease([{ os, arch, content }]))
    .map((made) => temp.write(made.path, made.content));
  temp.write("package.json", "{}\n");
  const npm = ["install", "--offline", "--no-audit", "--no-fund", `--cache=${temp.at("cache")}`, ...packages];
  const installed = await run("npm", npm, { cwd: temp.path });
  equal(installed.code, 0, installed.stderr);
  for (const command of ["muxue-rag", "muxue_rag"]) {
    const { stdout } = await run(temp.at(`node_modules/.bin/${command}`), ["a", "b"]);
    equal(stdout, "muxue_rag 1.2.3 a b\n");
  }
});
