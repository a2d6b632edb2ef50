import fs from "node:fs";
import { deepEqual, equal, throws } from "node:assert/strict";
import { OwnFolder, type ReadableFile, writeAll } from "#foundation/boundary/mod.ts";
import { assertUserError, TempDir, textOf } from "./helpers.ts";
import { posixTest } from "../../_posix.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A folder `root` with the program's folder `data`, and a folder `elsewhere` that must not be touched. */
function place(): { temp: TempDir; data: OwnFolder } & Disposable {
  const temp = new TempDir();
  temp.write("root/data/file", "ours");
  temp.write("elsewhere/file", "precious");
  const data = new OwnFolder(temp.at("root/data"));
  return { temp, data, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** Every method that reads, writes or removes an entry. */
const ACTIONS: Readonly<Record<string, (data: OwnFolder) => unknown>> = {
  exists: (data) => data.exists(),
  make: (data) => data.make(),
  names: (data) => data.names(),
  read: (data) => data.open("file", "read").close(),
  write: (data) => data.open("file", "write").close(),
  create: (data) => data.create("new").close(),
  readText: (data) => data.readText("file"),
  replace: (data) => data.replace("file", (file) => writeAll(file, bytes("new"))),
  remove: (data) => data.remove("file"),
  removeAll: (data) => data.removeAll(),
};

Deno.test("OwnFolder creates, reads, writes, replaces and removes files", async () => {
  using temp = new TempDir();
  const data = new OwnFolder(temp.at("data"));
  equal(data.exists(), false);
  data.make();
  data.make();
  equal(data.exists(), true);
  equal(data.look("file"), undefined);
  {
    using file = data.create("file");
    file.writeSync(bytes("one"));
    throws(() => data.create("file"), Deno.errors.AlreadyExists);
  }
  equal(await data.readText("file"), "one");
  {
    using file = data.open("file", "write");
    file.writeSync(bytes("O"));
    equal(data.isStillAt("file", file), true);
    equal(await data.replace("file", (file) => writeAll(file, bytes("two")).then(() => 2)), 2);
    equal(data.isStillAt("file", file), false);
  }
  equal(await data.readText("file"), "two");
  deepEqual(data.names(), ["file"]);
  data.remove("file");
  deepEqual(data.names(), []);
  await data.removeAll();
  equal(data.exists(), false);
});

Deno.test("methods of OwnFolder throw NotFound if the folder is missing", () => {
  using temp = new TempDir();
  const data = new OwnFolder(temp.at("data"));
  for (const action of [ACTIONS["names"]!, ACTIONS["read"]!, ACTIONS["create"]!, ACTIONS["remove"]!]) {
    throws(() => action(data), Deno.errors.NotFound);
  }
});

posixTest(
  "every method refuses a link or a file in place of the folder, and the target stays unchanged",
  async () => {
    for (
      const put of [
        (temp: TempDir) => Deno.symlinkSync(temp.at("elsewhere"), temp.at("root/data")),
        (temp: TempDir) => Deno.symlinkSync(temp.at("nothing"), temp.at("root/data")),
        (temp: TempDir) => Deno.symlinkSync("data", temp.at("root/data")),
        (temp: TempDir) => Deno.writeTextFileSync(temp.at("root/data"), ""),
      ]
    ) {
      using at = place();
      const { temp, data } = at;
      Deno.removeSync(data.path, { recursive: true });
      put(temp);
      for (const action of Object.values(ACTIONS)) {
        const error = await assertUserError(async () => await action(data), "data_folder_unsafe");
        deepEqual(error.params, { path: data.path });
      }
      deepEqual([...Deno.readDirSync(temp.at("elsewhere"))].map(({ name }) => name), ["file"]);
      equal(Deno.readTextFileSync(temp.at("elsewhere/file")), "precious");
    }
  },
);

posixTest("a folder whose parent has become a link is refused", async () => {
  using at = place();
  const { temp, data } = at;
  temp.write("other/data/file", "precious");
  Deno.renameSync(temp.at("root"), temp.at("moved"));
  Deno.symlinkSync(temp.at("other"), temp.at("root"));
  for (const action of Object.values(ACTIONS)) {
    await assertUserError(async () => await action(data), "data_folder_unsafe");
  }
  equal(Deno.readTextFileSync(temp.at("other/data/file")), "precious");
});

posixTest("links are allowed above a named folder, but not in its place", async () => {
  using temp = new TempDir();
  Deno.mkdirSync(temp.at("real"));
  Deno.symlinkSync(temp.at("real"), temp.at("state"));
  const data = new OwnFolder(temp.at("state/deep/data"), { named: true });
  data.make();
  await data.replace("file", (file) => writeAll(file, bytes("ours")));
  equal(await data.readText("file"), "ours");
  equal(Deno.readTextFileSync(temp.at("real/deep/data/file")), "ours");
  Deno.renameSync(temp.at("real/deep/data"), temp.at("moved"));
  Deno.symlinkSync(temp.at("moved"), temp.at("real/deep/data"));
  for (const action of Object.values(ACTIONS)) {
    await assertUserError(async () => await action(data), "data_folder_unsafe");
  }
  equal(Deno.readTextFileSync(temp.at("moved/file")), "ours");
});

posixTest(
  "a link in place of a file is not opened, and replacing or removing it leaves the target unchanged",
  async () => {
    for (const target of ["elsewhere/file", "nothing", "elsewhere"]) {
      using at = place();
      const { temp, data } = at;
      const link = () => {
        data.remove("file");
        Deno.symlinkSync(temp.at(target), data.at("file"));
      };
      link();
      equal(data.look("file")?.isSymlink, true);
      for (const access of ["read", "write"] as const) {
        throws(() => data.open("file", access), {
          key: "data_folder_unsafe",
          params: { path: data.at("file") },
        });
      }
      throws(() => data.create("file"), Deno.errors.AlreadyExists);
      await data.replace("file", (file) => writeAll(file, bytes("new")));
      equal(await data.readText("file"), "new");
      link();
      await data.removeAll();
      equal(Deno.readTextFileSync(temp.at("elsewhere/file")), "precious");
      deepEqual([...Deno.readDirSync(temp.path)].map(({ name }) => name).sort(), ["elsewhere", "root"]);
    }
  },
);

Deno.test("a file with a hard link can be read but not written", async () => {
  using at = place();
  const { temp, data } = at;
  data.remove("file");
  Deno.linkSync(temp.at("elsewhere/file"), data.at("file"));
  equal(await data.readText("file"), "precious");
  throws(() => data.open("file", "write"), { key: "data_folder_unsafe" });
});

posixTest("folders, pipes and devices are refused without waiting", async () => {
  using at = place();
  const { data } = at;
  Deno.mkdirSync(data.at("folder"));
  await new Deno.Command("mkfifo", { args: [data.at("pipe")] }).output();
  for (const name of ["folder", "pipe"]) {
    throws(() => data.open(name, "read"), { key: "data_folder_unsafe" });
  }
});

/** Opens `file` and runs an action just before and just after the system opens it. */
function openWhile(data: OwnFolder, before: () => void, after: () => void = () => {}): ReadableFile {
  const [{ openSync }, node] = [Deno, fs.openSync];
  const between = <T>(open: () => T): T => {
    before();
    const file = open();
    after();
    return file;
  };
  Deno.openSync = (path, options) => between(() => openSync(path, options));
  fs.openSync = (path, flags) => between(() => node(path, flags));
  try {
    return data.open("file", "read");
  } finally {
    Deno.openSync = openSync;
    fs.openSync = node;
  }
}

Deno.test("a file that is replaced between check and opening is opened", async () => {
  using at = place();
  const { temp, data } = at;
  let fresh = [temp.write("root/data/fresh", "new")];
  using file = openWhile(data, () => {
    for (const path of fresh) Deno.renameSync(path, data.at("file"));
    fresh = [];
  });
  equal(await textOf(file), "new");
});

posixTest("a link that replaces a file while it is opened gives no access", () => {
  using at = place();
  const { temp, data } = at;
  const swap = () => {
    Deno.renameSync(data.at("file"), data.at("kept"));
    Deno.symlinkSync(temp.at("elsewhere/file"), data.at("file"));
  };
  const undo = () => Deno.renameSync(data.at("kept"), data.at("file"));
  throws(() => openWhile(data, swap, undo), { key: "data_folder_unsafe" });
  throws(() => openWhile(data, swap), { key: "data_folder_unsafe" });
});

posixTest("a link that replaces the folder while a file is opened gives no access", () => {
  using at = place();
  const { temp, data } = at;
  const swap = () => {
    Deno.renameSync(data.path, temp.at("kept"));
    Deno.symlinkSync(temp.at("elsewhere"), data.path);
  };
  const undo = () => {
    Deno.removeSync(data.path);
    Deno.renameSync(temp.at("kept"), data.path);
  };
  throws(() => openWhile(data, swap, undo), { key: "data_folder_unsafe" });
  let swaps = 0;
  throws(() => openWhile(data, () => void (swaps++ === 0 && swap())), { key: "data_folder_unsafe" });
});
