/** An import, a re-export or a dynamic import of a module. */
export interface ImportNode {
  readonly node: Deno.lint.Node;
  /** The text in the quotes, or `undefined` if a dynamic import computes it. */
  readonly specifier: string | undefined;
  /** The value of the import attribute `type`, or `?` if it is computed. */
  readonly type: string | undefined;
}

/** Returns a lint visitor that calls `found` for every import of a file, type imports included. */
export function visitImports(found: (each: ImportNode) => void): Deno.lint.LintVisitor {
  const declaration = (
    node: Deno.lint.ImportDeclaration | Deno.lint.ExportAllDeclaration | Deno.lint.ExportNamedDeclaration,
  ) => {
    if (node.source === null) return;
    const [attribute] = node.attributes.filter(({ key }) => nameOf(key) === "type");
    found({ node, specifier: node.source.value, type: attribute?.value.value as string | undefined });
  };
  return {
    ImportDeclaration: declaration,
    ExportAllDeclaration: declaration,
    ExportNamedDeclaration: declaration,
    ImportExpression(node) {
      found({ node, specifier: textOf(node.source), type: node.options ? typeIn(node.options) : undefined });
    },
    TSImportType(node) {
      const { argument } = node;
      found({
        node,
        specifier: argument.type === "TSLiteralType" ? textOf(argument.literal) : textOf(argument),
        type: undefined,
      });
    },
  };
}

/** Returns the name that an identifier or string stands for. */
export function nameOf(node: Deno.lint.Node): string | undefined {
  return node.type === "Identifier" ? node.name : textOf(node);
}

function textOf(node: Deno.lint.Node): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** Returns the `type` in `{ with: { type: "…" } }`, or `?` for an expression of any other form. */
function typeIn(options: Deno.lint.Expression): string {
  const attributes = onlyValue(options, "with");
  const type = attributes && onlyValue(attributes, "type");
  return (type && textOf(type)) ?? "?";
}

/** Returns the value of an object literal that has the single property `key`. */
function onlyValue(node: Deno.lint.Node, key: string): Deno.lint.Node | undefined {
  if (node.type !== "ObjectExpression" || node.properties.length !== 1) return undefined;
  const [property] = node.properties;
  return property?.type === "Property" && !property.computed && nameOf(property.key) === key
    ? property.value
    : undefined;
}
