import { equal } from "node:assert/strict";
import { downloadBarText as barText, startDownloadProgress } from "#program/commands/model.ts";
import { CATALOGUE, type InstallProgress } from "#models/install/mod.ts";
import { fakeContext } from "./_fake_io.ts";

const HALF: InstallProgress = {
  model: CATALOGUE.en,
  host: "hub.example",
  bytesDone: 12_000_000,
  bytesTotal: 24_000_000,
};

Deno.test("the bar of a download shows the model, the bytes, the rate and the time left", () => {
  const full = "all-MiniLM-L6-v2 ████████████░░░░░░░░░░░░ 50% 12 MB / 24 MB, 2.0 MB/s, 6 s left";
  equal(barText(HALF, 2_000_000, 200, "en"), full);
  equal(barText(HALF, 2_000_000, 20, "en").length <= 20, true);
  equal(barText(HALF, 0, 200, "en").endsWith("0 B/s, ? left"), true);
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
