import { deepEqual, equal } from "node:assert/strict";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import type { Library, SearchRequest, WhyNot, WhyNotRequest } from "#library/search/mod.ts";
import { config, Place } from "../../ingest/_place.ts";
import { RerankServer } from "../../../models/rerank/_rerank_server.ts";
import { ON_WINDOWS, slashed } from "../../../_posix.ts";

/** A folder with a document for each gate, in both languages. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  ".gitignore": "*.log.md\n\n# notes that nobody needs\nold/\n!old/keep/\n",
  "old/pump.md": "The cooling pump broke in May.\n",
  "pump.log.md": "The cooling pump started.\n",
  "drafts/pump.md": "A draft about the cooling pump.\n",
  "long.md": "cooling pump ".repeat(20_000),
  "photo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
  "data.txt": Uint8Array.of(0x70, 0x75, 0x6d, 0x70, 0, 1, 2, 3),
  "package-lock.json": '{"name": "pump", "lockfileVersion": 3, "packages": {}}\n',
  "manual.docx": Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0),
  "service.md":
    "# Service\n\nThe cooling pump is serviced every six months by the plant team, who also change its seal.\n",
  "水泵.md": "# 水泵\n\n冷却水泵每六个月由维护小组保养一次，并更换密封件。\n",
  "garden.md": "# Garden\n\nTomatoes like compost.\n",
  "年假.md": "# 年假\n\n员工入职满一年后享有年假。\n",
};

const SETTINGS: ConfigOverrides = { files: { "max_file_mb": 0.2, exclude: ["drafts/"] } };

type Asked = Omit<WhyNotRequest, "search"> & Partial<SearchRequest>;

/** A library with functions that say which gate stops a document. */
class Questions {
  constructor(readonly place: Place, readonly library: Library) {}

  async full({ path, chunk, text, ...search }: Asked): Promise<WhyNot> {
    const { place: { root } } = this;
    const request = { search: { query: "cooling pump", ...search }, path, chunk, text };
    const result = await this.library.whyNot(request);
    return JSON.parse(JSON.stringify(result), (name, value) => {
      if (typeof value === "string" && value.includes(root)) return slashed(value.replaceAll(root, "ROOT"));
      if (name === "indexedAt") return "TIME";
      if (name === "chunk") return "ID";
      return typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(1)) : value;
    });
  }

  /** The gate and its reason, what is said of it, and the setting. */
  async stop(asked: Asked): Promise<unknown[]> {
    const { gate, reason, by, setting } = await this.full(asked);
    return [gate, reason, by, ...(setting === undefined ? [] : [setting])];
  }
}

async function questions(
  files: typeof FILES,
  settings: ConfigOverrides = {},
  more: Parameters<Place["library"]>[0] = {},
) {
  const place = await Place.indexed(files, settings);
  return new Questions(place, await place.library({ settings, ...more }));
}

Deno.test("found: ignored, excluded, too large, hidden, a link, outside, missing, gone", async () => {
  const asked = await questions(FILES, SETTINGS);
  using place = asked.place;
  deepEqual(await asked.full({ path: "old/pump.md" }), {
    gate: "found",
    reason: "ignored",
    by: { at: "ROOT/old", rule: { pattern: "old/", file: "ROOT/.gitignore", line: 4 } },
    passed: [],
    path: "ROOT/old/pump.md",
    root: "ROOT",
  });
  const rule = { pattern: "*.log.md", file: "ROOT/.gitignore", line: 1 };
  deepEqual(await asked.stop({ path: "pump.log.md:1" }), ["found", "ignored", { rule }]);
  deepEqual(await asked.stop({ path: place.at("drafts/pump.md") }), [
    "found",
    "excluded",
    { at: "ROOT/drafts", rule: { pattern: "drafts/" } },
    { key: "files.exclude" },
  ]);
  deepEqual(await asked.stop({ path: "long.md" }), [
    "found",
    "too_large",
    { bytes: 260_000, mostBytes: 200_000 },
    { key: "files.max_file_mb", value: 0.2, needed: 1 },
  ]);
  place.write({ ".secret.md": "cooling pump" });
  deepEqual(await asked.stop({ path: ".secret.md" }), ["found", "hidden", {}]);
  if (!ON_WINDOWS) {
    Deno.symlinkSync(place.at("service.md"), place.at("link.md"));
    deepEqual(await asked.stop({ path: "link.md" }), ["found", "link", {}]);
  }
  const outside = ON_WINDOWS ? "C:\\Windows\\win.ini" : "/etc/hosts";
  deepEqual(await asked.stop({ path: outside }), ["found", "outside", {}]);
  deepEqual(await asked.stop({ path: "servce.md" }), ["found", "missing", { nearest: ["ROOT/service.md"] }]);
  deepEqual(await asked.stop({ path: "old" }), ["found", "folder", {}]);
  deepEqual(await asked.stop({ chunk: "0123456789abcdef" }), ["found", "unknown_chunk", {}]);
  await place.store.removed.add(new Set(["水泵.md"]));
  deepEqual(await asked.stop({ path: "水泵.md", query: "水泵" }), ["found", "removed", {}]);
  Deno.removeSync(place.at("garden.md"));
  deepEqual(await asked.stop({ path: "garden.md", query: "tomatoes" }), ["found", "gone", {}]);
});

