// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Compares pages drawn by the program (`get_page_image`, over MCP) with those of poppler's `pdftoppm`: the mean difference in grey, the
 * share of pages over .05, milliseconds a page, and the most memory of the program and of its extractors. Writes the pairs that differ
 * most into a folder. Needs `poppler-utils`.
 *
 *     deno run -A --config deno.dev.json research/pictures/pages.ts EXECUTABLE FOLDER_OF_PDFS OUTPUT_FOLDER [PAGES]
 */
import { decode, encode } from "fast-png";
import { decode as decodeJpeg } from "jpeg-js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { output } from "./truth.ts";

const [executable, folder, into, most = "1"] = Deno.args as [string, string, string, string?];
const WIDTH = 800;
/** A mean difference over this is looked at. */
const LARGE = 0.05;

interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const results: { name: string; page: number; difference: number; ms: number; own: Grey; theirs: Grey }[] = [];

const configuration = `${into}/config.yaml`;
await Deno.mkdir(into, { recursive: true });
await Deno.writeTextFile(configuration, "mcp:\n  tools: all\n");
const transport = new StdioClientTransport({
  command: executable,
  args: ["serve", folder, "--no-watch", "--config", configuration],
  stderr: "ignore",
});
const client = new Client({ name: "pages", version: "1.0.0" });
await client.connect(transport);
let peak = 0;
for await (const { name } of Deno.readDir(folder)) {
  if (!name.endsWith(".pdf")) continue;
  for (let page = 1; page <= Number(most); page++) {
    const start = performance.now();
    const answer = await client.callTool(
      {
        name: "get_page_image",
        arguments: { file_path: name, page, width: WIDTH },
      },
      undefined,
      { timeout: 120_000 },
    );
    const ms = performance.now() - start;
    peak = Math.max(peak, memoryOf(transport.pid!));
    const content = answer.content as { type: string; text?: string; data?: string; mimeType?: string }[];
    const image = content.find(({ type }) => type === "image");
    if (image === undefined) {
      if (page === 1) console.log(`${name}: ${content[0]?.text?.slice(0, 150)}`);
      break;
    }
    const own = greyOf(Uint8Array.fromBase64(image.data!), image.mimeType!);
    const png = await output(
      ...["timeout", "60", "pdftoppm", "-png", "-gray", "-cropbox", "-f", `${page}`, "-l", `${page}`],
      ...["-scale-to-x", `${own.width}`, "-scale-to-y", `${own.height}`, `${folder}/${name}`],
    );
    if (png === undefined || png.length === 0) {
      console.log(`${name} ${page}: pdftoppm draws nothing`);
      continue;
    }
    const theirs = greyOf(png, "image/png");
    results.push({ name, page, difference: differenceOf(own, theirs), ms, own, theirs });
  }
}
await client.close();

results.sort((a, b) => b.difference - a.difference);
for (const [i, { name, page, difference, own, theirs }] of results.slice(0, 30).entries()) {
  console.log(`${name} ${page}: ${difference.toFixed(3)}`);
  await Deno.writeFile(`${into}/${`${i}`.padStart(2, "0")}-${name}-${page}.png`, sideBySide(own, theirs));
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const differences = results.map(({ difference }) => difference), times = results.map(({ ms }) => ms);
console.log(
  `${results.length} pages: mean difference ${(sum(differences) / results.length).toFixed(4)}, median ${
    median(differences).toFixed(4)
  }; ${differences.filter((one) => one > LARGE).length} over ${LARGE}; ${
    (sum(times) / results.length).toFixed(0)
  } ms a page, median ${median(times).toFixed(0)}; most memory of the processes ${
    (peak / 1024).toFixed(0)
  } MB`,
);

/** Resident memory of a process and its children at most so far, in kB. */
function memoryOf(pid: number): number {
  const own = Number(/VmHWM:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0);
  const inner = readText(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);
  return own + sum(inner.map(memoryOf));
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function greyOf(bytes: Uint8Array, mediaType: string): Grey {
  const { width, height, data } = mediaType === "image/jpeg"
    ? decodeJpeg(bytes, { useTArray: true })
    : decode(bytes);
  const channels = data.length / (width * height);
  return {
    width,
    height,
    data: Uint8Array.from(
      { length: width * height },
      (_, i) =>
        channels < 3
          ? data[channels * i]!
          : 0.299 * data[channels * i]! + 0.587 * data[channels * i + 1]! + 0.114 * data[channels * i + 2]!,
    ),
  };
}

/** The mean difference of two pictures, of the whole range. */
function differenceOf(own: Grey, theirs: Grey): number {
  if (own.data.length !== theirs.data.length) return 1;
  let all = 0;
  for (let i = 0; i < own.data.length; i++) all += Math.abs(own.data[i]! - theirs.data[i]!);
  return all / own.data.length / 255;
}

function sideBySide(own: Grey, theirs: Grey): Uint8Array<ArrayBuffer> {
  const width = own.width + theirs.width + 10, height = Math.max(own.height, theirs.height);
  const data = new Uint8Array(width * height).fill(128);
  for (
    const [{ width: wide, height: high, data: from }, left] of [[own, 0], [theirs, own.width + 10]] as const
  ) {
    for (let y = 0; y < high; y++) data.set(from.subarray(y * wide, (y + 1) * wide), y * width + left);
  }
  return Uint8Array.from(encode({ width, height, data, channels: 1, depth: 8 }));
}
