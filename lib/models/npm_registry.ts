/**
 * The address of the npm registry that the user has chosen: the setting `models.npm_registry`, the variable of the
 * environment that npm reads, or the line `registry=` of the user's `.npmrc`. `undefined` without one: the program names no
 * registry itself. `readNpmrc` gives the text of that file, or `undefined`.
 */
export async function npmRegistry(
  configured: string | null,
  env: Readonly<Record<string, string | undefined>>,
  readNpmrc: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const candidates = [
    () => configured ?? undefined,
    () => env["npm_config_registry"],
    () => env["NPM_CONFIG_REGISTRY"],
    async () => registryIn(await readNpmrc() ?? "", env),
  ];
  for (const candidate of candidates) {
    const address = addressIn(await candidate());
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Returns an address without its last slash, user and query; `undefined` for a text that is not an HTTP address. */
export function addressIn(text: string | undefined): string | undefined {
  const url = text ? URL.parse(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The value of `registry` in the text of an `.npmrc`, with `${NAME}` replaced from the environment; the last one counts. */
function registryIn(text: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const values = text.split(/\r?\n/).flatMap((line) => /^\s*registry\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  return values.at(-1)?.replace(/^(["'])(.*)\1$/, "$2")
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}
