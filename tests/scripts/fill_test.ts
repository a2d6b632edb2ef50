import { equal, throws } from "node:assert/strict";
import { fill, MissingValue } from "../../scripts/bundle/fill.ts";
import { productValues } from "../../scripts/bundle/product.ts";

Deno.test("fill() inserts values unchanged, and keeps other braces", () => {
  equal(fill("${__dirname}/{{file}} {{file}} #{x}", { file: "a$&b" }), "${__dirname}/a$&b a$&b #{x}");
});

Deno.test("fill() throws if a placeholder has no value", () => {
  throws(() => fill("{{toString}}", {}), MissingValue);
});

Deno.test("productValues() returns the addresses of a repository, and throws if its name is malformed", () => {
  const { homepage, download, mcp_name: mcpName } = productValues("1.2.3", "some-one/muxue_rag");
  equal(homepage, "https://github.com/some-one/muxue_rag");
  equal(download, "https://github.com/some-one/muxue_rag/releases/download/v1.2.3");
  equal(mcpName, "io.github.some-one/muxue_rag");
  throws(() => productValues("1.2.3", "https://github.com/a/b"), /owner\/name/);
});
