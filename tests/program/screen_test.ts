import { deepEqual, equal, ok } from "node:assert/strict";
import { screenText } from "#program/commands/search/show_hits.ts";
import { displayWidth } from "#program/terminal_text.ts";
import type { Language } from "#foundation/messages/mod.ts";
import type { SearchAnswer } from "#library/search/mod.ts";
import { answerOf, hit, PLAIN } from "./_hits.ts";

const OPTIONS = {
  style: PLAIN,
  links: false,
  nameOf: (path: string) => path.replace("/notes/", ""),
  fullText: false,
};

function screen(
  answer: SearchAnswer,
  columns: number | undefined,
  language: Language,
  more: Partial<Parameters<typeof screenText>[1]> = {},
): string {
  return screenText(answer, { ...OPTIONS, columns, language, ...more });
}

const ENGLISH = answerOf(
  hit("rotate keys", {
    filePath: "/notes/security/keys.md",
    section: ["Keys", "Rotation"],
    startLine: 12,
    endLine: 20,
    content:
      "## Rotation\n\nEvery key has an owner, who is named in the list of keys. Keys are rotated on the first Monday of a quarter, and at once when somebody leaves.\n\n- Rotate the signing key last 🔑, since the others are checked with it.\n- Write the date into the list.\n",
  }),
  hit("rotate keys", {
    filePath: "/notes/manuals/storage-controller.pdf",
    section: ["4 Maintenance", "4.2 Replacing the encryption keys of a volume"],
    page: 118,
    degree: "medium",
    content: "The controller keeps two generations of keys. After a rotation the older one can only read.",
    also: [{ filePath: "/notes/manuals/storage-controller.html", startLine: 960, endLine: 988 }],
  }),
  hit("rotate keys", {
    filePath: "/notes/src/ring.ts",
    startLine: 40,
    endLine: 44,
    degree: "medium",
    content:
      "export function rotate(ring: Ring) {\n\tconst keys = ring.keys();\n\treturn keys.slice(1);\n}\n",
  }),
  hit("rotate keys", { filePath: "/notes/piano.txt", degree: "low", content: "It has 88 keys." }),
  hit("rotate keys", { filePath: "/notes/map.txt", degree: "low", content: "Rotate the map." }),
);
const CHINESE = answerOf(
  hit("更换密钥", {
    filePath: "/notes/安全/密钥管理.md",
    section: ["密钥管理", "更换"],
    startLine: 12,
    endLine: 20,
    content:
      "## 更换\n\n每一把密钥都有负责人，姓名写在密钥清单里。密钥在每个季度的第一个星期一更换；有人离职时，立即更换密钥，并且通知所有使用这把密钥的服务的负责人。\n\n- 签名用的密钥最后更换 🔑，因为其他密钥都要用它来核对。\n- 把日期写进清单。\n",
  }),
  hit("更换密钥", {
    filePath: "/notes/手册/存储控制器.pdf",
    section: ["4 维护", "4.2 更换卷的加密密钥"],
    page: 118,
    degree: "medium",
    content: "控制器保存两代密钥（key generation）。更换之后，旧的一代只能用来读取。",
    also: [{ filePath: "/notes/手册/存储控制器.html", startLine: 960, endLine: 988 }],
  }),
  hit("更换密钥", { filePath: "/notes/钢琴.txt", degree: "low", content: "更换琴弦。" }),
);

Deno.test("screenText() fits a terminal of 60 columns in English", () => {
  equal(
    screen(ENGLISH, 60, "en"),
    `3 src/ring.ts:40-44  medium
  │ export function «rotate»(ring: Ring) {
  │     const «keys» = ring.«keys»();
  │     return «keys».slice(1);

2 manuals/storage-controller.pdf  p. 118  4.2 Repla…  medium
  │ The controller keeps two generations of «keys». After a
  │ «rotation» the older one can only read.
  also in: manuals/storage-controller.html:960-988

1 security/keys.md:12-20  «Keys» › «Rotation»  high
  │ Every «key» has an owner, who is named in the list of
  │ «keys». «Keys» are «rotated» on the first Monday of a quarter,
  │ and at once when somebody leaves.

2 weaker hits (listed with --full-text): piano.txt, map.txt
5 files, 5 chunks, 0.012 s
`,
  );
});

