/// <reference lib="deno.worker" />
/** A thread that embeds batches of texts: first it is sent the table's data, then numbered batches. */
import { TextAnalyzer } from "./analyzer.ts";
import { embedBatch } from "./batch.ts";
import type { TableData } from "./decode.ts";
import { Table } from "./table.ts";

let analyzer: TextAnalyzer | undefined;

self.onmessage = ({ data }: MessageEvent<TableData | { number: number; texts: string[] }>) => {
  if (!("texts" in data)) {
    analyzer = new TextAnalyzer(new Table(data));
    return;
  }
  const batch = embedBatch(analyzer!, data.texts);
  self.postMessage({ number: data.number, batch }, [
    batch.vectors.buffer,
    batch.words.buffer,
    batch.wordEnds.buffer,
  ]);
};
