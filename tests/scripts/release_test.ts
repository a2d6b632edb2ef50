import { deepEqual, equal, match } from "node:assert/strict";
import { createHash } from "node:crypto";
import { toolsFor } from "#server/tools/mod.ts";
import { makeRelease } from "../../scripts/bundle/release.ts";
import { texts } from "../../scripts/bundle/texts.ts";
import type { Release } from "../../scripts/bundle/types.ts";
import { type Entry, readAr, readTarGz, readZip } from "../../scripts/release/read_archives.ts";
import { EXECUTABLES, fakeRelease } from "./_fake_release.ts";

/** Returns all files of a release by path, and the files that were left out. */
async function make(release: Release) {
  const files = new Map<string, Uint8Array>();
  const leftOut = await makeRelease(release, ({ path, content }) => {
    files.set(path, content);
    return Promise.resolve();
  });
  return { files, leftOut };
}

const LICENSES: readonly Entry[] = ["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"].map((path) => ({
  path,
  text: `${path}\n`,
}));

Deno.test("executables with the local models get archives of their own", async () => {
  const release = await fakeRelease();
  const plain = await make(release);
  const both = await make({ ...release, executablesWithModels: release.executables });
  const added = [...both.files.keys()].filter((path) => !plain.files.has(path)).sort();
  deepEqual(added, [
    "muxue_rag-1.2.3-linux-arm64-models.tar.gz",
    "muxue_rag-1.2.3-linux-x64-models.tar.gz",
    "muxue_rag-1.2.3-macos-arm64-models.tar.gz",
    "muxue_rag-1.2.3-macos-x64-models.tar.gz",
    "muxue_rag-1.2.3-windows-x64-models.zip",
  ]);
  const sums = new TextDecoder().decode(both.files.get("SHA256SUMS"));
  deepEqual(added.filter((path) => !sums.includes(`  ${path}\n`)), []);
});

Deno.test("a release has archives and MCP bundles for every system, packages, and checksums of the downloads", async () => {
  const { files, leftOut } = await make(await fakeRelease());
  deepEqual(
    new Set(files.keys()),
    new Set([
      ...["SHA256SUMS", "docker/Dockerfile", "homebrew/muxue_rag.rb", "install.ps1", "install.sh"],
      ...["links.md", "muxue-rag_1.2.3_amd64.deb", "muxue-rag_1.2.3_arm64.deb", "muxue_rag-1.2.3.cdx.json"],
      ...["muxue_rag-1.2.3-linux-arm64.mcpb", "muxue_rag-1.2.3-linux-arm64.tar.gz"],
      ...["muxue_rag-1.2.3-linux-x64.mcpb", "muxue_rag-1.2.3-linux-x64.tar.gz"],
      ...["muxue_rag-1.2.3-macos-arm64.tar.gz", "muxue_rag-1.2.3-macos-x64.tar.gz"],
      ...["muxue_rag-1.2.3-macos.mcpb", "muxue_rag-1.2.3-windows-x64.mcpb"],
      ...["muxue_rag-1.2.3-windows-x64.zip", "npm/muxue-rag-1.2.3.tgz"],
      ...["npm/muxue-rag-darwin-arm64-1.2.3.tgz", "npm/muxue-rag-darwin-x64-1.2.3.tgz"],
      ...["npm/muxue-rag-linux-arm64-1.2.3.tgz", "npm/muxue-rag-linux-x64-1.2.3.tgz"],
      ...["npm/muxue-rag-win32-x64-1.2.3.tgz", "scoop/muxue_rag.json", "server.json"],
      ...["winget/muxue_rag.muxue_rag.installer.yaml", "winget/muxue_rag.muxue_rag.locale.en-US.yaml"],
      ...["winget/muxue_rag.muxue_rag.locale.zh-CN.yaml", "winget/muxue_rag.muxue_rag.yaml"],
    ]),
  );
  deepEqual(leftOut, []);
  const downloads = [...files].filter(([path]) => /^(?:muxue_rag-|muxue-rag_|install\.)/.test(path));
  equal(
    new TextDecoder().decode(files.get("SHA256SUMS")),
    downloads.sort(([a], [b]) => a < b ? -1 : 1)
      .map(([path, content]) => `${createHash("sha256").update(content).digest("hex")}  ${path}\n`).join(""),
  );
});

