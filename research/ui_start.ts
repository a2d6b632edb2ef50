/**
 * Prints the milliseconds from the start of `ui` to its address, and to the first paint of the pages in Chromium, of several runs. The
 * environment variable TEST_EXECUTABLE names an executable.
 *
 * `deno run -A --config deno.dev.json research/ui_start.ts [RUNS]`
 */
import { makeIndexed, NOTES, program, spawnIn } from "../tests/e2e/_program.ts";
import { launchBrowser } from "../tests/web/_browser.ts";

const runs = Number(Deno.args[0] ?? 7);
await using sandbox = await makeIndexed(NOTES);
const browser = await launchBrowser();
const times: { address: number; paint: number }[] = [];
for (let at = 0; at < runs; at++) {
  const page = await browser.newPage();
  const began = performance.now();
  const child = spawnIn(sandbox, program(["ui", "--dir", sandbox.folder, "--no-open"]), "null");
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  const address = performance.now() - began;
  await page.goto(value.trim());
  await page.locator("main h1").waitFor();
  times.push({ address, paint: performance.now() - began });
  child.kill("SIGTERM");
  await Promise.all([child.status, reader.cancel(), child.stderr.cancel()]);
  await page.close();
}
await browser.close();
const median = (values: number[]) => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]!);
const [address, paint] = [times.map(({ address }) => address), times.map(({ paint }) => paint)].map(median);
await Deno.stdout.write(
  new TextEncoder().encode(`address ${address} ms, first page ${paint} ms (median of ${runs})\n`),
);
