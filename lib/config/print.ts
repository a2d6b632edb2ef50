import type { Config } from "./schema.ts";
import { maskSecrets } from "./secrets.ts";

/**
 * The configuration as YAML with masked secrets. The YAML library is not used, because it takes 6 ms to load and the shape is
 * known and two levels deep.
 */
export function printConfig(config: Config): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(maskSecrets(config))) {
    if (typeof value !== "object") lines.push(`${name}: ${yaml(value)}`);
    else lines.push(`${name}:`, ...Object.entries(value).map(([key, inner]) => `  ${key}: ${yaml(inner)}`));
  }
  return lines.join("\n") + "\n";
}

function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  const plain = /^[A-Za-z/][\w/.-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  // A JSON string is also a double-quoted string of YAML.
  return plain ? value : JSON.stringify(value);
}