Deno.test("a release has the same bytes when it is made again", async () => {
  const release = await fakeRelease();
  deepEqual((await make(release)).files, (await make(release)).files);
});

Deno.test("an archive contains the program, which can be run, and the licences", async () => {
  const { files } = await make(await fakeRelease());
  deepEqual(readTarGz(files.get("muxue_rag-1.2.3-linux-x64.tar.gz")!), [
    { path: "muxue_rag*", text: "#!/bin/sh\necho linux x64\n" },
    ...LICENSES,
  ]);
  deepEqual(readZip(files.get("muxue_rag-1.2.3-windows-x64.zip")!), [
    { path: "muxue_rag.exe*", text: "windows x64" },
    ...LICENSES,
  ]);
});

Deno.test("a Debian package contains the program, its licences, a manual page and the folders of all, and runs no script", async () => {
  const { files } = await make(await fakeRelease());
  const members = readAr(files.get("muxue-rag_1.2.3_arm64.deb")!);
  deepEqual([...members.keys()], ["debian-binary", "control.tar.gz", "data.tar.gz"]);
  const [folder, control, sums, ...scripts] = readTarGz(members.get("control.tar.gz")!);
  deepEqual([folder!.path, control!.path, sums!.path, scripts], ["./*", "./control", "./md5sums", []]);
  const fields = Object.fromEntries(control!.text.split("\n").map((line) => line.split(": ", 2)));
  deepEqual([fields.Package, fields.Version, fields.Architecture], ["muxue-rag", "1.2.3", "arm64"]);
  const data = readTarGz(members.get("data.tar.gz")!);
  deepEqual(data.filter(({ path }) => !path.endsWith("/*")).map(({ path }) => path), [
    "./usr/bin/muxue_rag*",
    "./usr/share/doc/muxue-rag/NOTICE.gz",
    "./usr/share/doc/muxue-rag/THIRD_PARTY_LICENSES.gz",
    "./usr/share/doc/muxue-rag/changelog.gz",
    "./usr/share/doc/muxue-rag/copyright",
    "./usr/share/lintian/overrides/muxue-rag",
    "./usr/share/man/man1/muxue_rag.1.gz",
  ]);
  // dpkg unpacks in this order.
  deepEqual(data.slice(0, 4).map(({ path }) => path), [
    "./*",
    "./usr/*",
    "./usr/bin/*",
    "./usr/bin/muxue_rag*",
  ]);
  equal(data[3]!.text, "#!/bin/sh\necho linux arm64\n");
});

Deno.test("an MCP bundle contains manifest, program and licences, and passes the user's folders after --dir", async () => {
  const { files } = await make(await fakeRelease());
  const [manifest, ...others] = readZip(files.get("muxue_rag-1.2.3-windows-x64.mcpb")!);
  equal(manifest!.path, "manifest.json");
  const { server, tools, user_config, compatibility, name, version } = JSON.parse(manifest!.text);
  deepEqual(
    tools.map(({ name }: { name: string }) => name),
    toolsFor("default", { writes: true, asks: false }).map(({ name }) => name),
  );
  deepEqual({ name, version, server, compatibility }, {
    name: "muxue_rag",
    version: "1.2.3",
    server: {
      type: "binary",
      entry_point: "server/muxue_rag.exe",
      mcp_config: {
        command: "${__dirname}/server/muxue_rag.exe",
        args: [
          ...["serve", "--update", "--language", "${user_config.language}", "--dir"],
          ...["${user_config.directories}"],
        ],
        env: {},
      },
    },
    compatibility: { platforms: ["win32"] },
  });
  const { type, multiple, required } = user_config.directories;
  deepEqual({ type, multiple, required }, { type: "directory", multiple: true, required: true });
  deepEqual(others, [{ path: "server/muxue_rag.exe*", text: "windows x64" }, ...LICENSES]);
});

