import { equal, throws } from "node:assert/strict";
import { fill, MissingValue } from "../../scripts/bundle/fill.ts";
import { productValues } from "../../scripts/bundle/product.ts";

Deno.test("fill() puts in values as they are and leaves other braces alone", () => {
  equal(fill("${__dirname}/{{file}} {{file}} #{x}", { file: "a$&b" }), "${__dirname}/a$&b a$&b #{x}");
});

Deno.test("fill() throws for a placeholder without a value", () => {
  throws(() => fill("{{toString}}", {}), MissingValue);
});

Deno.test("productValues() gives the addresses of a repository, and refuses what is none", () => {
  const { homepage, download, mcp_name: mcpName } = productValues("1.2.3", "some-one/muxue_rag");
  equal(homepage, "https://github.com/some-one/muxue_rag");
  equal(download, "https://github.com/some-one/muxue_rag/releases/download/v1.2.3");
  equal(mcpName, "io.github.some-one/muxue_rag");
  throws(() => productValues("1.2.3", "https://github.com/a/b"), /owner\/name/);
});
