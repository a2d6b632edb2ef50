import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";

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

/**
 * Runs the script with the fake `npx`. Returns the exit code, the last line, and the commands with the executable under
 * test.
 */
async function run(compiles: string) {
  using temp = new TempDir();
  const npx = temp.write("bin/npx", NPX);
  const strace = temp.write("bin/strace", "#!/bin/sh\n");
  for (const path of [npx, strace]) Deno.chmodSync(path, 0o755);
  Deno.mkdirSync(temp.at("project/.ci"), { recursive: true });
  Deno.copyFileSync(RUN, temp.at("project/.ci/run"));
  const notes = temp.write("notes", "");
  const { code, stdout } = await new Deno.Command("bash", {
    args: [temp.at("project/.ci/run")],
    env: {
      PATH: `${temp.at("bin")}:${Deno.env.get("PATH")}`,
      DENORT_BIN: "runtime",
      TEST_EXECUTABLE: "",
      NOTES: notes,
      COMPILES: compiles,
    },
    stderr: "null",
  }).output();
  const asked = Deno.readTextFileSync(notes).trimEnd().split("\n").map((line) => {
    const [, task, target] = /^-y deno@\S+ (?:task )?(\w+).* <(\w*)>$/.exec(line)!;
    return target ? `${task} on ${target}` : task;
  });
  return { code, last: new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1), asked };
}

Deno.test({
  name: "the checks run the tests on the sources and on the executable",
  ignore: ON_WINDOWS,
  fn: async () => {
    const { code, last, asked } = await run("yes");
    deepEqual(asked, ["test", "compile", "test on executable", "conformance", "inspector", "check"]);
    equal(last, "4 passed, 0 failed");
    equal(code, 0);
  },
});

Deno.test({
  name: "the checks fail if the executable cannot be compiled, and do not test the sources twice",
  ignore: ON_WINDOWS,
  fn: async () => {
    const { code, last, asked } = await run("");
    deepEqual(asked, ["test", "compile", "conformance", "inspector", "check"]);
    equal(last, "2 passed, 0 failed");
    equal(code, 1);
  },
});