Deno.test("the MCP bundle for macOS contains one program for both processors", async () => {
  const { files } = await make(await fakeRelease());
  const program = readZip(files.get("muxue_rag-1.2.3-macos.mcpb")!).find(({ path }) =>
    path === "server/muxue_rag*"
  )!;
  equal(program.text.slice(0, 4), "\xca\xfe\xba\xbe");
  equal(program.text.includes("macos x64") && program.text.includes("macos arm64"), true);
});

Deno.test("the main npm package depends on one package per system, and runs no script at installation", async () => {
  const { files } = await make(await fakeRelease());
  const [manifest, shim, readme] = readTarGz(files.get("npm/muxue-rag-1.2.3.tgz")!);
  deepEqual([shim!.path, readme!.path], ["package/muxue_rag.js*", "package/README.md"]);
  match(
    readme!.text,
    /\nnpx -y muxue-rag setup --dir [^]* https:\/\/github\.com\/someone\/muxue_rag\.\n\n## /,
  );
  const main = JSON.parse(manifest!.text);
  deepEqual(main.optionalDependencies, {
    "muxue-rag-linux-x64": "1.2.3",
    "muxue-rag-linux-arm64": "1.2.3",
    "muxue-rag-darwin-x64": "1.2.3",
    "muxue-rag-darwin-arm64": "1.2.3",
    "muxue-rag-win32-x64": "1.2.3",
  });
  deepEqual([main.scripts, main.mcpName], [undefined, "io.github.someone/muxue_rag"]);

  const [own, ...others] = readTarGz(files.get("npm/muxue-rag-linux-arm64-1.2.3.tgz")!);
  const { os, cpu, libc, scripts } = JSON.parse(own!.text);
  deepEqual({ os, cpu, libc, scripts }, {
    os: ["linux"],
    cpu: ["arm64"],
    libc: ["glibc"],
    scripts: undefined,
  });
  deepEqual(others, [
    { path: "package/bin/muxue_rag*", text: "#!/bin/sh\necho linux arm64\n" },
    ...LICENSES.map(({ path, text }) => ({ path: `package/${path}`, text })),
  ]);
});

Deno.test("files that need a missing executable are left out and reported", async () => {
  const { files, leftOut } = await make(await fakeRelease(EXECUTABLES.slice(0, 3)));
  equal(files.has("muxue_rag-1.2.3-macos.mcpb"), false);
  deepEqual(leftOut, [
    { path: "server.json", missing: "sha256 macos.mcpb" },
    { path: "homebrew/muxue_rag.rb", missing: "sha256 macos-arm64" },
    { path: "scoop/muxue_rag.json", missing: "sha256 windows-x64" },
    { path: "winget/muxue_rag.muxue_rag.installer.yaml", missing: "SHA256 windows-x64" },
  ]);
});

Deno.test("the texts for package managers and registries have the expected contents", async () => {
  const release = await fakeRelease();
  const systems = ["linux-x64", "linux-arm64", "macos-x64", "macos-arm64", "windows-x64"];
  const bundles = ["linux-x64.mcpb", "linux-arm64.mcpb", "macos.mcpb", "windows-x64.mcpb"];
  const sums = Object.fromEntries([...systems, ...bundles].map((name, i) => [name, `${i}a`.repeat(32)]));
  const expected = new URL("./release_1.2.3/", import.meta.url);
  for (const made of texts(release, sums)) {
    if (made.path.startsWith("install.")) continue;
    if ("missing" in made) throw new Error(made.missing);
    equal(made.text, await Deno.readTextFile(new URL(made.path, expected)), made.path);
  }
});

Deno.test("the install scripts of a release name its repository", async () => {
  const { files } = await make(await fakeRelease());
  const text = (path: string) => new TextDecoder().decode(files.get(path));
  equal(text("install.sh").includes('repository="someone/muxue_rag"'), true);
  equal(text("install.ps1").includes("$repository = 'someone/muxue_rag'"), true);
});