Deno.test("read: by type, by content, generated for machines, without a process that reads documents", async () => {
  const asked = await questions(FILES, SETTINGS);
  using _ = asked.place;
  deepEqual(await asked.stop({ path: "photo.png" }), [
    "read",
    "by_type",
    { problem: "image" },
    { key: "files.ocr", value: "off", needed: "tesseract" },
  ]);
  deepEqual(await asked.stop({ path: "data.txt" }), ["read", "by_content", { problem: "binary_content" }]);
  deepEqual(await asked.stop({ path: "package-lock.json" }), ["read", "by_content", {
    problem: "lock_file",
  }]);
  const [gate, reason, by] = await asked.stop({ path: "manual.docx" });
  equal(`${gate} ${reason} ${(by as { problem: string }).problem}`, "read failed extractor_unavailable");
});

Deno.test("indexed: new, changed since, no index, other settings", async () => {
  const asked = await questions(FILES, SETTINGS);
  using place = asked.place;
  place.write({ "new.md": "A new cooling pump." });
  deepEqual(await asked.stop({ path: "new.md" }), ["indexed", "new", { indexedAt: "TIME" }]);
  place.write({ "garden.md": "# Garden\n\nThe cooling pump of the pond.\n" });
  const { passed, ...changed } = await asked.full({ path: "garden.md" });
  deepEqual([changed.gate, changed.reason, passed.map(({ gate }) => gate)], ["indexed", "changed", [
    "found",
    "read",
  ]]);
  deepEqual(await asked.stop({ path: "garden.md", text: "The cooling pump of the pond" }), [
    "indexed",
    "changed",
    { indexedAt: "TIME" },
  ]);
  deepEqual(
    (await asked.stop({ path: "garden.md", query: "tomatoes" }))[0],
    "shown",
    "the old text is shown",
  );
  const other = { ...SETTINGS, chunking: { "max_chars": 300 } };
  const later = new Questions(place, await place.library({ settings: other }));
  deepEqual(await later.stop({ path: "service.md", text: "No such sentence stands here" }), [
    "indexed",
    "settings",
    { keys: "chunking.max_chars" },
  ]);
  using without = new Place("ohne");
  without.write({ "a.md": "pump" });
  deepEqual(await new Questions(without, await without.library()).stop({ path: "a.md" }), [
    "indexed",
    "no_index",
    {},
  ]);
});

