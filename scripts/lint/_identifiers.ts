/** Returns the parent of a node, or `undefined` for the root. */
export function parentOf(node: Deno.lint.Node): Deno.lint.Node | undefined {
  return "parent" in node ? node.parent as Deno.lint.Node : undefined;
}

/** Returns whether an identifier is the `name` in `object.name`, in an expression or a type. */
export function isMember(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  if (parent?.type === "MemberExpression") return parent.property === node && !parent.computed;
  return parent?.type === "TSQualifiedName" && parent.right === node;
}

/** Returns the last part of the object before an identifier: `a` for `a.name`, and `b` for `a.b.name`. */
export function ownerOf({ parent }: Deno.lint.Identifier): string | undefined {
  if (parent?.type === "MemberExpression") return lastName(parent.object);
  return parent?.type === "TSQualifiedName" ? lastName(parent.left) : undefined;
}

/** Returns the member that follows an identifier `name`: `member` for `name.member` and `object.name.member`. */
export function memberOf(node: Deno.lint.Identifier): string | undefined {
  const object = isMember(node) ? node.parent : node;
  const parent = parentOf(object);
  if (
    parent?.type === "MemberExpression" && parent.object === object && !parent.computed && !parent.optional
  ) {
    return lastName(parent.property);
  }
  return parent?.type === "TSQualifiedName" && parent.left === object ? lastName(parent.right) : undefined;
}

function lastName(node: Deno.lint.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression" && !node.computed) return lastName(node.property);
  return node.type === "TSQualifiedName" ? lastName(node.right) : undefined;
}