Deno.test("screenText() fits a terminal of 140 columns in English", () => {
  equal(
    screen(ENGLISH, 140, "en"),
    `3 src/ring.ts:40-44  medium
  │ export function «rotate»(ring: Ring) {
  │     const «keys» = ring.«keys»();
  │     return «keys».slice(1);

2 manuals/storage-controller.pdf  p. 118  4 Maintenance › 4.2 Replacing the encryption «keys» of a volume  medium
  │ The controller keeps two generations of «keys». After a «rotation» the older one can only read.
  also in: manuals/storage-controller.html:960-988

1 security/keys.md:12-20  «Keys» › «Rotation»  high
  │ Every «key» has an owner, who is named in the list of «keys». «Keys» are «rotated» on the first Monday of a quarter, and at once when somebody
  │ leaves.
  │ - «Rotate» the signing «key» last 🔑, since the others are checked with it.

2 weaker hits (listed with --full-text): piano.txt, map.txt
5 files, 5 chunks, 0.012 s
`,
  );
});

Deno.test("screenText() fits a terminal of 60 columns in Chinese", () => {
  equal(
    screen(CHINESE, 60, "zh"),
    `2 手册/存储控制器.pdf  第 118 页  4.2 «更换»卷的加密«密钥»  中
  │ 控制器保存两代«密钥»（key generation）。«更换»之后，旧的一代
  │ 只能用来读取。
  相同内容还见于：手册/存储控制器.html:960-988

1 安全/密钥管理.md:12-20  «密钥»管理 › «更换»  高
  │ 每一把«密钥»都有负责人，姓名写在«密钥»清单里。«密钥»在每个季度
  │ 的第一个星期一«更换»；有人离职时，立即«更换密钥»，并且通知所
  │ 有使用这把«密钥»的服务的负责人。

另有 1 条匹配度低的结果（加 --full-text 列出）：钢琴.txt
3 个文件，3 个分片，0.012 s
`,
  );
});

Deno.test("screenText() fits a terminal of 80 columns in Chinese", () => {
  equal(
    screen(CHINESE, 80, "zh"),
    `2 手册/存储控制器.pdf  第 118 页  4 维护 › 4.2 «更换»卷的加密«密钥»  中
  │ 控制器保存两代«密钥»（key generation）。«更换»之后，旧的一代只能用来读取。
  相同内容还见于：手册/存储控制器.html:960-988

1 安全/密钥管理.md:12-20  «密钥»管理 › «更换»  高
  │ 每一把«密钥»都有负责人，姓名写在«密钥»清单里。«密钥»在每个季度的第一个星期一«更换»；
  │ 有人离职时，立即«更换密钥»，并且通知所有使用这把«密钥»的服务的负责人。
  │ - 签名用的«密钥»最后«更换» 🔑，因为其他«密钥»都要用它来核对。

另有 1 条匹配度低的结果（加 --full-text 列出）：钢琴.txt
3 个文件，3 个分片，0.012 s
`,
  );
});

Deno.test("screenText() keeps every row within the terminal, whatever its width", () => {
  const long = answerOf(
    hit("x", {
      filePath: `/notes/${"很长的目录名/".repeat(9)}file-with-a-long-name.md`,
      section: ["A section with a long name", "另一个名字很长的小节，比终端还要宽得多，所以放不下"],
      outdated: true,
      content: `${"a".repeat(300)}\nx e\u0301 👨‍👩‍👧 ${"漢字x".repeat(80)}\n\tif (x) {\n${"ไทย ".repeat(70)}x\n`,
      also: [{ filePath: `/notes/${"b/".repeat(90)}c.md`, startLine: 1, endLine: 2 }],
    }),
    ...ENGLISH.hits,
    ...CHINESE.hits,
  );
  for (const fullText of [false, true]) {
    for (let columns = 44; columns <= 140; columns += 8) {
      for (const line of screen(long, columns, "zh", { fullText }).replaceAll(/[«»]/g, "").split("\n")) {
        ok(displayWidth(line) <= columns, `${columns}: ${line}`);
      }
    }
  }
});

