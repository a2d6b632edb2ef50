import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { fill, openInside } from "#foundation/boundary/mod.ts";
import { openToRead } from "#foundation/boundary/open_file.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

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

Deno.test(
  "openToRead() does not wait for the writer of a pipe, and follows a link only if asked",
  { ignore: ON_WINDOWS },
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

Deno.test("openInside() does not wait for a pipe that replaces the file after the check", {
  ignore: ON_WINDOWS,
}, async () => {
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
