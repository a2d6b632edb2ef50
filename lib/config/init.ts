/** The text of the commented default configuration: what `config init` writes. It is part of the executable. */
export async function defaultConfigText(): Promise<string> {
  // Loaded only here: few runs need it, and a runtime without text imports fails in `config init` alone.
  return (await import("../../config.yaml", { with: { type: "text" } })).default;
}