Deno.test("text: a sentence that the file or no file has, with the nearest passage; line breaks and case do not count", async () => {
  const asked = await questions(FILES, SETTINGS);
  using _ = asked.place;
  deepEqual(await asked.stop({ path: "service.md", text: "The cooling pump is serviced every two years" }), [
    "text",
    "not_there",
    {
      passage: {
        path: "ROOT/service.md",
        chunk: "ID",
        startLine: 1,
        endLine: 3,
        section: ["Service"],
        text: "The cooling pump is serviced every six months by the plant team, who also change its seal.",
      },
      share: 0.8,
    },
  ]);
  deepEqual(await asked.stop({ text: "冷却水泵每三个月由维护小组保养一次", query: "水泵" }), [
    "text",
    "nowhere",
    {
      passage: {
        path: "ROOT/水泵.md",
        chunk: "ID",
        startLine: 1,
        endLine: 3,
        section: ["水泵"],
        text: "冷却水泵每六个月由维护小组保养一次，并更换密封件。",
      },
      share: 0.5,
    },
  ]);
  deepEqual(await asked.stop({ text: "completely unknown words", query: "pump" }), ["text", "nowhere", {}]);
  const found = await asked.full({ text: "the COOLING pump is\nserviced, every six months" });
  deepEqual([found.gate, found.path, found.by], ["shown", "ROOT/service.md", { hit: 1, degree: "high" }]);
});

Deno.test("terms: no word of the question and no similar one, in each mode that needs words", async () => {
  const asked = await questions(FILES, SETTINGS);
  using _ = asked.place;
  const absent = (word: string, chunks: number) => ({ word, has: "absent", chunks });
  deepEqual(await asked.stop({ path: "garden.md" }), ["terms", "no_words", {
    words: [absent("cooling", 1), absent("pump", 1)],
  }]);
  deepEqual(await asked.stop({ path: "garden.md", mode: "keyword" }), [
    "terms",
    "no_words",
    { words: [absent("cool", 1), absent("pump", 1)] },
    { key: "search.mode", value: "keyword", needed: "hybrid", change: { mode: "hybrid" } },
  ]);
  deepEqual(await asked.stop({ path: "年假.md", query: "水泵", mode: "keyword" }), [
    "terms",
    "no_words",
    { words: [absent("水泵", 1)] },
    { key: "search.mode", value: "keyword", needed: "hybrid", change: { mode: "hybrid" } },
  ]);
  const { passed } = await asked.full({ path: "水泵.md", query: "water pump maintenance" });
  deepEqual(passed.find(({ gate }) => gate === "terms")!.by.words!.map(({ has, form }) => [has, form]), [
    ["translated", "维护"],
    ["translated", "水泵"],
    ["translated", "水泵"],
  ]);
});

Deno.test("filter: type, language, phrase, exclusion, a part of a boolean query, another folder", async () => {
  const asked = await questions(FILES, SETTINGS);
  using _ = asked.place;
  const unmet = (...conditions: string[]) => ["filter", "condition", { conditions }];
  const file = { path: "service.md" };
  deepEqual(await asked.stop({ ...file, query: "cooling pump type:pdf" }), unmet("type: pdf"));
  deepEqual(await asked.stop({ ...file, filters: { lang: "zh", path: "serv" } }), unmet("lang: zh"));
  deepEqual(
    await asked.stop({ ...file, query: 'pump "like compost"' }),
    unmet('"like compost"'),
  );
  deepEqual(await asked.stop({ ...file, query: "cooling pump -seals" }), unmet("-seals"));
  deepEqual(
    await asked.stop({ ...file, query: "cooling AND pump NOT (seal OR leak)" }),
    unmet("NOT (seal OR leak)"),
  );
  deepEqual(await asked.stop({ path: "水泵.md", query: "水泵 AND 更换 AND 阀门" }), unmet("阀门"));
  deepEqual(
    await asked.stop({ ...file, filters: { json: { tags: { any: ["budget"] } } } }),
    unmet("tags: budget"),
  );
  deepEqual(
    await asked.stop({ path: "水泵.md", query: "水泵", mode: "semantic", filters: { after: "2099" } }),
    unmet("after: 2099-01-01"),
  );
});

Deno.test("filter: another part of the folder", async () => {
  const asked = await questions({ ...FILES, "tools/saw.md": "A saw.\n" }, SETTINGS);
  using _ = asked.place;
  deepEqual(await asked.stop({ path: "service.md", dirPath: "tools" }), [
    "filter",
    "out_of_scope",
    { conditions: ["tools"] },
    { key: "dir_path", value: "tools", change: { wholeScope: true } },
  ]);
});