Deno.test("screenText() shows ten hits on one screen, the best one last", () => {
  const hits = Array.from({ length: 10 }, (_, at) =>
    hit("tea", {
      filePath: `/notes/${at + 1}.md`,
      content: "Tea is picked in spring, and the first leaves are the best ones. ".repeat(20),
    }));
  const lines = screen(answerOf(...hits), 80, "en").trimEnd().split("\n");
  equal(lines.length, 44);
  equal(lines[0], "10 10.md:1  high");
  equal(lines.at(-6), " 1 1.md:1  high");
});

Deno.test("screenText() shows weak hits if there are no others, and says what they are", () => {
  const weak = Array.from(
    { length: 5 },
    (_, at) => hit("tea", { filePath: `/notes/${at + 1}.md`, content: "Tea.", degree: "low" }),
  );
  equal(
    screen(answerOf(...weak), 80, "en"),
    `3 3.md:1  low
  │ «Tea».

2 2.md:1  low
  │ «Tea».

1 1.md:1  low
  │ «Tea».

All hits are weak: probably none of them is an answer
2 weaker hits (listed with --full-text): 4.md, 5.md
5 files, 5 chunks, 0.012 s
`,
  );
});

Deno.test("screenText() with fullText shows whole passages and the weak hits", () => {
  const answer = answerOf(ENGLISH.hits[2]!, ENGLISH.hits[4]!);
  equal(
    screen(answer, 60, "zh", { fullText: true }),
    `2 map.txt:1  低
  │ «Rotate» the map.

1 src/ring.ts:40-44  中
  │ export function «rotate»(ring: Ring) {
  │     const «keys» = ring.«keys»();
  │     return «keys».slice(1);
  │ }

2 个文件，2 个分片，0.012 s
`,
  );
});

Deno.test("screenText() with context shows the best line and the lines around it", () => {
  const content = "one\ntwo\nthree keys\nrotate keys\nfive\nsix\n";
  const answer = answerOf(hit("rotate keys", { filePath: "/notes/a.txt", content }));
  const shown = (context: number) =>
    screen(answer, 60, "en", { context }).split("\n").filter((line) => line.startsWith("  │"));
  deepEqual(shown(0), ["  │ «rotate» «keys»"]);
  deepEqual(shown(1), ["  │ three «keys»", "  │ «rotate» «keys»", "  │ five"]);
  equal(shown(9).length, 6);
});

Deno.test("screenText() begins within a long line if the match is there", () => {
  const content = `${"nothing of it, ".repeat(40)}then the keys rotate${", and nothing more".repeat(40)}`;
  const answer = answerOf(hit("rotate keys", { filePath: "/notes/a.log", content }));
  equal(
    screen(answer, 60, "en").split("\n").slice(0, 4).join("\n"),
    `1 a.log:1  high
  │ … of it, then the «keys» «rotate», and nothing more, and
  │ nothing more, and nothing more, and nothing more, and
  │ nothing more, and nothing more, and nothing more, and …`,
  );
});

Deno.test("screenText() shows the lines before a match at the end of a passage", () => {
  const content = "# Title\n\nFirst.\n\n```sh\nmake\n```\n\nrotate\n";
  const answer = answerOf(hit("rotate", { filePath: "/notes/a.md", section: ["Title"], content }));
  equal(
    screen(answer, 60, "en"),
    `1 a.md:1-9  Title  high
  │ First.
  │ make
  │ «rotate»

1 file, 1 chunk, 0.012 s
`,
  );
});

Deno.test({
  name: "screenText() makes sequences in file names, sections and passages visible, also in links",
  ignore: Deno.build.os === "windows",
}, () => {
  const hostile = hit("tea", {
    filePath: "/notes/a\u001b]8;;https://evil.example\u0007\u001b[2J\n.md",
    section: ["He\u001b[31mad"],
    content: "tea \u001b]0;title\u0007 \u009b31m \u202etxt\u0000",
    also: [{ filePath: "/notes/b\u001b[1m.md", startLine: 1, endLine: 1 }],
  });
  const address = "file:///notes/a%1B%5D8;;https:/evil.example%07%1B%5B2J%0A.md";
  equal(
    screen(answerOf(hostile), 140, "en", { links: true }),
    `1 \u001b]8;;${address}\u001b\\a␛]8;;https://evil.example␇␛[2J␊.md\u001b]8;;\u001b\\:1  He␛[31mad  high
  │ «tea» ␛]0;title␇ �31m <U+202E>txt␀
  also in: b␛[1m.md:1

1 file, 1 chunk, 0.012 s
`,
  );
});
