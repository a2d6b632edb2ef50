// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Indexes the guide and asks the server about it on this system, twice, under Wine and by Deno for ARM64 under qemu, and compares the bytes of the
 * indexes and of the answers. Another folder takes the place of the guide, with words to search for.
 *
 *     deno run -A --config deno.dev.json scripts/same_everywhere.ts [--only arm64|wine] [FOLDER WORDS...]
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { arm64Deno } from "./arm64/machine.ts";
import { CannotMake } from "./chroot.ts";
import {
  differences,
  GUIDE,
  type Machine,
  type Results,
  resultsOn,
  searches,
  type Subject,
} from "./same_everywhere/compare.ts";
import { inWindows } from "./windows/machine.ts";
import { windowsRoot } from "./windows/root.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

const PIPES = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;

const { values: { only }, positionals: [folder, ...words] } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { only: { type: "string" } },
});
const subject: Subject = folder === undefined
  ? GUIDE
  : { folder, calls: [...searches(...words), ["list_documents", {}]] };

const here = onThisDisk(`${Deno.build.target}, Deno ${Deno.version.deno}`, Deno.execPath());
const others: Readonly<Record<string, () => Promise<Machine>>> = { wine, arm64 };

await using work = await temporaryFolder();
const expected = await results(here, "1");
report("the same again", expected, await results(here, "2"));
for (const [name, machine] of Object.entries(others)) {
  if (name !== (only ?? name)) continue;
  try {
    const other = await machine();
    report(other.name, expected, await results(other, name === "wine" ? "3" : "4"));
  } catch (error) {
    if (!(error instanceof CannotMake)) throw error;
    console.error(`Left out, ${name}: ${error.message}`);
  }
}

/** A machine whose programs see the files here under their own paths. */
function onThisDisk(name: string, deno: string): Machine {
  return {
    name,
    pathOf: (path) => path,
    deno: (args, folder) => {
      const env = { XDG_STATE_HOME: join(folder, "state") };
      return new Deno.Command(deno, { ...PIPES, args: [...args], cwd: REPOSITORY, env });
    },
  };
}

async function arm64(): Promise<Machine> {
  return onThisDisk(`ARM64 under qemu, Deno ${Deno.version.deno}`, await arm64Deno());
}

async function wine(): Promise<Machine> {
  const there = await windowsRoot();
  const placeThere = "same".padEnd(work.path.length - "C:\\".length, "_");
  return {
    name: `Wine, Deno ${there.version}`,
    pathOf: (path) => path.replace(work.path, `C:\\${placeThere}`).replaceAll("/", "\\"),
    deno: (args, folder) => {
      // Wine sets LOCALAPPDATA itself.
      const state = { "users/root/AppData/Local/muxue_rag": join(folder, "state/muxue_rag") };
      return inWindows(there, {
        args,
        folders: { [`${placeThere}/${basename(folder)}`]: folder, ...state },
        stdio: PIPES,
      });
    },
  };
}

async function results(machine: Machine, name: string): Promise<Results> {
  const place = join(work.path, name);
  await Deno.mkdir(place);
  return await resultsOn(machine, subject, place);
}

function report(name: string, one: Results, other: Results): void {
  const different = differences(one, other);
  console.log(`${here.name} and ${name}: ${one.size} facts, ${different.length} different`);
  for (const fact of different) {
    const texts = [one.get(fact) ?? "", other.get(fact) ?? ""] as const;
    const at = Math.max(0, [...texts[0]].findIndex((each, i) => each !== texts[1][i]) - 60);
    console.log(`  ${fact}`, ...texts.map((text) => `\n    … ${text.slice(at, at + 160)}`));
  }
  if (different.length > 0) Deno.exitCode = 1;
}

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "same_everywhere-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
