import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { posixTest } from "../_posix.ts";

const RUN = fileURLToPath(new URL("../../.ci/run", import.meta.url));

/** A fake `npx`. It logs its arguments, and either compiles or fails. */
const NPX = `#!/bin/sh
echo "$* <\${TEST_EXECUTABLE:+executable}>" >> "$NOTES"
case "$*" in
  *"task compile"*)
    [ -n "$COMPILES" ] || exit 3
    touch "$6/muxue_rag-1.2.3" && chmod +x "$6/muxue_rag-1.2.3" ;;
  *) echo "ok | 2 passed | 0 failed (1s)" ;;
esac
`;

/** How the project of a run looks. */
interface Setting {
  /** The script also runs the slow tests. */
  readonly slow?: boolean;
  /** The compiler fails. */
  readonly broken?: boolean;
  /** File of the branch that differs from origin/main. Default: the project is in no repository. */
  readonly changed?: string;
  /** That file is not committed. */
  readonly uncommitted?: boolean;
}

/**
 * Runs the script with the fake `npx`. Returns the exit code, the last line, and the commands with the executable under
 * test.
 */
async function run({ slow = false, broken = false, changed, uncommitted = false }: Setting = {}) {
  using temp = new TempDir();
  const npx = temp.write("bin/npx", NPX);
  for (const tool of ["strace", "faketime", "zsh", "fish", "caddy"]) {
    Deno.chmodSync(temp.write(`bin/${tool}`, "#!/bin/sh\n"), 0o755);
  }
  Deno.chmodSync(npx, 0o755);
  Deno.mkdirSync(temp.at("project/.ci"), { recursive: true });
  Deno.copyFileSync(RUN, temp.at("project/.ci/run"));
  if (changed !== undefined) {
    const git = async (...args: string[]) => {
      const author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
      const { success, stderr } = await new Deno.Command("git", {
        args: ["-C", temp.at("project"), ...author, ...args],
      }).output();
      equal(success, true, new TextDecoder().decode(stderr));
    };
    await git("init", "--quiet");
    temp.write("project/README.md", "");
    await git("add", ".");
    await git("commit", "--quiet", "-m", "main");
    await git("update-ref", "refs/remotes/origin/main", "HEAD");
    temp.write(`project/${changed}`, "changed");
    if (!uncommitted) {
      await git("add", ".");
      await git("commit", "--quiet", "-m", "branch");
    }
  }
  const notes = temp.write("notes", "");
  const { code, stdout } = await new Deno.Command("bash", {
    args: [temp.at("project/.ci/run"), ...(slow ? ["slow"] : [])],
    env: {
      PATH: `${temp.at("bin")}:${Deno.env.get("PATH")}`,
      DENORT_BIN: "runtime",
      NOTES: notes,
      COMPILES: broken ? "" : "yes",
      GIT_CEILING_DIRECTORIES: temp.path,
    },
    stderr: "null",
  }).output();
  const asked = Deno.readTextFileSync(notes).trimEnd().split("\n").flatMap((line) => {
    const [, task, target] = /^-y deno@\S+ task ([\w:]+).* <(\w*)>$/.exec(line) ?? [];
    if (task === undefined) return [];
    return task.startsWith("test") && target ? `${task} on ${target}` : task;
  });
  return { code, last: new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1), asked };
}

posixTest(
  "the checks run the tests on the executable, and from source if it cannot be compiled",
  async () => {
    // These run beside others.
    const beside = ["check", "conformance", "inspector"];
    const runs = async (setting: Setting, code: number, last: string, tests: readonly string[]) => {
      const ended = await run(setting);
      deepEqual([ended.code, ended.last], [code, last]);
      deepEqual(ended.asked.filter((task) => !beside.includes(task)), ["compile", ...tests]);
      deepEqual(ended.asked.filter((task) => beside.includes(task)).sort(), beside);
    };
    await runs({}, 0, "4 passed, 0 failed", ["test on executable", "test:postgres on executable"]);
    await runs({ slow: true }, 0, "6 passed, 0 failed", [
      "test on executable",
      "test:slow on executable",
      "test:postgres on executable",
    ]);
    await runs({ broken: true }, 1, "4 passed, 0 failed", ["test", "test:postgres"]);
  },
);

posixTest(
  "the checks leave out conformance and inspector on a branch that changes nothing of the protocol",
  async () => {
    const asks = async (setting: Setting) => (await run(setting)).asked.includes("conformance");
    for (const changed of ["README.md", "lib/engine/mod.ts", "tests/server/stdio_test.ts"]) {
      equal(await asks({ changed }), false, changed);
    }
    for (const changed of ["lib/server/mod.ts", "deno.lock", "tests/conformance/run.ts"]) {
      equal(await asks({ changed }), true, changed);
    }
    equal(await asks({ changed: "lib/server/new.ts", uncommitted: true }), true);
  },
);
