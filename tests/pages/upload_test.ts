import { deepEqual, equal } from "node:assert/strict";
import { startUi } from "./_ui.ts";

const config = (upload: boolean) => ({ folder }: { folder: string }) =>
  `collections:\n  notes:\n    path: ${JSON.stringify(folder)}\n    upload: ${upload}\n`;

const data = (text: string) => new TextEncoder().encode(text).toBase64();

Deno.test("a file is added to a collection that allows it, indexed, and never over another one", async () => {
  await using ui = await startUi({ "a.md": "Tea." }, { config: config(true) });
  const { folder } = ui.sandbox;
  const { path, run } = await ui.call("ingestion/upload", {
    folder: "notes",
    name: "咖啡 b.md",
    data: data("Coffee."),
  });
  equal(path, "咖啡 b.md");
  await ui.lines("ingestion/watch", { run: run.id });
  equal(await Deno.readTextFile(`${folder}/${path}`), "Coffee.");
  equal((await ui.call("search/query", { query: "coffee" })).hits[0].shownPath, path);
  const taken = { status: 400, error: "upload_taken" };
  deepEqual(await ui.ask("ingestion/upload", { folder: "notes", name: "a.md", data: data("Other.") }), taken);
  if (Deno.build.os !== "windows") {
    await Deno.symlink("/etc/hostname", `${folder}/link.md`);
    await Deno.symlink("/nowhere", `${folder}/dangling.md`);
    for (const name of ["link.md", "dangling.md"]) {
      deepEqual(
        await ui.ask("ingestion/upload", { folder: "notes", name, data: data("Other.") }),
        taken,
        name,
      );
    }
  }
  equal(await Deno.readTextFile(`${folder}/a.md`), "Tea.");
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /\.tmp$/.test(name));
  deepEqual(names, [], "nothing is left beside it");
});

Deno.test("a name that leads elsewhere, hides, or that some system does not allow is refused", async () => {
  await using ui = await startUi({ "a.md": "Tea." }, { config: config(true) });
  const { folder } = ui.sandbox;
  const before = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  for (
    const name of [
      ...[
        "",
        ".",
        "..",
        "../b.md",
        "/etc/b.md",
        "notes/b.md",
        "..\\b.md",
        "C:b.md",
        ".hidden.md",
        ".gitignore",
      ],
      ...[
        "b.md.",
        "b.md ",
        " b.md",
        "con.txt",
        "NUL",
        "COM1.md",
        "lpt9.log",
        "b.md::$DATA",
        "a?.md",
        'a"b.md',
      ],
      ...["a\nb.md", "a\0b.md", "a\u202egp.md", "a\u200bb.md", "x".repeat(201)],
      ...["config.yaml", "Config.YML", "config.json"],
    ]
  ) {
    deepEqual(
      await ui.ask("ingestion/upload", { folder: "notes", name, data: data("Other.") }),
      { status: 400, error: "upload_bad_name" },
      JSON.stringify(name),
    );
  }
  deepEqual(await ui.ask("ingestion/upload", { folder: "notes", name: "b.md", data: "%" }), {
    status: 400,
    error: "upload_no_bytes",
  });
  deepEqual(await ui.ask("ingestion/upload", { folder: "other", name: "b.md", data: "" }), {
    status: 400,
    error: "collection_unknown",
  });
  deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), before);
});

Deno.test("a collection that does not allow it gets no file", async () => {
  await using ui = await startUi({ "a.md": "Tea." }, { config: config(false) });
  equal((await ui.call("ingestion/state")).folders[0].upload, undefined);
  deepEqual(await ui.ask("ingestion/upload", { folder: "notes", name: "b.md", data: data("Other.") }), {
    status: 400,
    error: "upload_not_allowed",
  });
});
