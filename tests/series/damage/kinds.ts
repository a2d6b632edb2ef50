/** All kinds of damage with their groups, and the indexes of false texts that are shipped in place of an honest one. */
import type { Kind, Sound } from "./arena.ts";
import { changedKinds } from "./changed.ts";
import { forgedKinds, jsonIn, jsonPart } from "./forged.ts";
import { ANOTHER_INSTALLATION, assemble, type Forger, forgersOf, partsOf } from "./layout.ts";

/** Returns all kinds of damage to an index. The kinds of a group follow each other. */
export function kindsOf(sound: Sound): Kind[] {
  return [
    ...changedKinds(sound),
    ...forgersOf(sound).flatMap((forger) => forgedKinds(forger, sound)),
    ...shippedKinds(sound),
    // This kind damages the registry, not an index.
    { name: "registry: an entry of 3 GB", only: "registry", damage: ({ honest }) => ({ bytes: honest }) },
  ];
}

/** Returns the group of a kind. */
export function groupOf({ name }: Pick<Kind, "name">): string {
  return name.slice(0, name.indexOf(":"));
}

interface File {
  path: string;
  size: number;
  mtimeMs: number;
  ctimeMs?: number;
  sha256: string;
}

/** Returns indexes of false texts or of another folder, in place of the honest folder's index. */
export function shippedKinds(sound: Sound): Kind[] {
  const copied = (what: string, name: "shipped" | "other"): Kind => ({
    name: `shipped from another folder of ours: ${what}`,
    damage: (sound) => ({ bytes: sound[name].slice() }),
  });
  return [
    ...[...forgersOf(sound), ANOTHER_INSTALLATION].flatMap(falseTexts),
    copied("false texts, the same paths, sizes and times", "shipped"),
    copied("some of the same files", "other"),
  ];
}

/** Returns indexes of false texts that claim to belong to the honest folder. */
function falseTexts(forger: Forger): Kind[] {
  const isBelieved = forger.name === "with the key";
  const make = (what: string, change: (files: File[], honest: ReadonlyMap<string, File>) => void): Kind => ({
    name: `shipped ${forger.name}: ${what}`,
    isBelieved,
    damage: ({ shipped, honest, root }) => {
      const parts = partsOf(shipped);
      const files = jsonIn<File[]>(parts, "files");
      const known = new Map(jsonIn<File[]>(partsOf(honest), "files").map((file) => [file.path, file]));
      change(files, known);
      parts.set("files", jsonPart(files));
      parts.set("meta", jsonPart({ ...jsonIn<object>(parts, "meta"), root }));
      return { bytes: assemble(parts, forger) };
    },
  });
  const honestly = (files: File[], honest: ReadonlyMap<string, File>) => {
    for (const file of files) {
      const { size, mtimeMs, ctimeMs, sha256 } = honest.get(file.path) ?? file;
      Object.assign(file, { size, mtimeMs, ctimeMs, sha256 });
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
