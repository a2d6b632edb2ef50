/**
 * A program that writes into a folder: `synchronise FOLDER COUNT` as clients of cloud drives do, `check out FOLDER COUNT` as
 * git does.
 */
import { join } from "node:path";

const [how, folder, number] = Deno.args as [string, string, string];
const count = Number(number);
const at = (...path: string[]) => join(folder, ...path);

if (how === "synchronise") synchronise();
else checkOut();

/** Downloads under temporary names, in parts, then renames; placeholders first; conflict copies; folders that move. */
function synchronise(): void {
  Deno.mkdirSync(at("draft"));
  Deno.mkdirSync(at(".stversions"));
  for (let i = 0; i < count; i++) {
    const name = `light${i}.md`;
    // OneDrive: an entry without content, then one with a first text
    Deno.writeTextFileSync(at("draft", name), "");
    Deno.writeTextFileSync(at("draft", name), "placeholder text\n");
    for (const version of ["draft", "final"]) {
      const temporary = at("draft", i % 2 === 0 ? `.syncthing.${name}.tmp` : `~${name}.tmp`);
      using file = Deno.openSync(temporary, { write: true, create: true, truncate: true });
      for (const part of [`The lighthouse ${i}, `, `${version}\n`]) {
        file.writeSync(new TextEncoder().encode(part));
      }
      if (version === "final") Deno.renameSync(at("draft", name), at(".stversions", name));
      Deno.renameSync(temporary, at("draft", name));
    }
  }
  Deno.writeTextFileSync(
    at("draft", "light0.sync-conflict-20260101-120000.md"),
    "The lighthouse 0, conflict\n",
  );
  Deno.renameSync(at("draft"), at("lights"));
}

/** Writes files in folders; the second time other texts, and removes those that are too many. */
function checkOut(): void {
  const last = read(at(".git-head"));
  const version = last === "" ? "first" : "second";
  const before = Number(last.split(" ")[1] ?? 0);
  for (let i = 0; i < Math.max(count, before); i++) {
    const path = at(`src${i % 30}`, `harbour${i}.md`);
    if (i >= count) Deno.removeSync(path);
    else {
      Deno.mkdirSync(at(`src${i % 30}`), { recursive: true });
      Deno.writeTextFileSync(path, `The harbour ${i}, ${version}\n`);
    }
  }
  Deno.writeTextFileSync(at(".git-head"), `${version} ${count}`);
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
