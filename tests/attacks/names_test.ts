/**
 * Names with which Windows opens another path than they seem to name. The functions are pure, so that the tests run on
 * every system.
 */
import { isFullPath, isHostilePath, isInside, isNetworkPath } from "#foundation/boundary/mod.ts";
import { isBefore28 } from "#foundation/runtime.ts";
import { deepEqual, equal } from "node:assert/strict";
import { makeSandbox, type Sandbox } from "../e2e/_program.ts";
import { attackOnLinux } from "./_arena.ts";

const ROOT = "C:\\docs";

/** The verdict on a path that a client sends for the folder `C:\docs`. */
function judged(path: string): "hostile" | "outside" | "network" | "inside" | "relative" {
  if (isHostilePath(path, "windows")) return "hostile";
  if (isNetworkPath(path, "windows")) return "network";
  if (!isFullPath(path, "windows")) return "relative";
  return isInside(path, ROOT, "windows") ? "inside" : "outside";
}

/** Paths that are written without escapes, and between blanks. */
function paths(text: TemplateStringsArray): string[] {
  return String.raw(text).trim().split(/\s+/);
}

const DEVICES = paths`CON PRN AUX NUL COM1 COM9 LPT1 LPT9 COM¹ COM² COM³ LPT¹ CONIN$ CONOUT$ CLOCK$`;

const ATTACKS: Record<string, readonly [verdict: ReturnType<typeof judged>, paths: readonly string[]]> = {
  "prefixes that turn the rules of paths off": [
    "hostile",
    paths`\\?\C:\docs\a.txt \\?\C:\docs\..\Windows\win.ini \\?\UNC\server\share\a.txt \\.\C:\docs\a.txt
      \\?\GLOBALROOT\Device\HarddiskVolume1\a.txt \\?\Volume{b75e2c83-0000-0000-0000-602f00000000}\a.txt
      \\.\pipe\docker_engine \\.\PhysicalDrive0 //?/C:/docs/a.txt //./C:/docs/a.txt \/?\C:\docs\a.txt
      /\.\C:\docs\a.txt \??\C:\docs\a.txt /??/C:/docs/a.txt \\? \\.`,
  ],
  "devices, in any folder and with any extension": [
    "hostile",
    DEVICES.flatMap((name) => [
      ...[name, name.toLowerCase(), `C:\\docs\\${name}`, `C:\\docs\\${name}.txt`, `C:\\docs\\${name}.tar.gz`],
      ...[`C:\\docs\\${name} .txt`, `C:\\docs\\${name}\\a.txt`, `C:/docs/sub/${name}`],
    ]),
  ],
  "other streams of a file": [
    "hostile",
    paths`C:\docs\file.txt::$DATA C:\docs\file.txt:secret C:\docs\file.txt:secret:$DATA file.txt: :file.txt
      C:\docs::$INDEX_ALLOCATION\file.txt C:\docs:$I30:$INDEX_ALLOCATION\file.txt`,
  ],
  "ends that the system cuts off": [
    "hostile",
    [
      ...paths`C:\docs\file.txt. C:\docs\file.txt... C:\docs.\file.txt C:\docs\...\secret.txt C:\docs\....\secret.txt .env.`,
      ...["C:\\docs\\file.txt ", "C:\\docs\\file.txt. .", "C:\\docs \\file.txt", ".env "],
      ...["C:\\docs\\.. \\secret.txt", "C:\\docs\\.. .\\secret.txt"],
    ],
  ],
  "paths that hang on the drive or its current folder": [
    "hostile",
    paths`C:secret.txt C: D:..\secret.txt C:docs\a.txt`,
  ],
  "NUL bytes and other characters that no name holds": [
    "hostile",
    [
      ...["C:\\docs\\a.txt\0.png", "C:\\docs\\a\u0001.txt", "C:\\docs\\a\n.txt"],
      ...paths`C:\docs\a?.txt C:\docs\*.txt C:\docs\<.txt C:\docs\"..\secret.txt" C:\docs\a|b`,
    ],
  ],
  "other places": [
    "outside",
    paths`C:\docs\..\Windows\win.ini C:\docs/../Windows/win.ini C:/docs\sub/..\../Windows C:\docs-secret\a.txt
      C:\docs2 C:\ D:\docs\a.txt C:\DOCS~1\a.txt c:\Docs\..\..\..\docs2\a.txt`,
  ],
  "other machines, which would be told who asks": [
    "network",
    paths`\\server\share\a.txt //server/share/a.txt \/server\share \\127.0.0.1\C$\docs\a.txt
      \\localhost\C$\docs\a.txt \\server@SSL@443\share\a.txt`,
  ],
  "paths that start at the root of a drive that is not named, which are taken as relative": [
    "relative",
    paths`\Windows\win.ini /Windows`,
  ],
  "honest paths": [
    "inside",
    paths`C:\docs c:\DOCS\a.txt C:/docs/sub/../a.txt C:\docs\100%.txt C:\docs\%2e%2e\a.txt`,
  ],
};

