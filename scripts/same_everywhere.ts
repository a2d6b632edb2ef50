// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Indexes the guide and asks the server about it on this system, twice, and under Wine, and compares the bytes of the indexes and of the answers.
 *
 *     deno run -A --config deno.dev.json scripts/same_everywhere.ts
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotMake } from "./chroot.ts";
import { differences, type Machine, type Results, resultsOn } from "./same_everywhere/compare.ts";
import { inWindows } from "./windows/machine.ts";
import { windowsRoot } from "./windows/root.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

const PIPES = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;

const here: Machine = {
  name: `${Deno.build.target}, Deno ${Deno.version.deno}`,
  pathOf: (path) => path,
  deno: (args, folder) => {
    const env = { XDG_STATE_HOME: join(folder, "state") };
    return new Deno.Command(Deno.execPath(), { ...PIPES, args: [...args], cwd: REPOSITORY, env });
  },
};

await using work = await temporaryFolder();
const expected = await results(here, "1");
report("the same again", expected, await results(here, "2"));
try {
  const there = await windowsRoot();
  const placeThere = "same".padEnd(work.path.length - "C:\\".length, "_");
  const wine: Machine = {
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
  report(wine.name, expected, await results(wine, "3"));
} catch (error) {
  if (!(error instanceof CannotMake)) throw error;
  console.error(`Windows is left out: ${error.message}`);
}

async function results(machine: Machine, name: string): Promise<Results> {
  const folder = join(work.path, name);
  await Deno.mkdir(folder);
  return await resultsOn(machine, folder);
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
