import fs from "node:fs";
import { deepEqual, equal, throws } from "node:assert/strict";
import { OwnFolder, writeAll } from "../../lib/sandbox/mod.ts";
import { assertUserError, ON_WINDOWS, TempDir } from "./helpers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A folder `root` with the program's `data` in it, and `elsewhere`, which is none of its business. */
function place(): { temp: TempDir; data: OwnFolder } & Disposable {
  const temp = new TempDir();
  temp.write("root/data/file", "ours");
  temp.write("elsewhere/file", "precious");
  const data = new OwnFolder(temp.at("root/data"));
  return { temp, data, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** Every method that reads, writes or removes something. */
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

Deno.test("a file is made, read, written, replaced and removed", async () => {
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

Deno.test("where the folder is missing the system's error says so", () => {
  using temp = new TempDir();
  const data = new OwnFolder(temp.at("data"));
  for (const action of [ACTIONS["names"]!, ACTIONS["read"]!, ACTIONS["create"]!, ACTIONS["remove"]!]) {
    throws(() => action(data), Deno.errors.NotFound);
  }
});

Deno.test(
  "a link, or a file, in the folder's place is refused by everything, and what it leads to is as it was",
  {
    ignore: ON_WINDOWS,
  },
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

Deno.test(
  "a folder that the one it lies in has become a link to is not used",
  { ignore: ON_WINDOWS },
  async () => {
    using at = place();
    const { temp, data } = at;
    temp.write("other/data/file", "precious");
    Deno.renameSync(temp.at("root"), temp.at("moved"));
    Deno.symlinkSync(temp.at("other"), temp.at("root"));
    for (const action of Object.values(ACTIONS)) {
      await assertUserError(async () => await action(data), "data_folder_unsafe");
    }
    equal(Deno.readTextFileSync(temp.at("other/data/file")), "precious");
  },
);

Deno.test("the way to a folder that the user named may have links, the folder itself may not", {
  ignore: ON_WINDOWS,
}, async () => {
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

Deno.test("a link in a file's place is not opened; replaced or removed it leaves alone what it led to", {
  ignore: ON_WINDOWS,
}, async () => {
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
});

Deno.test("a file with a second name is read and not written to", async () => {
  using at = place();
  const { temp, data } = at;
  data.remove("file");
  Deno.linkSync(temp.at("elsewhere/file"), data.at("file"));
  equal(await data.readText("file"), "precious");
  throws(() => data.open("file", "write"), { key: "data_folder_unsafe" });
});

Deno.test(
  "folders, pipes and devices are not opened, and not waited for",
  { ignore: ON_WINDOWS },
  async () => {
    using at = place();
    const { data } = at;
    Deno.mkdirSync(data.at("folder"));
    await new Deno.Command("mkfifo", { args: [data.at("pipe")] }).output();
    for (const name of ["folder", "pipe"]) {
      throws(() => data.open(name, "read"), { key: "data_folder_unsafe" });
    }
  },
);

/** Opens `file` while something happens just before and just after the system opens it. */
function openWhile(data: OwnFolder, before: () => void, after: () => void = () => {}): Deno.FsFile {
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

Deno.test("a file that is replaced between the look and the opening is opened all the same", async () => {
  using at = place();
  const { temp, data } = at;
  let fresh = [temp.write("root/data/fresh", "new")];
  using file = openWhile(data, () => {
    for (const path of fresh) Deno.renameSync(path, data.at("file"));
    fresh = [];
  });
  equal(await new Response(file.readable).text(), "new");
});

Deno.test("a link put in a file's place while it is opened, and taken away again, gives nothing", {
  ignore: ON_WINDOWS,
}, () => {
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

Deno.test(
  "a link put in the folder's place while a file is opened gives nothing",
  { ignore: ON_WINDOWS },
  () => {
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
  },
);
