// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Whether ARM64 under qemu and this machine make the same index of a folder and give the same answers about it, byte for byte:
 *
 *     deno run -A --config deno.dev.json research/same_on_arm64.ts FOLDER...
 *
 * Both run the program from source. The indexes are compared by `same_index.ts`; the answers are those of `search_rag` and `explain_search`, without times.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { arm64Deno } from "../scripts/arm64/machine.ts";
import { Program } from "../scripts/bench/program.ts";
import { startFlags } from "../scripts/compile/start_flags.ts";

const QUESTIONS = [
  ...[
    "offline",
    "which files are never read",
    '"exit code" -backup',
    "rent AND (month OR year)",
    "index NEAR/5 update",
  ],
  ...["离线使用", "怎样忽略不想索引的文件", "合同 金额", "how do I keep private files out lang:zh"],
];

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const config = fileURLToPath(new URL("../deno.json", import.meta.url));
const parent = await Deno.makeTempDir({ prefix: "muxue_rag-arm64-" });
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** Writes a script that starts the program by this Deno. */
async function launcher(name: string, deno: string): Promise<string> {
  const path = join(parent, name);
  const command = quoted([deno, "run", ...startFlags(), "--config", config, main]);
  await Deno.writeTextFile(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return path;
}

/** The answers of a program about a copy of a folder that it has indexed, without times. */
async function answers(program: string, folder: string): Promise<string[]> {
  const copy = join(parent, "folder"), state = join(parent, "state");
  await Deno.mkdir(state, { recursive: true });
  await new Deno.Command("cp", { args: ["-r", "--preserve=timestamps", folder, copy] }).output();
  const client = new Program(state, program);
  await client.index(copy);
  const found: string[] = [];
  {
    await using server = await client.serve(copy, "--no-watch");
    for (const keyword of QUESTIONS) {
      for (const tool of ["search_rag", "explain_search"]) found.push(await server.call(tool, { keyword }));
    }
  }
  await Deno.remove(copy, { recursive: true });
  return found.map((answer) =>
    answer.replace(/(?<=files?, |"cost_time":)[\d.]+/g, "N").replace(
      /(?<="(?:indexed_at|create_time)":)"[^"]+"/g,
      "TIME",
    )
  );
}

const here = await launcher("here", Deno.execPath()), arm64 = await launcher("arm64", await arm64Deno());
for (const folder of Deno.args) {
  console.log(`${folder}: indexes here and on ARM64`);
  const sameIndex = fileURLToPath(new URL("same_index.ts", import.meta.url));
  const args = [
    "run",
    "--allow-all",
    "--config",
    join(config, "../deno.dev.json"),
    sameIndex,
    here,
    arm64,
    folder,
  ];
  await new Deno.Command(Deno.execPath(), { args }).spawn().status;
  const [one, other] = [await answers(here, folder), await answers(arm64, folder)];
  for (const [i, a] of one.entries()) {
    const b = other[i]!;
    const at = [...a].findIndex((unit, at) => unit !== b[at]);
    console.log(`${QUESTIONS[i >> 1]}: ${a.length} characters, ${a === b ? "equal" : "different"}`);
    if (a !== b) console.log(`  ${a.slice(at - 60, at + 60)}\n  ${b.slice(at - 60, at + 60)}`);
  }
}
await Deno.remove(parent, { recursive: true });
