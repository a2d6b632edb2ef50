/** Replacement for a secret wherever a configuration is shown. */
export const MASK = "****";

/** Scheme and `user:password@`. As in URL parsers, `\` is the same as `/`, and the last `@` ends the password. */
const USER_INFO = /^(\s*(?:[a-z][a-z0-9+.-]*:(?=[\\/]))?[\\/]*)([^\\/?#]*)@/i;

const QUERY = /\?([^#]*)/;

/** Query parameters that are shown: Azure's addresses have their version in the query. */
const PUBLIC = /^api-version$/i;

/**
 * Masks user, password and query values: `https://user:password@host/v1?key=abc` becomes `https://****@host/v1?key=****`.
 */
export function maskAddress(address: string): string {
  return address.replace(USER_INFO, `$1${MASK}@`).replace(
    QUERY,
    (_, query: string) => `?${query.split("&").map(maskPart).join("&")}`,
  );
}

function maskPart(part: string): string {
  const { name, value } = split(part);
  return value === "" || PUBLIC.test(name) ? part : part.slice(0, part.length - value.length) + MASK;
}

/** The secrets in an address, both as written and decoded: the password, or a user name alone, and the query values. */
export function addressSecrets(address: string): string[] {
  const user = USER_INFO.exec(address)?.[2] ?? "";
  const query = QUERY.exec(address)?.[1] ?? "";
  const found = [user.includes(":") ? user.slice(user.indexOf(":") + 1) : user];
  for (const part of query.split("&")) {
    const { name, value } = split(part);
    if (!PUBLIC.test(name)) found.push(value);
  }
  const decoded = found.flatMap((value) => [value, decode(value)]);
  return [...new Set(decoded)].filter((value) => value !== "");
}

/** Splits `name=value`. A part without `=` is a value without a name. */
function split(part: string): { name: string; value: string } {
  const at = part.indexOf("=");
  return { name: part.slice(0, Math.max(0, at)), value: part.slice(at + 1) };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
