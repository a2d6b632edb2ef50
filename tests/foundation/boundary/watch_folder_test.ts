import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { WATCHES_SUBFOLDERS, watchFolder, WatchThread } from "#foundation/boundary/mod.ts";
import { TempDir } from "./helpers.ts";
import { posixTest, watchTest } from "../../_posix.ts";

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

watchTest(
  "watchFolder() reports files that are written, replaced and removed, by their relative paths",
  async () => {
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
  },
);

watchTest(
  "watchFolder() reports the root after so many events at once that some may have been lost",
  async () => {
    using dir = new TempDir();
    dir.write("root/a.md");
    using watch = watching(dir.at("root"), [""]);
    for (let i = 0; i < 100; i++) dir.write(`root/${i}.md`);
    await watch.until("");
  },
);

posixTest("watchFolder() does not watch through links", async () => {
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

watchTest("watchFolder() leaves out folders that have disappeared since they were listed", async () => {
  using dir = new TempDir();
  dir.write("root/a.md");
  using watch = watching(dir.at("root"), ["", "gone"]);
  dir.write("root/a.md", "changed");
  deepEqual(await watch.until("a.md"), ["a.md"]);
});

/** A program that renames a file in a folder all the time. It ends when it is disposed of. */
function renamer(folder: string): AsyncDisposable {
  const code = `
    const [from, to] = ["x", "y"].map((name) => Deno.args[0] + "/" + name);
    Deno.writeTextFileSync(from, "");
    for (;;) { Deno.renameSync(from, to); Deno.renameSync(to, from); }`;
  const args = ["eval", code, folder];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).spawn();
  return {
    [Symbol.asyncDispose]: async () => {
      Deno.kill(child.pid, "SIGKILL");
      await child.status;
    },
  };
}

/** The events of a watch, in order. */
function listener() {
  const seen = new Set<string>();
  let tell = () => {};
  const note = (event: string) => {
    seen.add(event);
    tell();
  };
  return {
    onChange: note,
    onEnd: (error?: unknown) => note(error === undefined ? "(end)" : String(error)),
    async until(event: string): Promise<void> {
      while (!seen.has(event)) await new Promise<void>((resolve) => tell = resolve);
    },
  };
}

const ON_LINUX = Deno.build.os === "linux";

Deno.test("a WatchThread reports changes in several folders, and refuses one that is not there", {
  ignore: !ON_LINUX,
}, async () => {
  using dir = new TempDir();
  dir.write("one/a.md");
  dir.write("two/sub/b.md");
  using thread = new WatchThread([dir.at("one"), dir.at("two"), dir.at("none")]);
  const [one, two] = [listener(), listener()];
  const watch = await thread.watch(dir.at("one"), { folders: [""], ...one });
  await thread.watch(dir.at("two"), { folders: ["", "sub"], ...two });
  dir.write("one/a.md", "changed");
  dir.write("two/sub/b.md", "changed");
  await Promise.all([one.until("a.md"), two.until("sub/b.md")]);
  watch[Symbol.dispose]();
  await rejects(thread.watch(dir.at("none"), { folders: [""], ...one }), /No path was found/);
});

Deno.test("a WatchThread may read its folders only", { ignore: !ON_LINUX }, async () => {
  using dir = new TempDir();
  dir.write("one/a.md");
  dir.write("two/b.md");
  using thread = new WatchThread([dir.at("one")]);
  await rejects(thread.watch(dir.at("two"), { folders: [""], ...listener() }), /Requires read access/);
});

Deno.test("a watch ends when a program renames files all the time", { ignore: !ON_LINUX }, async () => {
  using dir = new TempDir();
  dir.write("a.md");
  using thread = new WatchThread([dir.path]);
  const events = listener();
  await thread.watch(dir.path, { folders: [""], ...events });
  await using _ = renamer(dir.path);
  await events.until("(end)");
});

Deno.test("a WatchThread that is stuck ends its watches and begins no other, until it can go on", {
  ignore: !ON_LINUX,
}, async () => {
  using dir = new TempDir();
  dir.write("calm/a.md");
  const pipe = dir.at("pipe");
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const module = new URL("./_stuck_worker.ts", import.meta.url);
  using thread = new WatchThread([dir.path], { stuckMs: 10, module });
  const calm = listener();
  const watch = async (root: string) => {
    for (;;) {
      try {
        return await thread.watch(root, { folders: [""], ...calm });
      } catch {
        // The thread is starting, or it is still stuck.
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  };
  await watch(dir.at("calm"));
  await rejects(thread.watch(pipe, { folders: [""], ...listener() }), /change too fast/);
  await calm.until("(end)");
  await rejects(thread.watch(dir.at("calm"), { folders: [""], ...listener() }), /change too fast/);
  Deno.writeTextFileSync(pipe, "");
  await watch(dir.at("calm"));
});
