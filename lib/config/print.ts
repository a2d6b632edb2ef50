import type { Config } from "./schema.ts";
import { maskSecrets } from "./secrets.ts";

/**
 * The effective configuration as YAML, secrets masked. Written by hand: the shape is known and two levels deep, and
 * the YAML library is only loaded when there is a file to read (6 ms of a start).
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
  // JSON's texts are YAML's double-quoted texts.
  return plain ? value : JSON.stringify(value);
}
