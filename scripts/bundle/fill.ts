/** Texts for a template's placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

/** A placeholder that nothing is known for. */
export class MissingValue extends Error {
  override readonly name = "MissingValue";

  constructor(readonly placeholder: string) {
    super(`No value for {{${placeholder}}}`);
  }
}

/** Puts values in the place of `{{name}}`. Throws {@linkcode MissingValue}. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new MissingValue(name);
    return values[name]!;
  });
}
