import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { targetOf } from "../../scripts/compile/targets.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { posixTest } from "../_posix.ts";
import { run } from "./_run.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/install.sh", import.meta.url));
const { os, arch, triple } = targetOf();

/** Writes an executable to the folder that follows `--out`. */
const COMPILE = `
const [, target, , out] = Deno.args;
Deno.mkdirSync(out!, { recursive: true });
Deno.writeTextFileSync(out + "/muxue_rag-1.2.3-system", "#!/bin/sh\\necho built for " + target + "\\n");
Deno.chmodSync(out + "/muxue_rag-1.2.3-system", 0o755);
`;

/** A clone whose program prints its folder and arguments, with `compile` as its task, and a folder to install into. */
function setUp(temp: TempDir, compile: string) {
  const clone = "it's a clone";
  const start = 'ROOT=$PWD && cd "$INIT_CWD" && deno run --quiet --allow-read "$ROOT/main.ts"';
  temp.write(`${clone}/deno.json`, JSON.stringify({ tasks: { start, compile } }));
  temp.write(`${clone}/main.ts`, "console.log(JSON.stringify([Deno.cwd(), ...Deno.args]));");
  temp.write(`${clone}/compile.ts`, COMPILE);
  const script = temp.write(`${clone}/scripts/install.sh`, Deno.readTextFileSync(SCRIPT));
  const npx = temp.write(
    "bin/npx",
    `#!/bin/sh\n[ "$1 $2" = "-y deno@2.9.6" ] && shift 2 && exec "$DENO" "$@"\n`,
  );
  Deno.chmodSync(npx, 0o755);
  const folder = temp.at("to here");
  const env = {
    HOME: temp.at("home"),
    PATH: `${temp.at("bin")}:${Deno.env.get("PATH")}`,
    DENO: Deno.execPath(),
    NO_COLOR: "1",
    INIT_CWD: "/",
  };
  const options = { env, cwd: temp.path };
  return {
    folder,
    clone: temp.at(clone),
    install: (...args: string[]) => run("sh", [script, "--to", folder, ...args], options),
    muxueRag: (...args: string[]) => run(join(folder, "muxue_rag"), args, options),
  };
}

posixTest("install.sh of a clone builds the executable of this system", async () => {
  using temp = new TempDir();
  const { install, muxueRag, folder } = setUp(temp, "deno run --quiet --allow-write compile.ts");
  deepEqual(await install(), {
    code: 0,
    stdout: `Building muxue_rag for ${os} ${arch}\nInstalled ${folder}/muxue_rag\n` +
      `${folder} is not in PATH. For this terminal:\n` +
      `    export PATH="${folder}:$PATH"\n` +
      "Add that line to your shell's profile, or give your MCP client the full path\n" +
      "Next: muxue_rag setup --dir FOLDER, which connects your AI assistants to a folder\n",
    stderr: "",
  });
  equal((await muxueRag()).stdout, `built for ${triple}\n`);
});

for (
  const [name, compile, args, says] of [
    [
      "install.sh of a clone installs a script that starts it where no executable can be built",
      "exit 1",
      [],
      /^Building .*\nThe executable cannot be built here, so a script that starts .*it's a clone is installed\. The reason:\n(?: {2}.+\n){1,3}Installed /,
    ],
    ["install.sh --launcher of a clone builds nothing", "exit 1", ["--launcher"], /^Installed /],
  ] as const
) {
  posixTest(name, async () => {
    using temp = new TempDir();
    const { install, muxueRag } = setUp(temp, compile);
    const { code, stdout, stderr } = await install(...args);
    deepEqual([code, stderr], [0, ""]);
    match(stdout, says);
    const { stdout: printed, stderr: noise } = await muxueRag("search", "a  b", "$HOME");
    deepEqual([JSON.parse(printed), noise], [[Deno.realPathSync(temp.path), "search", "a  b", "$HOME"], ""]);
  });
}

posixTest("install.sh --dry-run of a clone only prints what it would do", async () => {
  using temp = new TempDir();
  const { install, clone, folder } = setUp(temp, "exit 1");
  deepEqual((await install("--dry-run")).stdout.split("\n"), [
    `would build    the executable for ${os} ${arch}; if that fails:`,
    `would write    a script that starts ${clone}`,
    `would install  ${folder}/muxue_rag`,
    "",
  ]);
  equal(Array.from(Deno.readDirSync(temp.path), ({ name }) => name).includes("to here"), false);
});
