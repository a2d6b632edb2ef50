// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures how long traces with many stages take from the click in their list until their waterfall is drawn, and from a click on a stage
 * until its facts are there: the calls of the page and the drawing included, in Chromium.
 *
 *     deno run -A --config deno.dev.json research/long_traces.ts [--times 5]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPages } from "../tests/web/_browser.ts";

const { values } = parseArgs({ args: Deno.args, options: { times: { type: "string", default: "5" } } });

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** The line of an ingestion of files, with so many stages. */
function lineWith(stages: number): string {
  const files = stages - 2;
  const ms = files * 2 + 20;
  const spans = [
    { id: hex(1, 16), stage: "walk", from: 0, ms: 20, facts: { counts: { files } } },
    { id: hex(2, 16), stage: "load", from: 20, ms: files * 2, facts: { counts: { files } } },
    ...Array.from({ length: files }, (_, i) => ({
      id: hex(i + 3, 16),
      parent: hex(2, 16),
      stage: "file",
      from: 20 + i * 2,
      ms: 1.9,
      facts: { method: "markdown", counts: { chunks: i % 7 }, number: i },
    })),
  ];
  return JSON.stringify({
    id: hex(stages, 32),
    kind: "ingestion",
    started: new Date(Date.UTC(2026, 0, 1, 0, 0, stages)).toISOString(),
    ms,
    program: "1.0.0",
    pid: 1,
    facts: { counts: { files } },
    spans,
  });
}

await using opened = await openPages({ "a.md": "Tea.\n" });
const { page, sandbox, origin } = opened;
const logs = join(sandbox.env["MUXUE_RAG_STATE_DIR"]!, "logs");
const file = join(logs, "muxue_rag-traces-000001.jsonl");
for (const stages of [1000, 30_000]) {
  await Deno.writeTextFile(file, `${lineWith(stages)}\n`);
  const opening: number[] = [], selecting: number[] = [];
  for (let i = 0; i < Number(values.times); i++) {
    await page.goto(`${origin}/ingestion-traces`);
    const open = page.getByRole("button", { name: "Open the trace" }).first();
    await open.waitFor();
    opening.push(await timeOf(open, ".waterfall .stage"));
    selecting.push(await timeOf(page.locator(".waterfall .stage").nth(5), ".stage-facts"));
  }
  const texts = [opening, selecting].map((times) => {
    times.sort((a, b) => a - b);
    return `median ${Math.round(times[times.length >> 1]!)} ms, slowest ${Math.round(times.at(-1)!)} ms`;
  });
  console.log(`${stages} stages: opened in ${texts[0]}; facts of a stage in ${texts[1]}`);
}

/** Milliseconds from a click until the page has drawn what it leads to. */
async function timeOf(button: ReturnType<typeof page.locator>, wanted: string): Promise<number> {
  await page.evaluate(`void (globalThis.drawn = new Promise((resolve) => {
    addEventListener("click", () => {
      const began = performance.now();
      const look = () => document.querySelector(${JSON.stringify(wanted)})
        ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
        : requestAnimationFrame(look);
      look();
    }, { once: true, capture: true });
  }))`);
  await button.click();
  return await page.evaluate("globalThis.drawn") as number;
}
