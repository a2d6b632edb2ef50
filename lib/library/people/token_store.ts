/** The place of the tokens: the database of all folders where there is one, or the state folder. */
import { type Config, storeUrls } from "#foundation/configuration/mod.ts";
import type { TokenStore } from "./principal.ts";
import { TokenFolder } from "./token_folder.ts";

/** Opens the place of the tokens. The code for databases is loaded where there is one. */
export async function tokenStore(config: Config, stateDir: string): Promise<TokenStore> {
  // A collection may have another store; tokens are in that of all. With several databases the first one has them.
  const [url] = storeUrls({ ...config, collections: {} }, "");
  if (url === undefined) return new TokenFolder(stateDir);
  const { TokenTable } = await import("./token_table.ts");
  return new TokenTable({ ...config.store, url });
}
