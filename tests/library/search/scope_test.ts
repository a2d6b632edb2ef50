import { deepEqual } from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { type Scope, scopeOf } from "#library/search/served_collections.ts";
import { ServedFolder } from "#library/search/served_folders.ts";
import { assertUserError, ON_WINDOWS, TempDir } from "../../foundation/boundary/helpers.ts";
import { storeAt, WALK } from "../ingest/_place.ts";

/** A scope with roots for folders. */
const plain = ({ folders, below }: Scope) => ({ roots: folders.map(({ root }) => root), below: [...below] });

/** Two served folders, `notes/inner` inside of `notes`, and `secret`, which is not served. */
function playground(): { temp: TempDir; notes: string; inner: string; folders: ServedFolder[] } {
  const temp = new TempDir();
  temp.write("notes/sub/a.txt");
  temp.write("notes/inner/deep/b.txt");
  temp.write("notes/.hidden/c.txt");
  temp.write("secret/there/d.txt");
  const [notes, inner] = [temp.at("notes"), temp.at("notes/inner")];
  return {
    temp,
    notes,
    inner,
    folders: [new ServedFolder(storeAt(notes), WALK), new ServedFolder(storeAt(inner), WALK)],
  };
}

Deno.test("scopeOf() returns all folders if no folder is named", async () => {
  const { temp, notes, inner, folders } = playground();
  using _ = temp;
  for (const dirPath of [undefined, "", " "]) {
    deepEqual(plain(await scopeOf(dirPath, folders, new Map())), { roots: [notes, inner], below: [] });
  }
});

Deno.test("scopeOf() takes a full path, a path relative to a served folder, and a file URL", async () => {
  const { temp, notes, inner, folders } = playground();
  using _ = temp;
  const sub = { roots: [notes], below: [[notes, ["sub"]]] };
  for (const dirPath of [temp.at("notes/sub"), "sub", pathToFileURL(temp.at("notes/sub")).href]) {
    deepEqual(plain(await scopeOf(dirPath, folders, new Map())), sub, dirPath);
  }
  deepEqual(plain(await scopeOf(notes, folders, new Map())), { roots: [notes], below: [] });
  for (const dirPath of [inner, "inner"]) {
    deepEqual(plain(await scopeOf(dirPath, folders, new Map())), { roots: [inner], below: [] }, dirPath);
  }
  for (const dirPath of [temp.at("notes/inner/deep"), "inner/deep", "deep"]) {
    deepEqual(plain(await scopeOf(dirPath, folders, new Map())), {
      roots: [inner],
      below: [[inner, ["deep"]]],
    }, dirPath);
  }
});

Deno.test("scopeOf() takes an archive as a folder, unless the rules leave it out", async () => {
  const { temp, notes, folders } = playground();
  using _ = temp;
  temp.write("notes/sub/a.zip");
  temp.write("notes/sub/ignored.zip");
  temp.write("notes/sub/.muxueragignore", "ignored.zip");
  for (const below of ["sub/a.zip", "sub/a.zip/inner"]) {
    deepEqual(plain(await scopeOf(below, folders, new Map())), { roots: [notes], below: [[notes, [below]]] });
  }
  for (const below of ["sub/ignored.zip", "sub/ignored.zip/inner"]) {
    await assertUserError(
      () => scopeOf(below, folders, new Map()),
      below.endsWith("zip") ? "not_a_directory" : "directory_not_found",
    );
  }
});

Deno.test("scopeOf() names the served folders for any other path, whether it exists or not", async () => {
  const { temp, notes, inner, folders } = playground();
  using _ = temp;
  const outside = [
    temp.path,
    temp.at("secret"),
    temp.at("nosuch"),
    "../secret",
    "../nosuch",
    ".hidden",
    ".nosuch",
  ];
  if (ON_WINDOWS) outside.push("\\\\host.invalid\\share", "\\\\.\\C:", "NUL");
  else {
    Deno.symlinkSync(temp.at("secret"), temp.at("notes/out"));
    outside.push(temp.at("notes/out"), temp.at("notes/out/there"), temp.at("notes/out/nosuch"));
  }
  for (const dirPath of outside) {
    const { params } = await assertUserError(() => scopeOf(dirPath, folders, new Map()), "dir_not_served");
    deepEqual(params, { path: dirPath, served: `${notes}, ${inner}` });
  }
  // A relative path may mean either folder, and in the other one there is no `out`.
  for (const dirPath of ["nosuch", "out", "out/there", "out/nosuch"]) {
    await assertUserError(() => scopeOf(dirPath, folders, new Map()), "directory_not_found");
  }
  await assertUserError(() => scopeOf(temp.at("notes/nosuch"), folders, new Map()), "directory_not_found");
  await assertUserError(() => scopeOf("sub/a.txt", folders, new Map()), "not_a_directory");
  await assertUserError(() => scopeOf(".", folders, new Map()), "path_ambiguous");
});
