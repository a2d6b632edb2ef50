import { random } from "./_build.ts";

const ENGLISH =
  `the of and to a in is for on with index search file folder server client query answer document chunk
  term frequency score rank engine token memory disk write read lock process backup restore encoding unicode chinese
  english library book page section heading paragraph sentence word letter boundary permission network vector language
  model running runs runner configuration getUserName user_id HTTPServer node16 version2.5 C++ don't café naïve`
    .split(/\s+/);
const CHINESE =
  `的 是 在 和 了 检索 索引 文件 目录 数据库 服务器 客户端 查询 答案 文档 分片 词项 频率 得分 排序 引擎 内存 磁盘
  写入 读取 备份 恢复 编码 中文 英文 图书馆 章节 标题 段落 句子 边界 权限 网络 向量 语言 模型 配置 学习 机器 深度 北京 上海 旅行 天气`
    .split(/\s+/);

/**
 * 300 short documents in English, Chinese and both. Some are long, some are duplicates, and word frequencies are as uneven
 * as in real text.
 */
export function documents(): string[] {
  const next = random(20260101);
  const pick = (words: readonly string[]) => words[Math.floor(words.length * next() ** 2.5)]!;
  const texts: string[] = [];
  while (texts.length < 300) {
    const kind = texts.length % 3;
    const length = 3 + Math.floor(60 * next() ** 2);
    const english = () => Array.from({ length }, () => pick(ENGLISH)).join(" ");
    const chinese = () => Array.from({ length }, () => pick(CHINESE) + (next() < 0.1 ? "，" : "")).join("");
    const text = kind === 0 ? english() : kind === 1 ? chinese() : `${english()}\n${chinese()}`;
    texts.push(text);
    // A copy has the same score; the earlier document ranks first.
    if (texts.length % 50 === 0) texts.push(text);
  }
  return texts.slice(0, 300);
}

/** 60 queries, from single words to whole sentences, some with words in no document. */
export function queries(): string[] {
  const next = random(7);
  const any = (words: readonly string[]) => words[Math.floor(words.length * next())]!;
  return [
    "the",
    "的",
    "running index files",
    "getUserName user",
    "http server node 16",
    "C++",
    "数据库的备份和恢复",
    "检索 index 文件 file",
    "zyzzyva the unknown",
    "魑魅魍魉",
    ...Array.from({ length: 20 }, (_, i) => Array.from({ length: 1 + i % 6 }, () => any(ENGLISH)).join(" ")),
    ...Array.from({ length: 20 }, (_, i) => Array.from({ length: 1 + i % 5 }, () => any(CHINESE)).join("")),
    ...Array.from({ length: 10 }, () => `${any(ENGLISH)} ${any(CHINESE)}${any(CHINESE)} ${any(ENGLISH)}`),
  ];
}

/** 200 questions of one to five words of the documents: English, Chinese, and both. */
export function questions(): string[] {
  const next = random(29);
  const some = (words: readonly string[], count: number) =>
    Array.from({ length: count }, () => words[Math.floor(words.length * next())]!);
  return Array.from({ length: 200 }, (_, i) => {
    const count = 1 + i % 5;
    if (i % 3 === 0) return some(ENGLISH, count).join(" ");
    const chinese = some(CHINESE, count).join("");
    return i % 3 === 1 ? chinese : `${some(ENGLISH, count).join(" ")} ${chinese}`;
  });
}
