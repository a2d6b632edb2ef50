import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeIndexed, type Sandbox, writeFiles } from "./_program.ts";
import { pdfOf } from "./_pdf.ts";

/** The counts of the documents by facet, as `value count`. */
async function facetsOf({ run, folder }: Sandbox): Promise<Record<string, string[]>> {
  const { stdout } = await run`status --facets --json --dir ${folder}`;
  const { facets } = JSON.parse(stdout).data.folders[0];
  return Object.fromEntries(
    Object.entries<{ values: { value: string; count: number }[] }>(facets).map((
      [name, { values }],
    ) => [name, values.map(({ value, count }) => `${value} ${count}`)]),
  );
}

const NOTE = `---
title: Keys
author: 李明
date: 2024-05-01T10:00:00+08:00
tags: [ops]
aliases: [Schlüsselbund]
access_level: internal
project: apollo
---

#预算/2024 See [[Locks]].
`;

Deno.test("extract --json has the metadata of a document in its normal form, and the index finds it by an alias", async () => {
  await using sandbox = await makeIndexed({ "notes/keys.md": NOTE, "locks.md": "# Locks\n\nOil them.\n" });
  const { folder, run } = sandbox;
  const { stdout } = await run`extract --json ${join(folder, "notes/keys.md")}`;
  const { file: _, markdown: __, sections: ___, format: ____, ...about } = JSON.parse(stdout);
  deepEqual(about, {
    title: "Keys",
    authors: ["李明"],
    created: "2024-05-01T10:00:00+08:00",
    tags: ["ops", "预算/2024"],
    access_level: "internal",
    extra: { aliases: ["Schlüsselbund"], project: "apollo" },
  });
  const found = await run`search Schlüsselbund --dir ${folder} --format paths`;
  match(found.stdout, /keys\.md/);
  deepEqual(await facetsOf(sandbox), {
    tag: ["ops 1", "预算/2024 1"],
    author: ["李明 1"],
    type: ["md 2"],
    year: [`${new Date().getUTCFullYear()} 1`, "2024 1"],
    folder: [". 1", "notes 1"],
  });
  const shown = await run`status --facets --dir ${folder} --language en`;
  match(shown.stdout, /^ {2}tag: ops 1, 预算\/2024 1, 1 without$/m);
  const chinese = await run`status --facets --dir ${folder} --language zh`;
  match(chinese.stdout, /^ {2}标签: ops 1，预算\/2024 1，无此信息的 1 个$/m);
});

Deno.test("a change of a bibliography changes the records of the PDFs that it describes, which are not read again", async () => {
  const entry = (author: string, tag: string) =>
    `@article{smith, author = {${author}}, keywords = {${tag}}, year = 2020}\n`;
  await using sandbox = await makeIndexed({
    "papers/smith.pdf": pdfOf(["Keys rotate."]),
    "papers/li.pdf": pdfOf(["Locks turn."]),
    "papers/library.bib": entry("Smith, Ann", "ops"),
  });
  const { folder, run } = sandbox;
  const facets = async () => {
    const { tag, author } = await facetsOf(sandbox);
    return [tag, author];
  };
  deepEqual(await facets(), [["ops 1"], ["Ann Smith 1"]]);
  await writeFiles(folder, { "papers/library.bib": entry("Smith, Ann and Li, Bo", "锁") });
  const { stdout } = await run`--dir ${folder} --json`;
  equal(JSON.parse(stdout).data.changed, 1);
  deepEqual(await facets(), [["锁 1"], ["Ann Smith 1", "Bo Li 1"]]);
  await writeFiles(folder, { "papers/li.bib": "@misc{x, author = {Li, Bo}}\n" });
  await run`--dir ${folder}`;
  deepEqual(await facets(), [["锁 1"], ["Bo Li 2", "Ann Smith 1"]]);
  await Deno.remove(join(folder, "papers/library.bib"));
  await run`--dir ${folder}`;
  deepEqual(await facets(), [[], ["Bo Li 1"]]);
});
