import { deepEqual, equal, ok } from "node:assert/strict";
import { type SearchAnswer } from "#library/search/mod.ts";
import { fingerprintOf, SaidTexts } from "#library/search/passages.ts";
import { Place } from "../ingest/_place.ts";

const BACKUP =
  "The nightly backup copies the database to another disk. Before a restore, stop the server, check the " +
  "copy with the checksum beside it, and keep the damaged files until the restored server has run for a day.";
const BACKUP_ZH =
  "每天夜里的备份把数据库复制到另一块磁盘上。恢复之前，先停止服务器，用旁边的校验和检查副本，并把损坏的文件保留到恢复后的服务器正常运行一天为止。";

async function searchIn(
  files: Readonly<Record<string, string>>,
  query: string,
  { topK, chunk = 1200 }: { topK?: number; chunk?: number } = {},
) {
  using place = await Place.indexed(files, { chunking: { max_chars: chunk, overlap: 0 } });
  const library = await place.library();
  const answer = await library.search({ query, explain: true, ...(topK === undefined ? {} : { topK }) });
  const nameOf = (path: string) => path.slice(place.root.length + 1);
  return { answer, nameOf, places: placesOf(answer, nameOf) };
}

/** Every hit as the names of its files, with lines, its own first. */
function placesOf({ hits }: SearchAnswer, nameOf: (path: string) => string): string[][] {
  return hits.map((hit) =>
    [hit, ...hit.also ?? []].map(({ filePath, startLine, endLine }) =>
      `${nameOf(filePath)}:${startLine}-${endLine}`
    )
  );
}

Deno.test("text that several files share is shown once with the other places, whatever the markup", async () => {
  const words = BACKUP.split(" ");
  const wrapped = Array.from(
    { length: Math.ceil(words.length / 9) },
    (_, i) => words.slice(9 * i, 9 * i + 9).join(" "),
  );
  const { answer, places, nameOf } = await searchIn({
    "page.md": `# Backup\n\n${
      BACKUP.replace("another disk", "[another **disk**](https://example.org/a/long/address)")
    }\n`,
    "page.txt": `BACKUP\n\n${wrapped.join("\n")}\n`,
    "other.txt": "A database that grows fills its disk.\n",
  }, "backup database disk");
  deepEqual(places.map((all) => all.toSorted()), [["page.md:1-3", `page.txt:1-${wrapped.length + 2}`], [
    "other.txt:1-1",
  ]]);
  deepEqual(
    answer.explanation!.chunks.map(({ filePath, outcome }) => [nameOf(filePath), outcome]).toSorted(),
    [["other.txt", "shown"], ["page.md", places[0]![0]!.startsWith("page.md") ? "shown" : "same_text"], [
      "page.txt",
      places[0]![0]!.startsWith("page.txt") ? "shown" : "same_text",
    ]],
  );
});

Deno.test("the places that are left free are filled, and other places are named beyond the last hit", async () => {
  const { places } = await searchIn(
    {
      "a.txt": `${BACKUP_ZH}\n`,
      "b.md": `**${BACKUP_ZH}**\n`,
      "c.md": `> ${BACKUP_ZH}\n`,
      "另一篇.txt": "数据库一直变大，磁盘就会写满。\n",
    },
    "数据库备份磁盘",
    { topK: 2 },
  );
  deepEqual(places.map((all) => all.toSorted()), [["a.txt:1-1", "b.md:1-1", "c.md:1-1"], ["另一篇.txt:1-1"]]);
});

Deno.test("a text that two files cut differently is recognised from several passages together", () => {
  const steps = Array.from(
    { length: 12 },
    (_, i) => `Step ${i}: write ${BigInt(i + 3) ** 21n} into the log and restart it.`,
  );
  const texts: [file: string, from: number, to: number][] = [["a", 0, 6], ["a", 6, 12], ["b", 4, 11], [
    "a",
    4,
    11,
  ]];
  const chunks = texts.map(([filePath, from, to]) => {
    return { filePath, print: fingerprintOf(steps.slice(from, to).join("\n")) };
  });
  const said = new SaidTexts();
  said.add(chunks[0]!);
  equal(said.same(chunks[2]!), undefined, "one alone says not even half of it");
  said.add(chunks[1]!);
  equal(said.same(chunks[2]!), chunks[1], "that says most of it");
  equal(said.same(chunks[3]!), undefined, "a file is not compared with itself");
});

Deno.test("a longer passage, a repetition in one file and a mere heading are shown separately", async () => {
  const more = `${BACKUP} ${
    "The tapes in the cellar are older than the disk and are read with a machine of their own. ".repeat(3)
  }`;
  const longer = await searchIn({ "short.txt": BACKUP, "long.txt": more }, "nightly backup database restore");
  deepEqual(longer.places.length, 2);
  const twice = await searchIn({ "a.md": `## One\n\n${BACKUP}\n\n## Two\n\n${BACKUP}\n` }, "nightly backup", {
    chunk: 300,
  });
  deepEqual(twice.places, [["a.md:1-3"], ["a.md:5-7"]]);
  const heading = await searchIn({ "a.txt": "Nightly backup", "b.txt": "Nightly backup" }, "backup");
  deepEqual(heading.places.length, 2);
});

Deno.test("a fingerprint is of letters and digits: case, width, markup and addresses do not count", () => {
  const { letters, whole } = fingerprintOf("Ｂａｃｋｕｐ，第 3 步：恢复。See the manual, part B.");
  const same = fingerprintOf(
    "**backup** 第３步: 恢复 | See [the manual](http://example.org/x?y=1), part `b`",
  );
  deepEqual([same.letters, same.whole], [letters, whole]);
  ok(fingerprintOf("Backup, step 4").whole !== fingerprintOf("Backup, step 3").whole);
  // not an address, and a bracket that is never closed
  equal(fingerprintOf("a[i](see below").letters, 10);
});

Deno.test("a fingerprint of half of a text has half of its shingles", () => {
  const text = Array.from({ length: 400 }, (_, i) => `${(i * 7919) % 1000} ${"数据库备份恢复"[i % 7]}`).join(
    " ",
  );
  const [whole, half] = [text, text.slice(0, text.length / 2)].map((text) =>
    new Set(fingerprintOf(text).shingles)
  );
  ok(half!.isSubsetOf(whole!), "shingles are sampled by themselves");
  const share = half!.size / whole!.size;
  ok(share > 0.45 && share < 0.55, `${share}`);
});
