import { deepEqual, match } from "node:assert/strict";
import { EXECUTABLE, makeSandbox } from "./_program.ts";

const RULE = `\n${"-".repeat(80)}\n\n`;
const shipped = (name: string) => Deno.readTextFileSync(new URL(`../../${name}`, import.meta.url));

Deno.test("licenses prints the program's licence and notice, then the licences of the runtime and of every package in the executable, or where to find them", async () => {
  await using sandbox = await makeSandbox({});
  const { code, stdout, stderr } = await sandbox.run`licenses --language en`;
  const own = `${shipped("LICENSE")}${RULE}${shipped("NOTICE")}${RULE}`;
  deepEqual([code, stderr, stdout.slice(0, own.length)], [0, "", own]);
  match(
    stdout.slice(own.length),
    EXECUTABLE === undefined
      ? /^Running from source: the licences/
      : /^muxue_rag is joined to the Deno runtime[^]*\n@orama\/orama \d[^]*\nzod \d/,
  );
});
