import { deepEqual, equal, throws } from "node:assert/strict";
import { WATCHES_SUBFOLDERS, watchFolder } from "../../lib/sandbox/mod.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

/** Watches a folder. Waits until `path` is reported; returns every path reported so far, each once. */
function watching(root: string, folders: string[]) {
  const seen = new Set<string>();
  let found = () => {};
  const watch = watchFolder(root, {
    folders,
    onChange: (path) => {
      seen.add(path);
      found();
    },
    onEnd: (error) => {
      throw error;
    },
  });
  return {
    async until(path: string): Promise<string[]> {
      while (!seen.has(path)) await new Promise<void>((resolve) => found = resolve);
      return [...seen].sort();
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

Deno.test("watchFolder() reports files that are written, replaced and removed, by their relative paths", async () => {
  using dir = new TempDir();
  dir.write("root/sub/a.md");
  using watch = watching(dir.at("root"), ["", "sub"]);
  dir.write("root/b.md");
  deepEqual(await watch.until("b.md"), ["b.md"]);
  dir.write("root/new");
  Deno.renameSync(dir.at("root/new"), dir.at("root/sub/a.md"));
  deepEqual(await watch.until("sub/a.md"), ["b.md", "new", "sub/a.md"]);
  Deno.removeSync(dir.at("root/sub"), { recursive: true });
  await watch.until("sub");
});

Deno.test("watchFolder() does not watch through links", { ignore: ON_WINDOWS }, async () => {
  using dir = new TempDir();
  dir.write("outside/sub/secret.md");
  dir.write("root/a.md");
  Deno.symlinkSync(dir.at("outside"), dir.at("root/link"));
  using watch = watching(dir.at("root"), ["", "link", "link/sub"]);
  dir.write("outside/sub/secret.md", "changed");
  dir.write("outside/new.md");
  dir.write("root/a.md", "changed");
  deepEqual(await watch.until("a.md"), ["a.md"]);
});

Deno.test("watchFolder() throws the system's error where there is no folder", () => {
  using dir = new TempDir();
  const options = { folders: [""], onChange: () => {}, onEnd: () => {} };
  throws(() => watchFolder(dir.at("none"), options), Deno.errors.NotFound);
  equal(WATCHES_SUBFOLDERS, Deno.build.os !== "linux");
});

Deno.test("watchFolder() leaves out folders that have disappeared since they were listed", async () => {
  using dir = new TempDir();
  dir.write("root/a.md");
  using watch = watching(dir.at("root"), ["", "gone"]);
  dir.write("root/a.md", "changed");
  deepEqual(await watch.until("a.md"), ["a.md"]);
});
