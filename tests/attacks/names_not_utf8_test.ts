import { deepEqual, equal, match } from "node:assert/strict";
import { isBefore28 } from "#foundation/runtime.ts";
import { makeSandbox, type Sandbox } from "../e2e/_program.ts";
import { attack, ON_LINUX } from "./_attack.ts";

const REASON =
  "The name is not valid UTF-8, so the file cannot be opened (\ufffd stands for bytes that cannot be shown). Rename it";

/** Runs a script in the sandbox's folder, in which `$'caf\xe9'` is a name that is not UTF-8. */
async function makeNames({ folder }: Sandbox, script: string): Promise<void> {
  await new Deno.Command("bash", { args: ["-c", script], cwd: folder, env: { LC_ALL: "C" } }).output();
}

/** Indexes the folder. Returns what could not be read, by the answer and by the state that is kept. */
async function indexed(sandbox: Sandbox): Promise<{ failed: unknown[]; kept: unknown[]; stderr: string }> {
  const dir = ["--dir", sandbox.folder, "--language", "en"];
  const { code, stdout, stderr } = await sandbox.run("index", ...dir, "--json");
  equal(code, 0, stderr);
  const { failed } = JSON.parse(stdout).data;
  const { folders: [status] } = JSON.parse((await sandbox.run("status", ...dir, "--json")).stdout).data;
  return { failed, kept: status.failed, stderr };
}

/** Whether the program's runtime leaves out such names (Deno before 2.8). */
async function hidesNames(sandbox: Sandbox): Promise<boolean> {
  return isBefore28(JSON.parse((await sandbox.run("--version", "--json")).stdout).deno);
}

attack(
  "files and folders with names that are not UTF-8 are reported, or the program says that it cannot see them",
  async (start) => {
    await using sandbox = await makeSandbox({ "a.md": "open words" }, start);
    await makeNames(
      sandbox,
      "printf x > $'caf\\xe8.txt'; printf x > $'caf\\xe9.txt'; mkdir $'d\\xe9r'; printf x > $'d\\xe9r/b.txt'",
    );
    const { failed, kept, stderr } = await indexed(sandbox);
    const doctor = (await sandbox.run("doctor", "--dir", sandbox.folder, "--language", "en")).stdout;
    const hidden = /The runtime, Deno [\d.]+, cannot see files and folders whose names are not valid UTF-8/;
    if (await hidesNames(sandbox)) {
      match(stderr, hidden);
      match(doctor, hidden);
      deepEqual([failed, kept], [[], []]);
      return;
    }
    deepEqual([hidden.test(stderr), hidden.test(doctor)], [false, false]);
    const names = ["caf\ufffd.txt", "caf\ufffd.txt (2)", "d\ufffdr"];
    deepEqual(failed, names.map((path) => ({ path, reason: REASON })));
    deepEqual(kept, failed);
  },
  { ignore: !ON_LINUX },
);

attack("each of 2,000 names that are listed as the same text is reported", async (start) => {
  await using sandbox = await makeSandbox({}, start);
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
}, { ignore: !ON_LINUX });
