import { deepEqual, equal } from "node:assert/strict";
import { degreeOf } from "#library/search/show.ts";
import { hitsIn } from "./_collection.ts";

/** Returns the degree of each text for a question: file name to degree. */
async function degrees(text: string, files: Record<string, string>): Promise<Record<string, string>> {
  const hits = await hitsIn(files, text);
  return Object.fromEntries(hits.map(({ filePath, chance }) => [filePath, degreeOf(chance)]));
}

Deno.test("the words of the question itself make a hit high", async () => {
  const found = await degrees("违约金", { "a.md": "提前退租要付违约金。", "b.md": "天气很好。" });
  equal(found["a.md"], "high");
});

Deno.test("a single translation makes at most medium, however sure it is", async () => {
  const found = await degrees("vaccine", { "猫.md": "每年五月打疫苗。", "c.md": "A text in English." });
  equal(found["猫.md"], "medium");
});

Deno.test("several sure translations that are close together make a hit high", async () => {
  const files = { "c.md": "A text in English." };
  const near = await degrees("flood bridge", { ...files, "a.md": "洪水冲垮了桥梁。" });
  equal(near["a.md"], "high");
  const far = await degrees("flood bridge", {
    ...files,
    "a.md": `洪水来了。${"天气很好。".repeat(30)}桥梁。`,
  });
  equal(far["a.md"], "medium");
});

Deno.test("a likeness such as November and 第二天 is low", async () => {
  const found = await degrees("mails late november", {
    "京都.md": "第一天下午到关西机场。第二天去清水寺，人很多，晚上在锦市场吃了豆腐，傍晚看鹭鸶。",
    "mail.md": "Since November our mails arrive hours late.",
  });
  deepEqual([found["京都.md"], found["mail.md"]], ["low", "high"]);
});

Deno.test("one of two rare words makes at most medium", async () => {
  const found = await degrees("router password", {
    "a.md": "The router stands in the hall.",
    "b.md": "The router wants a password.",
    "c.md": "Something else.",
  });
  deepEqual([found["a.md"] === "high", found["b.md"]], [false, "high"]);
});

Deno.test("a name with a digit is found by itself and not by what its parts mean", async () => {
  const found = await degrees("hunter2", {
    "wifi.txt": "password: hunter2",
    "猎人.md": "周二去见猎人，猎户有两只狗。",
  });
  deepEqual(found["wifi.txt"], "high");
  deepEqual(found["猎人.md"] ?? "low", "low");
});

Deno.test("another form of a number or date counts as the one that was asked, in any language", async () => {
  const files = {
    "invoice.md": "The harbour office paid 1,234.50 euros.",
    "会议.md": "理事会于2024年1月18日开会。",
    "other.md": "The harbour office paid 99 euros.",
  };
  for (const number of ["1234.5", "paid 1234.5", "1234.5 欧元", "1234.50"]) {
    equal((await degrees(number, files))["invoice.md"], "high", number);
  }
  for (const day of ["2024-01-18", "18 Jan 2024", "January 18, 2024", "2024年1月18日", "council 2024/1/18"]) {
    equal((await degrees(day, files))["会议.md"], "high", day);
  }
  const near = await degrees("1234.5", { ...files, "invoice.md": "The harbour office paid 1,234.75 euros." });
  equal(near["invoice.md"], "low");
});
