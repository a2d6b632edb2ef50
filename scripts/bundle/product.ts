import product from "../../packaging/product.json" with { type: "json" };
import type { Values } from "./fill.ts";

/** What stands in packaging/product.json where the project has no public address yet. */
export const NO_REPOSITORY = "OWNER/REPO";

/**
 * What every template may name: the values of packaging/product.json, the version, and the addresses that follow from the
 * repository on GitHub, `owner/name`. Throws when that is written in another way.
 */
export function productValues(version: string, repository: string = product.repository): Values {
  const [, owner] = /^([A-Za-z0-9-]+)\/[A-Za-z0-9._-]+$/.exec(repository) ?? [];
  if (owner === undefined) throw new Error(`A repository is named as owner/name, not as ${repository}`);
  const homepage = `https://github.com/${repository}`;
  return {
    ...product,
    repository,
    version,
    homepage,
    download: `${homepage}/releases/download/v${version}`,
    mcp_name: `io.github.${owner}/${product.name}`,
  };
}
