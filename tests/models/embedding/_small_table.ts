import { bytesSource, decodeTable } from "#models/embedding/builtin/decode.ts";
import { Table } from "#models/embedding/mod.ts";
import { buildTable, DEFAULT_OPTIONS, type Sources } from "../../../scripts/embedding/build_table.ts";

/** Eight words with vectors of four numbers: water and ships have one direction, money another. */
const GLOVE: Record<string, number[]> = {
  the: [0.1, 0.2, 0.1, 0],
  river: [1, 0.1, 0.2, 0.3],
  bridge: [0.9, 0.3, -0.1, 0.2],
  ship: [0.8, -0.2, 0.4, 0.1],
  bank: [-0.6, 0.8, 0.3, 0.1],
  money: [-0.9, 0.7, -0.2, 0.4],
  long: [0.2, -0.6, 0.5, -0.4],
  city: [0.1, 0.1, -0.9, -0.5],
};

/** Sources of a table small enough to check by hand. */
export const SOURCES: Sources = {
  glove: {
    words: Object.keys(GLOVE),
    dimensions: 4,
    vectors: Float32Array.from(Object.values(GLOVE).flat()),
  },
  cedict: [
    { traditional: "長", simplified: "长", pinyin: "chang2", senses: ["long"] },
    { traditional: "江", simplified: "江", pinyin: "Jiang1", senses: ["surname Jiang"] },
    { traditional: "江", simplified: "江", pinyin: "jiang1", senses: ["river", "CL:條|条[tiao2]"] },
    { traditional: "橋", simplified: "桥", pinyin: "qiao2", senses: ["bridge"] },
    { traditional: "長江", simplified: "长江", pinyin: "Chang2 Jiang1", senses: ["Yangtze River"] },
    { traditional: "大橋", simplified: "大桥", pinyin: "da4 qiao2", senses: ["bridge (large)"] },
    { traditional: "市", simplified: "市", pinyin: "shi4", senses: ["city"] },
    { traditional: "市長", simplified: "市长", pinyin: "shi4 zhang3", senses: ["mayor of a city"] },
    { traditional: "銀", simplified: "银", pinyin: "yin2", senses: ["money"] },
    { traditional: "銀行", simplified: "银行", pinyin: "yin2 hang2", senses: ["bank; money house"] },
    { traditional: "乾", simplified: "干", pinyin: "gan1", senses: ["dry"] },
    { traditional: "乾", simplified: "乾", pinyin: "qian2", senses: ["heaven"] },
    { traditional: "乾舟", simplified: "干舟", pinyin: "gan1 zhou1", senses: ["dry ship"] },
  ],
  ecdict: () => [],
  jieba: new Map([["长江", 90], ["大桥", 80], ["市", 50], ["市长", 60], ["银行", 300], ["江", 20], [
    "长",
    30,
  ]]),
  tokenize: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [],
};

export function smallTableBytes(): Uint8Array<ArrayBuffer> {
  return buildTable(SOURCES, { ...DEFAULT_OPTIONS, components: 0, chineseComponents: 0, dimensions: 4 });
}

export function smallTable(): Table {
  return new Table(decodeTable(bytesSource(smallTableBytes())));
}
