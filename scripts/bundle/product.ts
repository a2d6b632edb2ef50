import product from "../../packaging/product.json" with { type: "json" };
import type { Values } from "./fill.ts";
import { installLinks } from "./links.ts";

/** The repository in packaging/product.json until the project has a public address. */
export const NO_REPOSITORY = "OWNER/REPO";

/**
 * Returns the values that every template may use: those of packaging/product.json, the version, and addresses derived from
 * the repository on GitHub. Throws unless the repository has the form `owner/name`.
 */
export function productValues(version: string, repository: string = product.repository): Values {
  const [, owner] = /^([A-Za-z0-9-]+)\/[A-Za-z0-9._-]+$/.exec(repository) ?? [];
  if (owner === undefined) {
    throw new Error(`The repository must be written as owner/name, found ${repository}`);
  }
  const homepage = `https://github.com/${repository}`;
  return {
    ...product,
    repository,
    version,
    owner,
    homepage,
    download: `${homepage}/releases/download/v${version}`,
    mcp_name: `io.github.${owner}/${product.name}`,
    ...installLinks(product.name, product.npm_package),
  };
}