/** Forty notes that have the words more often than the last one. */
const MANY = {
  ...Object.fromEntries(
    Array.from(
      { length: 40 },
      (_, i) => [`${10 + i}.md`, `Pump ${i}: the cooling pump cools, cooling pump ${"and pump ".repeat(3)}`],
    ),
  ),
  "last.md": `The plant ${"has walls and doors and floors ".repeat(6)} and a cooling pump.`,
  "末.md": `工厂${"有墙有门有地板，".repeat(10)}还有冷却水泵。`,
  ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`泵${i}.md`, `第${i}台冷却水泵，冷却水泵`])),
};

Deno.test("candidates: each leg's place against its limit, in each mode", async () => {
  const asked = await questions(MANY);
  using _ = asked.place;
  const few = { topK: 2, ranking: { fts_topn: 5, vec_topn: 5 } };
  deepEqual(await asked.stop({ path: "last.md", mode: "keyword", ...few }), ["candidates", "below_lists", {
    legs: [{ leg: "keyword", rank: 41, within: 41, limit: 20 }],
  }, { key: "search.fts_topn", value: 5, needed: 41, change: { ranking: { fts_topn: 41 } } }]);
  const hybrid = await asked.full({ path: "last.md", ...few });
  deepEqual([hybrid.gate, hybrid.by.legs!.map(({ leg, limit }) => [leg, limit])], ["candidates", [
    ["keyword", 5],
    ["vector", 5],
  ]]);
  const zh = await asked.full({ path: "末.md", query: "冷却水泵", ...few });
  deepEqual([zh.gate, zh.passed.map(({ gate }) => gate)], ["candidates", [
    ...["found", "read", "indexed", "terms", "filter"],
  ]]);
  const semantic = await asked.full({ path: "末.md", query: "冷却水泵", mode: "semantic", ...few });
  deepEqual([semantic.gate, semantic.by.legs!.map(({ leg, limit }) => [leg, limit]), semantic.setting!.key], [
    "candidates",
    [["vector", 20]],
    "search.fts_topn",
  ]);
  for (
    const [path, query, mode] of [
      ["last.md", "cooling pump", "keyword"],
      ["last.md", "cooling pump", "hybrid"],
      ["末.md", "冷却水泵", "hybrid"],
      ["末.md", "冷却水泵", "semantic"],
    ] as const
  ) {
    const { setting } = await asked.full({ path, query, mode, ...few });
    const [gate] = await asked.stop({ path, query, mode, ...few, ...setting!.change });
    equal(gate, "fusion", "with that setting it is a candidate");
  }
});

Deno.test("fusion: rank and score against the last hit; with the number of hits that it needs, it is shown", async () => {
  const asked = await questions(
    Object.fromEntries(Object.entries(MANY).filter(([path]) => !/^(?:[2-5]|泵[1-3])\d/.test(path))),
  );
  using _ = asked.place;
  for (
    const [path, query, mode] of [
      ["last.md", "cooling pump", "hybrid"],
      ["last.md", "cooling pump", "keyword"],
      ["末.md", "冷却水泵", "hybrid"],
      ["末.md", "水泵 AND 冷却", "keyword"],
    ] as const
  ) {
    const { gate, reason, by, setting } = await asked.full({ path, query, mode, topK: 5 });
    deepEqual([gate, reason, by.last?.rank, setting!.key, setting!.value], [
      "fusion",
      "below_last",
      5,
      "search.top_k",
      5,
    ]);
    deepEqual((await asked.stop({ path, query, mode, ...setting!.change }))[0], "shown", `${query} ${mode}`);
  }
});

Deno.test("fusion: an old date", async () => {
  const note = (date: string) => `---\nmodified: ${date}\n---\n# Pump\n\nThe cooling pump ${date} runs.\n`;
  const settings = { search: { recency: { field: "modified", "half_life_days": 30, weight: 0.9 } } } as const;
  const files = {
    "old.md": `${note("2001-01-01")}Cooling pump, cooling pump.\n`,
    "new.md": note("2099-01-01"),
  };
  const asked = await questions(files, settings);
  using _ = asked.place;
  deepEqual((await asked.stop({ path: "old.md", topK: 1 })).toSpliced(2, 1), [
    "fusion",
    "recency",
    { key: "search.recency.weight", value: 0.9, needed: 0 },
  ]);
});

