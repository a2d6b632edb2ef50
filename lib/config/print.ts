import type { Config } from "./schema.ts";
import { maskSecrets } from "./secrets.ts";

/**
 * The configuration as YAML with masked secrets. The YAML library is not used, because it takes 6 ms to load and the shape
 * is known.
 */
export function printConfig(config: Config): string {
  return linesOf(maskSecrets(config)).map((line) => `${line}\n`).join("");
}

function linesOf(section: object): string[] {
  return Object.entries(section).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).length === 0
        ? [`${yaml(name)}: {}`]
        : [`${yaml(name)}:`, ...linesOf(value).map((line) => `  ${line}`)]
      : [`${yaml(name)}: ${yaml(value)}`]
  );
}

function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  const plain = /^[A-Za-z/][\w/.-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  // A JSON string is also a double-quoted string of YAML.
  return plain ? value : JSON.stringify(value);
}
