import type { Language } from "#foundation/messages/mod.ts";

/** The parts of the page that are written, not recorded. */
export interface Words {
  readonly head: string;
  readonly comma: string;
  readonly tools: (names: string) => string;
  readonly list: string;
  readonly search: string;
  readonly question: string;
  /** The page of the guide that the best passage must be in. */
  readonly answerIn: string;
  readonly read: string;
  /** `place`: file and lines of the passage. */
  readonly cite: (place: string) => string;
  readonly write: string;
  readonly noteName: string;
  readonly note: string;
  readonly searchAgain: string;
  readonly noteQuestion: string;
  readonly end: string;
}

/** The words of the page by language. */
export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    head: `# An assistant's session

[中文](session.zh-CN.md)

This is what passes between an assistant and the server. The calls were sent by an official MCP client to the program, which served
the guide (\`examples/docs/en\`), and the answers are recorded (\`scripts/transcript.ts\`). Only the sentences between them were written
by hand. A client that gets both forms of an answer sees the same as structured content.
`,
    comma: ", ",
    tools: (names) => `The client lists the tools: ${names}.`,
    list: "The assistant looks at what there is:",
    search: "The user asks which files were skipped, and why. The assistant searches:",
    question: "which files were skipped, and for which reason",
    answerIn: "indexing.md",
    read:
      "It reads the lines of the best passage in the document, by the path and lines that the search gave:",
    cite: (place) =>
      `The assistant answers: \`muxue_rag status --files\` lists every file with its reason (\`${place}\`).`,
    write: "The user then saves a decision as `team.md` in the same folder, while the server runs:",
    noteName: "team.md",
    note:
      "# Decision of the team\n\nScanned invoices are read with text recognition from December on. Mia Chen answers questions.\n",
    searchAgain: "The server takes up the new file in the background, and the next search finds it:",
    noteQuestion: "who answers questions about scanned invoices",
    end: "The assistant answers: Mia Chen (`team.md:3`).",
  },
  zh: {
    head: `# 助手的一次会话

[English](session.md)

下面是助手和服务之间的往来。调用由官方 MCP 客户端发给程序，程序提供的文件夹是本指南（\`examples/docs/zh\`），结果是实际录下的
（\`scripts/transcript.ts\`）。只有调用之间的说明文字是手写的。如果客户端收到结果的两种形式，结构化内容与此相同。
`,
    comma: "、",
    tools: (names) => `客户端列出工具：${names}。`,
    list: "助手先看有哪些文件：",
    search: "用户问哪些文件被跳过，原因是什么。助手检索：",
    question: "哪些文件被跳过，原因是什么",
    answerIn: "maintenance.md",
    read: "助手按检索结果给出的路径和行号，在文档中读取最佳片段所在的行：",
    cite: (place) => `助手回答：\`muxue_rag status --files\` 列出每个文件及原因（\`${place}\`）。`,
    write: "接着，用户在服务运行时把一项决定存为同一文件夹中的 `team.md`：",
    noteName: "team.md",
    note: "# 团队的决定\n\n从十二月起，扫描的发票用文字识别读取。有问题请问陈米娅。\n",
    searchAgain: "服务在后台处理新文件，下一次检索就能找到它：",
    noteQuestion: "扫描的发票有问题问谁",
    end: "助手回答：陈米娅（`team.md:3`）。",
  },
};
