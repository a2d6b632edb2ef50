import { deepEqual, equal, match } from "node:assert/strict";
import { dirname, join } from "node:path";
import { readTarGz } from "./_archives.ts";
import { fakeRelease } from "./_fake_release.ts";
import { npmPackages } from "../../scripts/bundle/npm_packages.ts";
import { targetOf } from "../../scripts/compile/targets.ts";

const hasNode = await new Deno.Command("node", { args: ["--version"], stdout: "null" }).output()
  .then(({ success }) => success, () => false);
const ignore = !hasNode || Deno.build.os === "windows";

const hasNpm = await new Deno.Command("npm", { args: ["--version"], stdout: "null", stderr: "null" }).output()
  .then(({ success }) => success, () => false);

/** Lays out the packages as npm does, with a shell script instead of this system's executable. */
async function install(script: string | undefined): Promise<{ folder: string; shim: string }> {
  const folder = await Deno.makeTempDir({ prefix: "muxue_rag_npm_" });
  const { os, arch } = targetOf();
  const executables = script === undefined ? [] : [{ os, arch, content: new TextEncoder().encode(script) }];
  for (const { path, content } of npmPackages(await fakeRelease(executables))) {
    const name = path.replace("npm/", "").replace("-1.2.3.tgz", "");
    for (const entry of readTarGz(content)) {
      const runs = entry.path.endsWith("*");
      const file = join(folder, "node_modules", name, entry.path.replace("package/", "").replace(/\*$/, ""));
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, entry.text, { mode: runs ? 0o755 : 0o644 });
    }
  }
  return { folder, shim: join(folder, "node_modules/muxue-rag/muxue_rag.js") };
}

Deno.test(
  { name: "the npm package's command passes arguments, streams and the exit code through", ignore },
  async () => {
    const { folder, shim } = await install(
      '#!/bin/sh\nread line\necho "got $line and $#: $2"\necho note >&2\nexit 7\n',
    );
    try {
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
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test(
  { name: "the npm package's command forwards a signal, and ends as the program does", ignore },
  async () => {
    const { folder, shim } = await install(
      '#!/bin/sh\ntrap "echo stopped; exit 130" TERM\necho ready\nwhile :; do sleep 0.05; done\n',
    );
    try {
      const child = new Deno.Command(shim, { stdin: "null", stdout: "piped", stderr: "null" }).spawn();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      equal((await reader.read()).value, "ready\n");
      child.kill("SIGTERM");
      equal((await reader.read()).value, "stopped\n");
      equal((await child.status).code, 130);
      await reader.cancel();
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test({
  name: "the npm package's command reports that the package with the executable is missing",
  ignore,
}, async () => {
  const { folder, shim } = await install(undefined);
  try {
    const { code, stderr } = await new Deno.Command(shim).output();
    equal(code, 1);
    match(new TextDecoder().decode(stderr), /^muxue_rag: the package muxue-rag-\S+ is missing\./);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "npm installs the packages, and their commands run",
  ignore: ignore || !hasNpm,
}, async () => {
  const folder = await Deno.makeTempDir({ prefix: "muxue_rag_npm_" });
  try {
    const { os, arch } = targetOf();
    const content = new TextEncoder().encode('#!/bin/sh\necho "muxue_rag 1.2.3 $*"\n');
    const packages = [];
    for (const made of npmPackages(await fakeRelease([{ os, arch, content }]))) {
      const file = join(folder, made.path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeFile(file, made.content);
      packages.push(file);
    }
    await Deno.writeTextFile(join(folder, "package.json"), "{}\n");
    const npm = [
      ...["install", "--offline", "--no-audit", "--no-fund", `--cache=${join(folder, "cache")}`],
      ...[...packages],
    ];
    const installed = await new Deno.Command("npm", { args: npm, cwd: folder }).output();
    equal(installed.code, 0, new TextDecoder().decode(installed.stderr));
    for (const command of ["muxue-rag", "muxue_rag"]) {
      const { stdout } = await new Deno.Command(join(folder, "node_modules/.bin", command), {
        args: ["a", "b"],
      })
        .output();
      equal(new TextDecoder().decode(stdout), "muxue_rag 1.2.3 a b\n");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
