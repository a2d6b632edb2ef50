import type { BlockSink } from "./cell_builder.ts";

/** Adds a list item under the label that the document shows for it: a number, other text, or empty for a bullet. */
export function addLabelledItem(sink: BlockSink, depth: number, label: string, text: string): void {
  const number = /^[(（]?(\d{1,9})[.)、．）]?$/.exec(label)?.[1];
  if (number !== undefined) sink.item({ depth, number: Number(number), text });
  else sink.item({ depth, text: label === "" ? text : `${label} ${text}` });
}
