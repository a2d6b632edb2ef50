import { deepEqual, equal, match, ok } from "node:assert/strict";
import { displayWidth } from "#program/terminal_text.ts";
import { barText, startProgress } from "#program/progress.ts";
import { fakeContext } from "./_fake_io.ts";
import type { IngestProgress } from "#library/ingest/types.ts";
import { downloadBarText, startDownloadProgress } from "#program/commands/model.ts";
import { CATALOGUE, type InstallProgress } from "#models/install/mod.ts";

const READING: IngestProgress = {
  step: "read",
  filesDone: 30,
  filesTotal: 120,
  bytesDone: 5_000_000,
  bytesTotal: 20_000_000,
  chunks: 900,
  path: "a.txt",
};
const { path: _, ...WITHOUT_PATH } = READING;

Deno.test("barText() shows files, size, rate and time left", () => {
  equal(
    barText(READING, 2, 200, "en"),
    "██████░░░░░░░░░░░░░░░░░░ 25%  30/120 files  5.0 MB/20 MB  2.5 MB/s  6 s left  a.txt",
  );
});

Deno.test("barText() ends with the current file, and shortens the bar to make room for it", () => {
  const text = (path: string, columns: number) => barText({ ...READING, path }, 2, columns, "en");
  equal(
    text("手册/报告.pdf", 79),
    "██░░░░░░ 25%  30/120 files  5.0 MB/20 MB  2.5 MB/s  6 s left  手册/报告.pdf",
  );
  equal(text("a/long/way/down/to/a/file.pdf", 79).slice(60), "  …wn/to/a/file.pdf");
  equal(text("a\u001b[2J.pdf", 110).slice(-9), "a␛[2J.pdf");
  equal(text("report.pdf", 60), barText(WITHOUT_PATH, 2, 60, "en"));
});

Deno.test("barText() shows the number of vectors and their rate", () => {
  equal(
    barText({ ...READING, embedded: 640 }, 2, 200, "en"),
    "██████░░░░░░░░░░░░░░░░░░ 25%  30/120 files  5.0 MB/20 MB  2.5 MB/s  6 s left  640/900 vectors, 320/s  a.txt",
  );
  match(
    barText({ ...READING, embedded: 640, toEmbed: 700 }, 2, 200, "en"),
    / 640\/700 vectors, 320\/s {2}a\.txt$/,
  );
  match(barText({ ...READING, embedded: 0, toEmbed: 0 }, 2, 200, "en"), / 6 s left {2}a\.txt$/);
});

Deno.test("barText() fits the terminal, also for a folder without bytes", () => {
  ok(displayWidth(barText(READING, 2, 40, "zh")) <= 40);
  ok(barText({ ...READING, bytesDone: 0, bytesTotal: 0 }, 0, 200, "en").includes(" 25%  30/120 files"));
  ok(
    barText({ ...READING, filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0 }, 0, 200, "en").includes(
      "100%",
    ),
  );
});

Deno.test("startProgress() prints one line for each step without a terminal", async () => {
  const { context, stderr } = fakeContext({ language: "en" });
  {
    using progress = await startProgress(context, "/notes");
    progress.update({ ...READING, step: "scan" });
    progress.update(READING);
    progress.update({ ...READING, filesDone: 31 });
    progress.update({ ...READING, step: "write" });
    progress.update({ ...READING, step: "done" });
  }
  deepEqual(stderr().split("\n"), [
    "Scanning /notes",
    "Reading 120 files, 20 MB",
    "Writing the index: 900 chunks",
    "",
  ]);
});

Deno.test("startProgress() is silent with --quiet", async () => {
  const { context, stderr } = fakeContext({ flags: { dir: [], quiet: true } });
  using progress = await startProgress(context, "/notes");
  progress.update(READING);
  equal(stderr(), "");
});

Deno.test("a step that lasts gets a line every ten seconds without a terminal, by rate and time left", async () => {
  const { context, stderr } = fakeContext({ language: "en" });
  const { now } = performance;
  let seconds = 0;
  performance.now = () => seconds * 1000;
  try {
    using progress = await startProgress(context, "/notes");
    const at = (time: number, filesDone: number) => {
      seconds = time;
      progress.update({ ...WITHOUT_PATH, filesDone, bytesDone: filesDone * 100_000 });
    };
    for (
      const [time, files] of [[0, 0], [4, 20], [9, 45], [10, 50], [12, 60], [19, 95], [21, 105]] as const
    ) {
      at(time, files);
    }
  } finally {
    performance.now = now;
  }
  deepEqual(stderr().split("\n"), [
    "Reading 120 files, 20 MB",
    "25%  50/120 files  5.0 MB/20 MB  500 kB/s  30 s left",
    "52%  105/120 files  11 MB/20 MB  500 kB/s  19 s left",
    "",
  ]);
});

const HALF: InstallProgress = {
  model: CATALOGUE.en,
  host: "hub.example",
  bytesDone: 12_000_000,
  bytesTotal: 24_000_000,
};

Deno.test("the bar of a download shows the model, the bytes, the rate and the time left", () => {
  const full = "all-MiniLM-L6-v2 ████████████░░░░░░░░░░░░ 50% 12 MB / 24 MB, 2.0 MB/s, 6 s left";
  equal(downloadBarText(HALF, 2_000_000, 200, "en"), full);
  equal(downloadBarText(HALF, 2_000_000, 20, "en").length <= 20, true);
  equal(downloadBarText(HALF, 0, 200, "en").endsWith("0 B/s, ? left"), true);
});

Deno.test("without a terminal a download is one line for each source", async () => {
  const { context, stderr } = fakeContext({ language: "en" });
  using progress = await startDownloadProgress(context);
  for (const host of ["a.example", "a.example", "b.example"]) progress.update({ ...HALF, host });
  equal(
    stderr(),
    "Downloading all-MiniLM-L6-v2 (24 MB) from a.example\nDownloading all-MiniLM-L6-v2 (24 MB) from b.example\n",
  );
});
