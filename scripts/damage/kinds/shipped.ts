import { assemble, type Forger, partsOf } from "../layout.ts";
import type { Kind } from "../types.ts";
import { jsonIn, jsonPart } from "./json.ts";

interface File {
  path: string;
  size: number;
  mtimeMs: number;
  sha256: string;
}

/** Indexes of false texts that look as if they were the honest folder's. */
export function shippedKinds(forger: Forger): Kind[] {
  const isBelieved = forger.name === "with the key";
  const make = (what: string, change: (files: File[], honest: ReadonlyMap<string, File>) => void): Kind => ({
    name: `shipped ${forger.name}: ${what}`,
    isBelieved,
    damage: ({ shipped, honest }) => {
      const parts = partsOf(shipped);
      const files = jsonIn<File[]>(parts, "files");
      const known = new Map(jsonIn<File[]>(partsOf(honest), "files").map((file) => [file.path, file]));
      change(files, known);
      parts.set("files", jsonPart(files));
      return { bytes: assemble(parts, forger) };
    },
  });
  const honestly = (files: File[], honest: ReadonlyMap<string, File>) => {
    for (const file of files) {
      const { size, mtimeMs, sha256 } = honest.get(file.path) ?? file;
      Object.assign(file, { size, mtimeMs, sha256 });
    }
  };
  return [
    make("false texts, as they were indexed", () => {}),
    make("false texts, honest sizes, times and hashes", honestly),
    make("false texts, honest, of a file outside", (files, honest) => {
      honestly(files, honest);
      files[0]!.path = "../../../../etc/passwd";
    }),
  ];
}
