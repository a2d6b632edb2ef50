import { deepEqual, equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { collectionOf, folderConfig, loadConfig, printConfig } from "#foundation/configuration/mod.ts";
import { complaint, folder, MUST_NOT, onlyFound } from "./_load.ts";
import { posixTest } from "../../_posix.ts";

const TWO = `language: en
collections:
  notes:
    path: notes
    description: What I wrote down
    files: {include: ["*.md"]}
    chunking: {max_chars: 400}
  论文:
    path: ~/papers
`;

/** Loads a named file. The user's home is `/home/me`. */
async function named(text: string) {
  await using work = await folder({ "my.yaml": text });
  const env = { HOME: "/home/me", USERPROFILE: "/home/me", LANG: "en_US.UTF-8" };
  const loaded = await loadConfig({ cwd: "/", file: join(work.dir, "my.yaml"), env });
  return { ...loaded, dir: work.dir };
}

/** The problems of loading a file `config.yaml`, without its name. */
async function problemsOf(loading: Promise<unknown>): Promise<string[]> {
  const lines = (await complaint(loading)).split("\n").slice(1);
  return lines.map((line) => line.replace(/^\S*config\.yaml:/, ""));
}

/** A folder that files do not need to be in. */
const FOLDER = join(await Deno.realPath(Deno.cwd()), "somewhere");

/** The problems of this text as a named file in {@linkcode FOLDER}. */
async function problems(text: string): Promise<string[]> {
  await using work = await folder({ "config.yaml": `language: en\n${text}` });
  const loading = loadConfig({ cwd: "/", file: join(work.dir, "config.yaml"), env: {} });
  return (await problemsOf(loading)).map((line) => line.replace(work.dir, FOLDER));
}

posixTest("a collection has a folder, which is relative to the file, and settings of its own", async () => {
  const { config, dir, warnings } = await named(TWO);
  deepEqual(warnings, []);
  deepEqual(config.collections, {
    notes: {
      path: join(dir, "notes"),
      description: "What I wrote down",
      files: { include: ["*.md"] },
      chunking: { "max_chars": 400 },
      llm: {},
      store: {},
    },
    论文: { path: join("/home/me", "papers"), files: {}, chunking: {}, llm: {}, store: {} },
  });
  deepEqual(parse(printConfig(config)).collections, config.collections);
});

Deno.test("folderConfig() replaces the settings that the collection of a folder sets, and no others", async () => {
  const { config, dir } = await named(`${TWO}files: {exclude: [drafts], include: ["*.txt"]}\n`);
  const own = folderConfig(config, join(dir, "notes"));
  deepEqual([own.files.include, own.files.exclude], [["*.md"], ["drafts"]]);
  deepEqual([own.chunking.max_chars, own.chunking.overlap, own.chunking.strategy], [400, 40, "auto"]);
  equal(folderConfig(config, dirname(dir)), config);
  deepEqual(collectionOf(config, join(dir, "notes")), {
    name: "notes",
    description: "What I wrote down",
  });
  equal(collectionOf(config, dir), undefined);
});

const NAME_RULE =
  "cannot be the name of a collection. A name has letters, digits, - and _, begins with a letter or " +
  "digit, has at most 64 characters, and is not all";

Deno.test("problems of collections name their line and column", async () => {
  deepEqual(
    await problems(`collections:
  a: {description: 7}
  b:
    path: x
    include: ["*.md"]
    files: {max_file_mb: none, ocr: tesseract}
    chunking: {overlap: 300, max_chars: 400}
    title: B
  c d: {path: y}
  ALL: {path: z}
  B: {path: z}
  d: {path: ./x/../x}
  e: [x]
  f:
  __proto__: {path: q}
`),
    [
      "3:3 collections.a.path: expected a folder path, found nothing",
      "3:20 collections.a.description: expected text of at most 1000 characters, found 7",
      "6:5 collections.b.include: unknown key; did you mean collections.b.files.include?",
      '7:26 collections.b.files.max_file_mb: expected a number from 0.001 to 2048, found "none"',
      "7:32 collections.b.files.ocr: unknown key; the known keys are include, exclude, ignore_files, " +
      "max_file_mb, encoding, generated, archives",
      "8:25 collections.b.chunking.overlap: expected a whole number less than half of max_chars (200), found 300",
      "9:5 collections.b.title: unknown key; the known keys are path, description, upload, chunking, files, llm, store",
      `10:3 collections.c d: ${NAME_RULE}`,
      `11:3 collections.ALL: ${NAME_RULE}`,
      "12:3 collections.B: has the same name as the collection b (upper and lower case count as the same)",
      `13:13 collections.d.path: is the folder of the collection b, too: ${join(FOLDER, "x")}`,
      "14:3 collections.e.path: expected a folder path, found nothing",
      "14:6 collections.e: expected a group of settings (key: value), found a list",
      "15:3 collections.f.path: expected a folder path, found nothing",
      `16:3 collections.__proto__: ${NAME_RULE}`,
    ],
  );
  deepEqual(await problems("collections: [a]\n"), [
    "2:14 collections: expected collections (name: {path: folder, …}), found a list",
  ]);
  const many = Array.from({ length: 201 }, (_, at) => `  c${at}: {path: p${at}}\n`).join("");
  deepEqual(await problems(`collections:\n${many}`), [
    "203:3 collections: too many collections; the limit is 200",
  ]);
});

Deno.test("a collection inside another causes a warning until the outer one excludes it", async () => {
  const text = (exclude: string) =>
    `language: en
collections:
  constructor: {path: docs, files: {exclude: [${exclude}]}}
  api: {path: docs/api/v1}
`;
  const { warnings, dir } = await named(text(""));
  deepEqual(warnings, [
    `${
      join(dir, "my.yaml")
    }:4:15 The folder of the collection api is inside that of constructor, so its files are ` +
    "indexed in both. To leave them out of constructor, add /api/v1/ to collections.constructor.files.exclude",
  ]);
  deepEqual((await named(text("/api/v1/"))).warnings, []);
});

posixTest("a file that was only found in the working folder opens no folder outside of its own", async () => {
  await using outside = await folder({});
  await using work = await folder({
    "config.yaml": `language: en
collections:
  in: {path: docs}
  up: {path: ..}
  away: {path: ${JSON.stringify(outside.dir)}}
  link: {path: link/deeper}
`,
  });
  await Deno.mkdir(join(work.dir, "docs"));
  await Deno.symlink(outside.dir, join(work.dir, "link"), { type: "dir" });
  const refused = (folder: string) =>
    `would open a folder outside of that of config.yaml (${folder}), ${MUST_NOT}`;
  deepEqual(await problemsOf(loadConfig({ cwd: work.dir, env: {} })), [
    `4:14 collections.up.path: ${refused(dirname(work.dir))}`,
    `5:16 collections.away.path: ${refused(outside.dir)}`,
    `6:16 collections.link.path: ${refused(join(work.dir, "link", "deeper"))}`,
  ]);
  const whole = await loadConfig({ cwd: work.dir, env: {}, file: "config.yaml" });
  deepEqual(Object.keys(whole.config.collections), ["in", "up", "away", "link"]);

  await Deno.writeTextFile(join(work.dir, "config.yaml"), "language: en\ncollections: {in: {path: docs}}\n");
  deepEqual((await loadConfig({ cwd: work.dir, env: {} })).warnings, [onlyFound("collections (in)")]);
});
