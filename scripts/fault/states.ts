import type { OpenIndex } from "#library/store/mod.ts";

/**
 * Commands that write, each with the index that the folder has before. `first update` and `merge` are updates by which a
 * delta comes into being and is taken up into the index.
 */
export const COMMANDS = {
  "index": "none",
  "first update": "first",
  "update": "old",
  "merge": "old",
  "full": "old",
  "backup": "old",
  "restore": "new",
  "clean": "old",
} as const;
export type Command = keyof typeof COMMANDS;
/** States of the index: when the folder was indexed, after one update, and after another, as the folder is now. */
export type State = "first" | "old" | "new";

/** Files of the folder when it was first indexed, after one change, and as they are now. */
export const FIRST = {
  "tea.md": "# Tea\n\nBlack tea at 95 °C.\n",
  "gone.txt": "Nobody needs this.\n",
  "sub/水.txt": "水要烧开。\n",
};
export const OLD = {
  "tea.md": "# Tea\n\nGreen tea at 70 °C.\n",
  "gone.txt": "Nobody needs this.\n",
  "sub/水.txt": "水要烧开。\n",
};
export const NEW = {
  "tea.md": "# Tea\n\nOolong at 90 °C.\n",
  "sub/水.txt": "水要烧开。\n",
  "sub/new.md": "# New\n\nWhat was added.\n",
};

/** The state of the index after each command. After `clean` there is no index. */
export const RESULTS: Readonly<Record<Command, State>> = {
  "index": "new",
  "first update": "new",
  "update": "new",
  "merge": "new",
  "full": "new",
  "backup": "old",
  "restore": "old",
  "clean": "old",
};

/** Texts of the chunks of an index by file, as one comparable string each. */
export type Contents = Readonly<Record<string, string>>;

/** Returns the texts of an index, all of which is checked. */
export async function contentsOf(index: OpenIndex): Promise<Contents> {
  await index.verify();
  const contents: Record<string, string> = {};
  for (const { path, status, firstChunk, chunkCount } of index.files) {
    const chunks = Int32Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
    if (status === "indexed") contents[path] = (await index.texts(chunks, Infinity)).join("\0");
  }
  return contents;
}

/** Returns so many bytes of words. */
export function bulkText(bytes: number): string {
  const lines = Array.from(
    { length: 1000 },
    (_, i) => `Row ${i}: ${(i * 2654435761 >>> 0).toString(36)} paid.\n`,
  );
  const block = lines.join("");
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
}