for (const [name, [verdict, paths]] of Object.entries(ATTACKS)) {
  Deno.test(`on Windows, ${name}: ${verdict}`, () => {
    for (const path of paths) equal(judged(path), verdict, JSON.stringify(path));
  });
}

const REASON =
  "The name is not valid UTF-8, so the file cannot be opened (\ufffd stands for bytes that cannot be shown). Rename it";

/** Runs a script in the sandbox's folder, in which `$'caf\xe9'` is a name that is not UTF-8. */
async function makeNames({ folder }: Sandbox, script: string): Promise<void> {
  await new Deno.Command("bash", { args: ["-c", script], cwd: folder, env: { LC_ALL: "C" } }).output();
}

/** Indexes the folder. Returns what could not be read, by the answer and by the state that is kept. */
async function indexed(sandbox: Sandbox): Promise<{ failed: unknown[]; kept: unknown[]; stderr: string }> {
  const dir = ["--dir", sandbox.folder, "--language", "en", "--json"];
  const { code, stdout, stderr } = await sandbox.run`index ${dir}`;
  equal(code, 0, stderr);
  const { failed } = JSON.parse(stdout).data;
  const { folders: [status] } = JSON.parse((await sandbox.run`status ${dir}`).stdout).data;
  return { failed, kept: status.failed, stderr };
}

/** Whether the program's runtime leaves out such names (Deno before 2.8). */
async function hidesNames(sandbox: Sandbox): Promise<boolean> {
  return isBefore28(JSON.parse((await sandbox.run`--version --json`).stdout).deno);
}

attackOnLinux(
  "files and folders with names that are not UTF-8 are reported, or the program says that it cannot see them",
  async () => {
    await using sandbox = await makeSandbox({ "a.md": "open words" });
    await makeNames(
      sandbox,
      "printf x > $'caf\\xe8.txt'; printf x > $'caf\\xe9.txt'; mkdir $'d\\xe9r'; printf x > $'d\\xe9r/b.txt'",
    );
    const { failed, kept, stderr } = await indexed(sandbox);
    const doctor = (await sandbox.run`doctor --dir ${sandbox.folder} --language en`).stdout;
    const hidden = /The runtime, Deno [\d.]+, cannot see files and folders whose names are not valid UTF-8/;
    const isTold = [hidden.test(stderr), hidden.test(doctor)];
    if (await hidesNames(sandbox)) return deepEqual([isTold, failed, kept], [[true, true], [], []]);
    const names = ["caf\ufffd.txt", "caf\ufffd.txt (2)", "d\ufffdr"];
    deepEqual([isTold, failed], [[false, false], names.map((path) => ({ path, reason: REASON }))]);
    deepEqual(kept, failed);
  },
);

attackOnLinux("each of 2,000 names that are listed as the same text is reported", async () => {
  await using sandbox = await makeSandbox({});
  if (await hidesNames(sandbox)) return;
  // Each name has two invalid bytes, so that all are listed as U+FFFD U+FFFD.
  await makeNames(
    sandbox,
    `for a in {128..159}; do for b in {128..190}; do printf -v name '\\\\x%x\\\\x%x' $a $b
    printf -v name "$name"; : > "$name"; done; done`,
  );
  const { failed } = await indexed(sandbox);
  equal(failed.length, 32 * 63);
  deepEqual(failed.at(-1), { path: "\ufffd\ufffd (2016)", reason: REASON });
});
