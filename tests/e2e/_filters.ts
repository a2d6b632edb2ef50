import type { Files } from "./_program.ts";

/** A Markdown file with front matter about tea. */
function note(fields: string): string {
  return `---\n${fields}\n---\n# Note\n\nGreen tea wants water of 80 degrees.\n`;
}

/** Files that all mention tea, and differ in what they say about themselves. The texts differ, so that none stands for another. */
export const DESCRIBED: Files = Object.fromEntries(
  Object.entries({
    "a.md":
      "tags: [budget, project/apollo]\nauthor: 李明\ncreated: 2024-03-05\naccess_level: public\nrank: 5",
    "b.md":
      "tags: [Budget, draft]\nauthors: [Li Wei, Bob]\ncreated: 2024-11-30\naccess_level: internal\nrank: 12.5",
    "c.md":
      "tags: [project]\nauthor: Bob\ncreated: 2025-06-01T08:00:00+08:00\naccess_level: secret\nproject: Apollo",
    "d.md": "tags: [cost]\ncreated: 2025\nstatus: final\nproject: zeus\nlanguage: zh-CN",
    "e.md": "created: spring 2024\nstatus: Ｆｉｎａｌ\npublished: 2023-01-01",
    "f.md": "title: About tea",
  }).map((
    [name, fields],
    i,
  ) => [
    name,
    `${note(fields)}\n${
      ["Oolong", "Sencha", "Assam", "Keemun", "Matcha", "Yunnan"][i]
    } is number ${i} of them.\n`,
  ]),
);

/** A filter as JSON, the same as typed into a query if it can be, and the names of the files that pass it. */
export const CASES:
  readonly (readonly [json: Record<string, unknown>, typed: string | undefined, found: string])[] = [
    [{ tags: "budget" }, "tag:budget", "ab"],
    [{ tags: { any: ["budget", "cost"] } }, "tag:budget,cost", "abd"],
    [{ tags: { all: ["budget", "draft"] } }, "tag:budget tag:draft", "b"],
    [{ tags: { none: ["draft"] } }, "-tag:draft", "acdef"],
    [{ tags: { none: ["draft"], missing: "exclude" } }, undefined, "acd"],
    [{ tags: { any: ["budget"], none: ["draft"] } }, "tag:budget -tag:draft", "a"],
    [{ tags: { any: ["budget"], missing: "include" } }, undefined, "abef"],
    [{ tag: "project" }, "tag:project", "ac"],
    [{ tags: "project/apollo" }, "tag:project/apollo", "a"],
    [{ tags: "ＢＵＤＧＥＴ" }, "tag:ＢＵＤＧＥＴ", "ab"],
    [{ tags: { missing: "exclude" } }, undefined, "abcd"],
    [{ authors: "李明" }, "author:李明", "a"],
    [{ author: "bob" }, "author:bob", "bc"],
    [{ authors: { in: ["LI WEI"] } }, 'author:"LI WEI"', "b"],
    [{ authors: { none: "Bob" } }, "-author:Bob", "adef"],
    [{ created: { gte: 2024, lte: 2025 } }, "created:2024..2025", "abcd"],
    [{ created: { gte: "2024-06" } }, "created:>=2024-06", "bcd"],
    [{ created: { lt: "2024-06" } }, "created:<2024-06", "a"],
    [{ created: "2024" }, "created:2024", "ab"],
    [{ created: "2025" }, "created:2025", "cd"],
    [{ created: { gte: "2024-11-30", lt: "2025-06-01T01:00:00Z" } }, undefined, "bc"],
    [{ date: { gt: "2024" } }, "date:>2024", "cd"],
    [{ published: { lt: 2024 } }, "published:<2024", "e"],
    [{ access_level: { in: ["public", "internal"] } }, "access_level:public,internal", "ab"],
    [{ "access-level": { none: ["secret"] } }, "-access_level:secret", "abdef"],
    [{ status: "final" }, "status:final", "de"],
    [{ language: "zh" }, "language:zh", "d"],
    [{ title: "about tea" }, undefined, "f"],
    [{ "meta.project": "apollo" }, "meta.project:apollo", "c"],
    [{ "meta.Project": ["apollo", "ZEUS"] }, "meta.Project:apollo,ZEUS", "cd"],
    [{ "meta.rank": "12.50" }, "meta.rank:12.50", "b"],
    [{ "meta.rank": { gte: 5, lt: 12.5 } }, undefined, "a"],
    [{ "meta.rank": { gt: 5 } }, "meta.rank:>5", "b"],
    [{ tags: "budget", created: { gte: "2024-06" } }, "tag:budget created:>=2024-06", "b"],
    [{ tags: "budget", path: "a.md" }, "tag:budget path:a.md", "a"],
    [{ tags: "budget", type: ["pdf"] }, "tag:budget type:pdf", ""],
  ];
