/// <reference lib="deno.worker" />
/** A worker thread that embeds batches of texts. Its first message has the table, each later one a numbered batch. */
import { embedBatch, TextAnalyzer } from "./analyzer.ts";
import type { TableData } from "./decode.ts";
import { RowSums } from "./row_sums.ts";
import { Table } from "./table.ts";

let analyzer: TextAnalyzer | undefined;

self.onmessage = ({ data }: MessageEvent<TableData | { number: number; texts: string[] }>) => {
  if (!("texts" in data)) {
    const table = new Table(data);
    analyzer = new TextAnalyzer(table, new RowSums(table));
    return;
  }
  const batch = embedBatch(analyzer!, data.texts);
  self.postMessage({ number: data.number, batch }, [
    batch.vectors.buffer,
    batch.words.buffer,
    batch.wordEnds.buffer,
  ]);
};
