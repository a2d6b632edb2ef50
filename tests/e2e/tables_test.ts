import { deepEqual, equal, match } from "node:assert/strict";
import { data, xlsxOf } from "../documents/xlsx/xlsx_of.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

const PARTS = Array.from({ length: 200 }, (_, i) => ({
  part: `part ${i}`,
  metal: i === 150 ? "zirconium" : "steel",
  price: `${i + 1},000.50`,
  since: i === 120 ? "18 Jan 2024" : `2023-0${i % 9 + 1}-11`,
}));
const ROWS = PARTS.map(({ part, metal, price, since }) => [part, metal, price, since] as const);
const HEAD = ["Part", "Metal", "Price", "Since"] as const;
const FILES = {
  "parts.csv": `Stock\n\n${
    [HEAD, ...ROWS].map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n")
  }\n`,
  "stock.xlsx": xlsxOf({ Notes: data(["Text"], ["no metal here"]), Stock: data(HEAD, ...ROWS) }),
};

Deno.test("hits in tables name the rows of the sheet; numbers and dates are found in every form; rows are read by conditions", async () => {
  await using sandbox = await makeIndexed(FILES, {
    env: { MUXUE_RAG_MCP_TOOLS: "all", LANG: "en_US.UTF-8" },
  });
  type Found = { "file_path": string; rows: string; content: string; "best_row"?: unknown };
  const found = async (query: string) => {
    const { stdout } = await sandbox.run`search ${query} --dir ${sandbox.folder} --json`;
    const hits: Found[] = JSON.parse(stdout).data.match_content;
    return hits.map(({ file_path, rows, content, best_row: bestRow }) => ({
      name: file_path.split(/[\\/]/).at(-1)!,
      rows,
      content,
      bestRow,
    }));
  };
  const holds = (rows: string, row: number) => {
    const [first, last] = rows.split("-").map(Number);
    return first! <= row && row <= last!;
  };
  // Row 1 of the workbook and row 3 of the text are the heads.
  const text = "Part: part 150; Metal: zirconium; Price: 151,000.50; Since: 2023-07-11";
  for (const { name, rows, bestRow } of await found("zirconium")) {
    const [row, line] = name === "parts.csv" ? [154, 155] : [152, 161];
    equal(holds(rows, row), true, `${name} ${rows}`);
    deepEqual(bestRow, { line, text, row });
  }
  for (const query of ["2024年1月18日", "January 18, 2024", "2024/1/18"]) {
    const [hit] = await found(query);
    match(hit!.content, /\| part 120 \|/, query);
  }
  match((await found("77000.50"))[0]!.content, /\| part 76 \|/);

  await using pipe = await openPipe(sandbox);
  const reply = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, content: [{ text }] } = (await pipe.call(name, args)).result;
    return { data: structuredContent.data, text };
  };
  const { data: { match_content: hits } } = await reply("search_rag", { keyword: "zirconium" });
  for (const { chunk_id: chunk, rows } of hits) {
    const alone = await reply("get_chunk_context", { "chunk_id": chunk, before: 0, after: 0 });
    deepEqual([alone.data.chunks[0].rows, alone.text.includes(`sheet rows ${rows.replace("-", "–")}`)], [
      rows,
      true,
    ]);
    match(alone.data.content, /\| Part +\| Metal[^]*\| zirconium/);
    const wider = await reply("get_chunk_context", { "chunk_id": chunk });
    match(wider.data.content, /^[^|]*\| Part +\| Metal/);
    const [first, last] = [wider.data.chunks[0].rows, wider.data.chunks.at(-1).rows];
    const shown = `${first.replace(/-.*/, "")}–${last.replace(/.*-/, "")}`;
    equal(wider.text.includes(`sheet rows ${shown}`), true, `${shown}: ${wider.text.slice(0, 300)}`);
  }
  const lines = { "start_line": 155, "end_line": 165 };
  const stock = await reply("get_document_content", { "file_path": "stock.xlsx", ...lines });
  deepEqual([stock.data.rows, /sheet rows 146–156/.test(stock.text)], ["146-156", true]);
  const rowsOf = async (args: Record<string, unknown>) =>
    (await pipe.call("query_table", args)).result.structuredContent.data.rows;
  deepEqual(await rowsOf({ path: "stock.xlsx", table: "Stock", where: { Metal: "ZIRCONIUM" } }), [
    { row: 152, line: 161, values: ["part 150", "zirconium", "151,000.50", "2023-07-11"] },
  ]);
  const where = { Since: { gt: "2023-12-31" } };
  deepEqual(await rowsOf({ path: "parts.csv", where, columns: ["Part", "Price"] }), [
    { row: 124, line: 125, values: ["part 120", "121,000.50"] },
  ]);
});