Deno.test("rerank: the ranks before and after", async () => {
  await using server = await RerankServer.start("jina");
  server.relevance = (passage) => passage.includes("seal") || passage.includes("密封") ? 0.1 : 0.9;
  using place = await Place.indexed({
    "seal.md": "Cooling pump cooling pump: its seal.",
    "one.md": "The cooling pump of hall one, with walls.",
    "密封.md": "冷却水泵冷却水泵的密封。",
    "一号.md": "一号车间有墙有门，还有冷却水泵。",
  });
  const library = await place.library({ config: await config({ rerank: server.config() }) });
  const asked = new Questions(place, library);
  for (const [path, query] of [["seal.md", "cooling pump"], ["密封.md", "冷却水泵"]] as const) {
    const { gate, reason, by, setting } = await asked.full({ path, query, topK: 1 });
    deepEqual([gate, reason, by.rankBefore, setting!.key], ["rerank", "moved_down", 1, "rerank.provider"]);
  }
});

Deno.test("file_limit: the passages of a file before this one", async () => {
  const part = (i: number, text: string) => `## ${i}\n\n${text} ${"x ".repeat(30)}`;
  const asked = await questions({
    "long.md": [1, 2, 3, 4].map((i) => part(i, "cooling pump ".repeat(6 - i))).join("\n\n"),
    "长.md": [1, 2, 3, 4].map((i) => part(i, "冷却水泵，".repeat(6 - i))).join("\n\n"),
  }, { chunking: { "max_chars": 150, overlap: 0 } });
  using _ = asked.place;
  for (const [path, query] of [["long.md:13", "cooling pump"], ["长.md:13", "冷却水泵"]] as const) {
    const [gate, reason, by, setting] = await asked.stop({ path, query });
    deepEqual([gate, reason, by], ["file_limit", "file_full", { ofFile: 3, most: 3 }]);
    deepEqual(setting, {
      key: "search.per_doc_limit",
      value: 3,
      needed: 4,
      change: { ranking: { per_doc_limit: 4 } },
    });
    equal((await asked.stop({ path, query, ranking: { per_doc_limit: 4 } }))[0], "shown");
  }
});

Deno.test("duplicate: the document that stands for it, with its hit", async () => {
  const text =
    "To descale the coffee machine, fill the tank with citric acid and water, and let it run twice until the light goes out.";
  const zh = "咖啡机除垢时，先在水箱中加入柠檬酸和水，再让机器运行两遍，直到指示灯熄灭为止。";
  const asked = await questions({
    "a.txt": `${text}\n`,
    "b.md": `**${text}**\n`,
    "旧.md": `---\nmodified: 2001-01-01\n---\n${zh}\n`,
    "新.md": `---\nmodified: 2024-01-01\n---\n${zh}\n`,
  });
  using _ = asked.place;
  const shown = await asked.full({ path: "a.txt", query: "descale coffee machine" });
  const other = shown.gate === "shown" ? "b.md" : "a.txt";
  const { gate, reason, by } = await asked.full({ path: other, query: "descale coffee machine" });
  deepEqual([gate, reason, by.instead!.hit], ["duplicate", "same_text", 1]);
  const old = await asked.full({ path: "旧.md", query: "咖啡机除垢" });
  deepEqual([old.gate, old.by.instead!.path, old.by.instead!.hit], ["duplicate", "ROOT/新.md", 1]);
});

Deno.test("degree: the degree against the one that is asked for", async () => {
  const asked = await questions({
    "pump.md": "The cooling pump of the plant is serviced every six months.",
    "hall.md": `The hall has a pump. ${"It has walls and doors. ".repeat(12)}`,
    "泵.md": "冷却水泵每六个月保养一次。",
    "厅.md": `大厅里有水泵。${"大厅有墙有门。".repeat(20)}`,
  });
  using _ = asked.place;
  for (
    const [path, query] of [["hall.md", "cooling pump service months"], [
      "厅.md",
      "冷却水泵多久保养一次",
    ]] as const
  ) {
    const { gate, reason, by, setting } = await asked.full({ path, query, minDegree: "high" });
    deepEqual([gate, reason, by.wanted, setting], ["degree", "low", "high", {
      key: "min_degree",
      value: "high",
      needed: by.degree,
      change: { minDegree: by.degree },
    }]);
    equal((await asked.stop({ path, query, ...setting!.change }))[0], "shown");
  }
});

