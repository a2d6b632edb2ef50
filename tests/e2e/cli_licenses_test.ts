import { deepEqual, equal, match } from "node:assert/strict";
import { EXECUTABLE, makeSandbox, NO_EXECUTABLE, output } from "./_program.ts";

const RULE = `\n${"-".repeat(80)}\n\n`;

async function shipped(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../../${name}`, import.meta.url));
}

/** The first lines of `licenses`. */
const OWN = `${await shipped("LICENSE")}${RULE}${await shipped("NOTICE")}${RULE}`;

Deno.test("licenses prints the program's licence and notice, then the third-party licences or where to find them", async () => {
  await using sandbox = await makeSandbox({});
  const { code, stdout, stderr } = await sandbox.run("licenses", "--language", "en");
  deepEqual([code, stderr, stdout.slice(0, OWN.length)], [0, "", OWN]);
  match(
    stdout.slice(OWN.length),
    /^(?:muxue_rag is joined to the Deno runtime|Running from source: the licences)/,
  );
});

if (EXECUTABLE === undefined) Deno.test.ignore(NO_EXECUTABLE, () => {});
else {
  Deno.test("licenses of an executable prints the licences of the runtime and of every package in it", async () => {
    const { code, stdout: text } = await output(EXECUTABLE!, ["licenses"]);
    equal(code, 0);
    equal(text.slice(0, OWN.length), OWN);
    match(
      text.slice(OWN.length),
      /^muxue_rag is joined to the Deno runtime[^]*\n@orama\/orama \d[^]*\nzod \d/,
    );
  });
}
