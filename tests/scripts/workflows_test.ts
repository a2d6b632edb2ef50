import { deepEqual, match } from "node:assert/strict";
import { parse } from "yaml";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);

for (const name of ["ci.yml", "slow.yml", "release.yml"]) {
  Deno.test(`the workflow ${name} pins its actions to commits, and has only read permission unless a job asks for more`, async () => {
    const workflow = parse(await Deno.readTextFile(new URL(name, FOLDER)));
    deepEqual(workflow.permissions, { contents: "read" });
    for (
      const job of Object.values<{ steps?: { uses?: string; with?: Record<string, unknown> }[] }>(
        workflow.jobs,
      )
    ) {
      // The release calls another workflow of this folder.
      for (const { uses, with: inputs } of job.steps ?? []) {
        if (uses === undefined) continue;
        match(uses, /^[a-z-]+\/[a-z-]+@[0-9a-f]{40}$/);
        if (uses.startsWith("actions/checkout@")) deepEqual(inputs, { "persist-credentials": false });
      }
    }
  });
}
