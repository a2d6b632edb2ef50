import { equal, throws } from "node:assert/strict";
import { entriesIn, withoutEntry } from "#program/commands/setup/edit_entry.ts";
import type { Format } from "#program/commands/setup/server_entry.ts";

function removed(text: string, format: Format = "jsonc"): string {
  const servers = format === "toml" ? "mcp_servers" : "mcpServers";
  return withoutEntry(text, { path: "file", format, servers, name: "muxue_rag" });
}

const OURS = `"muxue_rag": { "command": "muxue_rag", "args": ["serve"] }`;
const OTHER = `"other": { "command": "x" }`;

Deno.test("withoutEntry() takes an entry out of JSON and leaves the rest to the byte", () => {
  equal(removed(`{ "mcpServers": { ${OURS} } }`), `{ "mcpServers": {} }`);
  equal(
    removed(`{\n  "mcpServers": {\n    ${OURS},\n    ${OTHER}\n  }\n}\n`),
    `{\n  "mcpServers": {\n    ${OTHER}\n  }\n}\n`,
  );
  equal(
    removed(`{\n  "mcpServers": {\n    ${OTHER},\n    ${OURS}\n  }\n}\n`),
    `{\n  "mcpServers": {\n    ${OTHER}\n  }\n}\n`,
  );
  equal(
    removed(`{\r\n  // theirs\r\n  "a": [1,2],\r\n  "mcpServers": { ${OTHER}, ${OURS}, },\r\n}`),
    `{\r\n  // theirs\r\n  "a": [1,2],\r\n  "mcpServers": { ${OTHER}, },\r\n}`,
  );
});

Deno.test("withoutEntry() leaves the comments around an entry", () => {
  equal(
    removed(`{ "mcpServers": {\n  ${OURS} /* a, b */, // ours\n  // theirs\n  ${OTHER}\n} }`),
    `{ "mcpServers": {\n   /* a, b */ // ours\n  // theirs\n  ${OTHER}\n} }`,
  );
  equal(
    removed(`{ "mcpServers": {\n  ${OTHER}, // theirs\n  // ours\n  ${OURS}\n} }`),
    `{ "mcpServers": {\n  ${OTHER} // theirs\n  // ours\n  \n} }`,
  );
  equal(
    removed(`{ "mcpServers": {\n  // servers\n  ${OURS},\n} }`),
    `{ "mcpServers": {\n  // servers\n  \n} }`,
  );
});

Deno.test("withoutEntry() takes a table and the tables in it out of TOML", () => {
  const ours =
    `[mcp_servers.muxue_rag]\ncommand = "muxue_rag"\nargs = ["serve"]\n\n[mcp_servers.muxue_rag.env]\nA = "1"\n`;
  const before = `model = "m"\n\n[mcp_servers.other]\ncommand = "x"\n`;
  const after = `[profiles.a] # mine\nmodel = "n"\n`;
  equal(removed(`${before}\n${ours}`, "toml"), `${before}\n`);
  equal(removed(`${before}\n${ours}\n${after}`, "toml"), `${before}\n${after}`);
  equal(removed(`${ours}`, "toml"), "");
});

Deno.test("withoutEntry() refuses an entry in a notation that it cannot take out alone", () => {
  throws(() => removed(`mcp_servers = { muxue_rag = { command = "x" } }\n`, "toml"), {
    key: "cli_setup_not_editable",
  });
  throws(() => removed("{"), { key: "cli_setup_invalid" });
});

Deno.test("entriesIn() gives no entries of a file that cannot be parsed", () => {
  equal(entriesIn("{", { path: "file", format: "json", servers: "mcpServers" }).length, 0);
  equal(
    entriesIn(`{ "mcpServers": { ${OTHER} } }`, { path: "file", format: "json", servers: "mcpServers" })
      .length,
    1,
  );
});
