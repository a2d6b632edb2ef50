// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Whether two executables make the same index of a folder, byte for byte:
 *
 *     deno run -A --config deno.dev.json research/same_index.ts BEFORE AFTER FOLDER
 *
 * The folder is copied, and indexed by one and then the other with the same key. Prints the files and sections that differ, and of a section
 * of JSON the parts that do. Equal are all but the hashes (header, block table) and what holds a time or the version of the program.
 */
import { join } from "node:path";
import { AT, ENTRY_BYTES, HEADER_BYTES } from "#engine/index/blob/format.ts";
import { Program } from "../scripts/bench/program.ts";

const [before, after, folder] = Deno.args as [string, string, string];
const parent = await Deno.makeTempDir({ prefix: "muxue_rag-same-" });
const copy = join(parent, "folder"), state = join(parent, "state");
await Deno.mkdir(state);
const { success } = await new Deno.Command("cp", { args: ["-r", folder, copy] }).output();
if (!success) throw new Error(`cannot copy ${folder}`);
await Deno.remove(join(copy, ".muxue_rag"), { recursive: true }).catch(() => {});

const [one, other] = [await indexed(before), await indexed(after)];
for (const name of new Set([...one.keys(), ...other.keys()])) {
  const [a, b] = [one.get(name), other.get(name)];
  const isEqual = a !== undefined && b !== undefined && isSame(a, b);
  console.log(`${name}: ${a?.length} and ${b?.length} bytes, ${isEqual ? "equal" : "different"}`);
  if (!isEqual && a !== undefined && b !== undefined) tellParts(a, b);
}
await Deno.remove(parent, { recursive: true });

/** Indexes the copy. Returns the bytes of each file in the data folder, of `index.bin` each section. */
async function indexed(executable: string): Promise<Map<string, Uint8Array>> {
  await new Program(state, executable).index(copy);
  const kept = join(copy, ".muxue_rag"), parts = new Map<string, Uint8Array>();
  for (const { name, isFile } of Deno.readDirSync(kept)) {
    if (!isFile || name === "lock") continue;
    const bytes = Deno.readFileSync(join(kept, name));
    if (name !== "index.bin") parts.set(name, bytes);
    else for (const [section, content] of sectionsOf(bytes)) parts.set(section, content);
  }
  await Deno.remove(kept, { recursive: true });
  return parts;
}

function sectionsOf(bytes: Uint8Array): [string, Uint8Array][] {
  const view = new DataView(bytes.buffer);
  const table = view.getFloat64(AT.table, true);
  const sections = Array.from({ length: view.getUint32(AT.count, true) }, (_, i): [string, Uint8Array] => {
    const at = AT.entries + i * ENTRY_BYTES;
    const [offset, length] = [view.getFloat64(at + 16, true), view.getFloat64(at + 24, true)];
    const name = new TextDecoder().decode(bytes.subarray(at, at + 16)).replace(/\0+$/, "");
    return [name, bytes.subarray(offset, offset + length)];
  });
  return [["header", bytes.subarray(0, HEADER_BYTES)], ...sections, ["block table", bytes.subarray(table)]];
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Prints the keys of a JSON object whose values differ. */
function tellParts(a: Uint8Array, b: Uint8Array): void {
  const [one, other] = [a, b].map((bytes) => {
    const text = new TextDecoder().decode(bytes);
    return text.startsWith("{") ? JSON.parse(text) as Record<string, unknown> : undefined;
  });
  if (one === undefined || other === undefined) return;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const values = [one[key], other[key]].map((value) => JSON.stringify(value)?.slice(0, 80));
    if (values[0] !== values[1]) console.log(`  ${key}: ${values[0]} and ${values[1]}`);
  }
}
