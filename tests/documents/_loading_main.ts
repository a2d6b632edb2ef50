import { runExtractor } from "#library/extract/process.ts";

Deno.exit(
  await runExtractor(new URL("./_loading_worker.ts", import.meta.url), {
    time: () => 60_000,
    memory: 1_000_000_000,
  }),
);
