import { equal } from "node:assert/strict";
import { EXECUTABLE, NO_EXECUTABLE } from "../e2e/_program.ts";
import { attack } from "./_attack.ts";

// Only this file says that the sources are attacked if there is no executable.
if (EXECUTABLE === undefined) Deno.test.ignore(NO_EXECUTABLE, () => {});

attack("the program under attack starts", async (start) => {
  const { cmd, args } = start(["--version"]);
  const { code, stdout } = await new Deno.Command(cmd, { args }).output();
  equal(code, 0);
  equal(/^muxue_rag \d/.test(new TextDecoder().decode(stdout)), true);
});
