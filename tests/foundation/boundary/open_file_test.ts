import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { openInside } from "#foundation/boundary/mod.ts";
import {
  fill,
  fillSync,
  holdAtOnce,
  isTrulyAt,
  openToRead,
  writeAll,
  writeAllSync,
} from "#foundation/boundary/open_file.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";
import { posixTest } from "../../_posix.ts";

const TEXT = "0123456789";

Deno.test("openToRead() returns a file that reads like one of Deno.open()", async () => {
  using temp = new TempDir();
  const path = temp.write("file", TEXT);
  for (const open of [openToRead, (path: string) => Deno.openSync(path)]) {
    using file = open(path);
    const bytes = new Uint8Array(4);
    const text = (count: number | null) => new TextDecoder().decode(bytes.subarray(0, count ?? 0));
    equal(text(file.readSync(bytes)), "0123");
    equal(text(await file.read(bytes)), "4567");
    equal(file.seekSync(-1, Deno.SeekMode.Current), 7);
    equal(text(file.readSync(bytes)), "789");
    equal(file.readSync(bytes), null);
    equal(await file.read(bytes), null);
    equal(file.seekSync(-2, Deno.SeekMode.End), 8);
    equal(text(await file.read(bytes)), "89");
    file.seekSync(0, Deno.SeekMode.Start);
    const whole = new Uint8Array(20);
    equal(await fill(file, whole), TEXT.length);
    const { isFile, size, mtime, ino, dev, nlink } = file.statSync();
    const there = Deno.lstatSync(path);
    deepEqual([isFile, size, mtime, ino, dev, nlink], [
      true,
      10,
      there.mtime,
      there.ino,
      there.dev,
      there.nlink,
    ]);
  }
  const file = openToRead(path);
  file.close();
  throws(() => file.close(), Deno.errors.BadResource);
  throws(() => openToRead(temp.at("nothing")), Deno.errors.NotFound);
  throws(() => openToRead(`${path}/below`), ON_WINDOWS ? Error : Deno.errors.NotADirectory);
});

posixTest(
  "openToRead() does not wait for the writer of a pipe, and follows a link only if asked",
  async () => {
    using temp = new TempDir();
    await new Deno.Command("mkfifo", { args: [temp.at("pipe")] }).output();
    using pipe = openToRead(temp.at("pipe"));
    equal(pipe.statSync().isFile, false);
    Deno.symlinkSync(temp.write("file"), temp.at("link"));
    throws(() => openToRead(temp.at("link")), Deno.errors.FilesystemLoop);
    openToRead(temp.at("link"), { follow: true }).close();
  },
);

posixTest("openInside() does not wait for a pipe that replaces the file after the check", async () => {
  using temp = new TempDir();
  const real = temp.write("file");
  await new Deno.Command("mkfifo", { args: [temp.at("pipe")] }).output();
  const { lstatSync } = Deno;
  Deno.lstatSync = (path) => {
    Deno.lstatSync = lstatSync;
    const info = lstatSync(path);
    Deno.renameSync(temp.at("pipe"), real);
    return info;
  };
  try {
    await rejects(openInside({ real }), { key: "not_a_file" });
  } finally {
    Deno.lstatSync = lstatSync;
  }
});

Deno.test("isTrulyAt() is true for the real path of the open file only", () => {
  using dir = new TempDir();
  const [path, other] = [dir.write("file"), dir.write("other")];
  const opened = Deno.statSync(path);
  equal(isTrulyAt(path, opened, () => true), true);
  equal(isTrulyAt(path, opened, () => false), false);
  equal(isTrulyAt(other, opened, () => true), false);
  equal(isTrulyAt(dir.at("none"), opened, () => true), false);
});

Deno.test("isTrulyAt() detects a folder that is exchanged for a link between two checks", () => {
  using dir = new TempDir();
  const [path, secret] = [dir.write("file"), Deno.statSync(dir.write("secret"))];
  const { lstatSync } = Deno;
  // Each check finds one of these at the path: the link to the secret, or the folder.
  for (
    const isLink of [(at: number) => at % 2 === 0, (at: number) => at % 2 === 1, () => Math.random() < 0.5]
  ) {
    let asked = 0;
    Deno.lstatSync = (path) => isLink(asked++) ? secret : lstatSync(path);
    try {
      for (let tries = 0; tries < 20; tries++) equal(isTrulyAt(path, secret, () => !isLink(asked++)), false);
    } finally {
      Deno.lstatSync = lstatSync;
    }
  }
});

/** A file that reads and writes at most two bytes in each call. */
function hesitant(file: Deno.FsFile): Deno.FsFile {
  const few = (bytes: Uint8Array) => bytes.subarray(0, 2);
  const own: Partial<Deno.FsFile> = {
    read: (bytes) => file.read(few(bytes)),
    readSync: (bytes) => file.readSync(few(bytes)),
    write: (bytes) => file.write(few(bytes)),
    writeSync: (bytes) => file.writeSync(few(bytes)),
  };
  return own as Deno.FsFile;
}

Deno.test("writeAll() and fill() continue after partial writes and reads", async () => {
  using temp = new TempDir();
  using file = Deno.openSync(temp.write("a", ""), { read: true, write: true });
  const part = hesitant(file);
  await writeAll(part, Uint8Array.of(1, 2, 3));
  writeAllSync(part, Uint8Array.of(4, 5, 6, 7));

  for (const read of [fill, fillSync]) {
    file.seekSync(0, Deno.SeekMode.Start);
    const [five, rest] = [new Uint8Array(5), new Uint8Array(5)];
    equal(await read(part, five), 5);
    equal(await read(part, rest), 2);
    equal(await read(part, rest), 0);
    deepEqual([[...five], [...rest]], [[1, 2, 3, 4, 5], [6, 7, 0, 0, 0]]);
  }
});

Deno.test("holdAtOnce() is true if all conditions always hold, and checks each at least once", () => {
  for (let tries = 0; tries < 100; tries++) {
    equal(holdAtOnce(() => true, () => true), true);
    equal(holdAtOnce(() => true, () => true, () => false), false);
    equal(holdAtOnce(() => false, () => true), false);
    equal(holdAtOnce(() => true, () => false), false);
  }
});

Deno.test("holdAtOnce() is false for conditions that hold alternately", () => {
  const orders = [
    (at: number) => at % 2 === 0,
    (at: number) => at % 2 === 1,
    (at: number) => at % 4 < 2,
    () => Math.random() < 0.5,
  ];
  for (const isFirst of orders) {
    let asked = 0;
    for (let tries = 0; tries < 1000; tries++) {
      equal(holdAtOnce(() => isFirst(asked++), () => !isFirst(asked++)), false);
    }
  }
});

Deno.test("holdAtOnce() is false for files of which one lies elsewhere, also if the exchange keeps in step with the checks", () => {
  let now = 0;
  // The folder is exchanged for a link at each third look.
  const isLink = () => now++ % 3 === 2;
  // To find out the real path takes as long as to look at three files, and begins with the folder.
  const isReal = () => [isLink(), isLink(), isLink()][0] === false;
  const [first, second, elsewhere] = [() => !isLink(), () => !isLink(), isLink];
  equal(holdAtOnce(isReal, () => first() && second() && elsewhere()), true);
  for (let tries = 0; tries < 1000; tries++) {
    now = 0;
    equal(holdAtOnce(isReal, first, second, elsewhere), false);
  }
});
