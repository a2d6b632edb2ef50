import { deepEqual, ok } from "node:assert/strict";
import { reportOf } from "../../scripts/soak/report.ts";
import { soak } from "../../scripts/soak/run.ts";

// `deno task soak` runs longer, with more clients.
Deno.test({
  name: "servers on the same changing folders give no old text as a current one, and all know the last state",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const options = {
      ...{ seconds: 10, clients: 3, notes: 30, bulkMb: 0, changeMs: 200, pauseMs: 20 },
      ...{ restartSeconds: 3, sampleSeconds: 1, seed: 1 },
    };
    const soaked = await soak(options);
    const { tally: { wrong, lost, errors, searches, reads }, verified, samples, changes } = soaked;
    deepEqual(
      { wrong, lost, errors, code: verified.code },
      { wrong: [], lost: [], errors: [], code: 0 },
      verified.text,
    );
    ok(searches > 0 && reads > 0 && changes > 0);
    ok(
      samples.every(({ memory, handles }) =>
        memory.every((mb) => mb > 1) && handles.every((count) => count > 2)
      ),
    );
    const { svg, json, isSound } = reportOf(soaked, options);
    ok(isSound);
    ok(svg.includes("Open handles of a server") && !/NaN|undefined/.test(svg), svg);
    deepEqual(JSON.parse(json).figures["wrong answers"], 0);
  },
});
