import type { BlockSink } from "../writer/cell_builder.ts";

/** Returns a sink that adds the text of every block to `lines`. Pictures are left out. */
export function lineSink(lines: string[]): BlockSink {
  const add = (text: string) => {
    lines.push(text);
  };
  return {
    heading: (_, text) => add(text),
    paragraph: add,
    block: add,
    code: add,
    item: ({ text }) => add(text),
    table: (rows) => rows.forEach((row) => add(row.join(" "))),
    image: () => {},
  };
}
