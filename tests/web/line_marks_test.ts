import { deepEqual } from "node:assert/strict";
import { marksOnLines } from "../../web/original/line_marks.ts";

/** The marks as `line: start-end`, with the counts of lines. */
function shown(passage: Parameters<typeof marksOnLines>[0], ...lines: string[]): string {
  const { marks, found, wanted } = marksOnLines(passage, (line) => lines[line - 1]);
  const list = [...marks].map(([line, own]) => `${line}: ${own.map(({ start, end }) => `${start}-${end}`)}`);
  return `${list.join("; ")} (${found} of ${wanted})`;
}

Deno.test("marks of a passage stand on the lines of its document", () => {
  const passage = {
    content: "make tea\nand rest",
    startLine: 2,
    endLine: 3,
    marks: [{ start: 5, end: 8 }, { start: 13, end: 17 }],
  };
  deepEqual(shown(passage, "# Day", "make tea", "and rest"), "2: 5-8; 3: 4-8 (2 of 2)");
});

Deno.test("a passage may begin and end within lines", () => {
  const passage = { content: "tea\nand", startLine: 1, endLine: 2, marks: [{ start: 0, end: 3 }] };
  deepEqual(shown(passage, "make tea", "and rest"), "1: 5-8 (1 of 1)");
});

Deno.test("the head of a table that is repeated before its rows is not on its lines", () => {
  const content = "| Name | Tea |\n| --- | --- |\n| Ann | green tea |";
  const passage = {
    content,
    startLine: 9,
    endLine: 9,
    marks: [{ start: 9, end: 12 }, { start: 43, end: 46 }],
  };
  const lines = [...Array(8).fill(""), "| Ann | green tea |"];
  deepEqual(shown(passage, ...lines), "9: 14-17 (1 of 1)");
});

Deno.test("lines that have changed have no marks", () => {
  const passage = { content: "make tea", startLine: 1, endLine: 1, marks: [{ start: 5, end: 8 }] };
  deepEqual(shown(passage, "make coffee"), " (0 of 1)");
  deepEqual(shown(passage), " (0 of 1)");
});

Deno.test("a mark over two lines is marked on both", () => {
  const passage = { content: "咖啡\n机器", startLine: 1, endLine: 2, marks: [{ start: 1, end: 4 }] };
  deepEqual(shown(passage, "咖啡", "机器"), "1: 1-2; 2: 0-1 (2 of 2)");
});