Deno.test("budget: the hits before have used up the characters", async () => {
  const asked = await questions({
    "one.md": `The cooling pump, cooling pump. ${"It has walls and doors. ".repeat(12)}`,
    "two.md": `A cooling pump. ${"Gardens with trees are green. ".repeat(12)}`,
    "一.md": `冷却水泵，冷却水泵。${"大厅有墙有门。".repeat(40)}`,
    "二.md": `有一台冷却水泵。${"花园里绿树成荫。".repeat(40)}`,
  }, { search: { "max_chars": 200 } });
  using _ = asked.place;
  for (const [path, query] of [["two.md", "cooling pump lang:en"], ["二.md", "冷却水泵 lang:zh"]] as const) {
    const { passed, gate, reason, by, setting } = await asked.full({ path, query });
    deepEqual([gate, reason, by, setting], ["budget", "full", { hit: 2 }, {
      key: "search.max_chars",
      value: 200,
    }]);
    deepEqual(passed.map(({ gate }) => gate), [
      ...[
        "found",
        "read",
        "indexed",
        "terms",
        "filter",
        "candidates",
        "fusion",
        "file_limit",
        "duplicate",
        "degree",
      ],
    ]);
  }
});

Deno.test("a document that clients may not know of is one that does not exist, however it is named", async () => {
  const secret = "The cooling pump of the vault runs at night behind the third door.";
  using place = await Place.indexed({
    "open.md": "---\naccess_level: public\n---\nThe cooling pump of the hall.\n",
    "secret.md": `---\naccess_level: secret\n---\n${secret}\n`,
    "changed.md": "---\naccess_level: public\n---\nThe cooling pump of the tower.\n",
    ".gitignore": "ignored.md\n",
    "ignored.md": "---\naccess_level: public\n---\nThe cooling pump of the cellar.\n",
  });
  const all = new Questions(place, await place.library());
  const { place: hidden } = await all.full({ path: "secret.md" });
  equal(hidden!.path, "ROOT/secret.md");
  const { hits } = await all.library.search({ query: "vault" });
  place.write({
    "changed.md": "---\naccess_level: secret\n---\nThe cooling pump of the tower and its vault.\n",
  });
  const limited = new Questions(place, await place.library({ access: [{ levels: ["public"] }] }));
  const missing = { gate: "found", reason: "missing", by: {}, passed: [] };
  for (const path of ["secret.md", "changed.md", "ignored.md", "nosuch.md", place.at("secret.md")]) {
    deepEqual(await limited.full({ path }), {
      ...missing,
      path: path.includes(place.root) ? slashed(path.replace(place.root, "ROOT")) : path,
    });
  }
  deepEqual(
    await limited.stop({ chunk: hits[0]!.chunkId }),
    await limited.stop({ chunk: "0123456789abcdef" }),
  );
  for (
    const [known, unknown] of [
      [secret, "The heating stove of the castle burns at dawn below the seventh roof."],
      ["The cooling pump of the tower", "The cooling pump of the sower"],
    ] as const
  ) {
    const [a, b] = [await limited.stop({ text: known }), await limited.stop({ text: unknown })];
    deepEqual([a.slice(0, 2), b.slice(0, 2)], [["text", "nowhere"], ["text", "nowhere"]]);
    equal(JSON.stringify([a, b]).match(/secret|changed|tower/g), null);
  }
  equal((await limited.stop({ path: "open.md" }))[0], "shown");
});

Deno.test("nothing that is named, and a path of two folders, are errors", async () => {
  using place = await Place.indexed({ "a.md": "pump" });
  using other = await Place.indexed({ "a.md": "pump" });
  const library = await place.library({ roots: [place.root, other.root] });
  const key = (request: Omit<WhyNotRequest, "search">) =>
    library.whyNot({ search: { query: "pump" }, ...request }).then(() => "", ({ key }) => key);
  deepEqual([await key({}), await key({ text: " … " }), await key({ path: "a.md" })], [
    ...["why_not_nothing", "why_not_nothing", "path_ambiguous"],
  ]);
});
