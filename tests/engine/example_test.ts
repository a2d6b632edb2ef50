import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runInNode } from "../_in_node.ts";

const FOUND = "1.54 咖啡.md: 咖啡机每三个月要除垢一次,用柠檬酸。\n";

Deno.test("examples/engine.ts indexes texts in memory and searches them", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-check", "--allow-all", "examples/engine.ts", "除垢"],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  equal(new TextDecoder().decode(stdout), FOUND);
});

Deno.test("examples/engine.ts runs in Node", async () => {
  equal(await runInNode("examples/engine.ts", ["除垢"]) ?? FOUND, FOUND);
});
