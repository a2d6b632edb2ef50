import { runExtractor } from "#library/extract/process.ts";

Deno.exit(
  await runExtractor(new URL("./_hostile_worker.ts", import.meta.url), {
    time: (bytes) => bytes === 0 ? 500 : 60_000,
    memory: 600_000_000,
  }),
);
