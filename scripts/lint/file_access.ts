import { isBuiltin } from "node:module";
import { isMember, memberOf, ownerOf, parentOf } from "./_identifiers.ts";
import { type ImportNode, nameOf, visitImports } from "./imports.ts";
import { programFile } from "./_program_file.ts";

/** The only folder whose files may open paths, start programs and load code. */
const DOOR = "lib/foundation/boundary/";

/**
 * Files outside of {@linkcode DOOR} that may use one of these names. They use it only with constant or checked `http`
 * addresses.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  Worker: [
    "lib/models/embedding/builtin/provider.ts",
    "lib/library/extract/process.ts",
    "lib/program/launch.ts",
    "lib/models/neural/model_threads.ts",
    "lib/engine/index/postings/term_thread.ts",
  ],
  fetch: ["lib/models/remote/guarded_fetch.ts", "lib/models/install/download.ts"],
  // It takes globals away from a thread.
  "globalThis as a whole": ["lib/models/neural/runtime.ts"],
  "an import of type text": ["lib/foundation/configuration/load.ts"],
};

/** Code that may use members of `Deno` at all. Other code calls {@linkcode DOOR}, or lib/foundation/runtime.ts. */
const OF_THE_RUNTIME = [DOOR, "lib/foundation/runtime.ts", "lib/library/store/", "lib/program/", "main.ts"];

/** Houses for any runtime, which use none of its types either. */
const OF_THE_WEB = ["lib/documents/", "lib/engine/"];

/** Members of `Deno`, types included, that open no file and start no program. */
const OF_DENO = new Set([
  "DirEntry",
  "Env",
  "FileInfo",
  "FsFile",
  "PermissionDescriptor",
  "PermissionName",
  "PermissionOptionsObject",
  "SeekMode",
  "Signal",
  "addSignalListener",
  "args",
  "build",
  "consoleSize",
  "cwd",
  "env",
  "errors",
  "execPath",
  "memoryUsage",
  "exit",
  "permissions",
  "pid",
  "removeSignalListener",
  "stderr",
  "stdin",
  "stdout",
  "unrefTimer",
  "version",
]);

/** Members of Node's `process` that open no file, start no program and load no code. */
const OF_PROCESS = new Set(["env", "exit", "exitCode", "off", "on", "once", "stderr", "stdin", "stdout"]);

/** Modules of Node that only compute; the names imported from `process` are checked one by one. */
const HARMLESS_MODULES = new Set([
  "crypto",
  "os",
  "path",
  "process",
  "timers",
  "timers/promises",
  "url",
  "util",
  "zlib",
]);

/** Names of the global object: `globalThis[name]` reaches everything. */
const GLOBALS = new Set(["global", "globalThis", "self", "window"]);

/** Names that lead to Node's other modules or run code from a text, whatever object they belong to. */
const BACK_DOORS = new Set([
  "_linkedBinding",
  "createRequire",
  "dlopen",
  "eval",
  "getBuiltinModule",
  "require",
]);

/**
 * Lint rule: outside of `lib/foundation/boundary`, the program uses no name of the runtime that takes a path, starts a program, or
 * loads a library or code. The harmless names are listed above; all others are refused. Even the harmless members of `Deno` are
 * left to the boundary, the store and the program, so that the rest can outlive a runtime. The rule does not distinguish local
 * names from global ones.
 */
export const fileAccess: Deno.lint.Rule = {
  create(context) {
    const file = programFile(context.filename);
    if (file === undefined || file.startsWith(DOOR)) return {};
    const report = (node: Deno.lint.Node, what: string | undefined) => {
      const allowed = ALLOWED[what ?? ""] ?? [];
      if (what === undefined || allowed.includes(file)) return;
      context.report({
        node,
        message: `${what}: only ${[DOOR, ...allowed].join(", ")} may`,
        hint: "lib/foundation/boundary/mod.ts lists the functions that open files, by kind of file",
      });
    };
    return {
      ...visitImports((found) => {
        for (const what of usesOf(found)) report(found.node, what);
      }),
      Identifier: (node) => {
        const what = useOf(node);
        report(node, what);
        if (what === undefined && node.name === "Deno" && !mayNameDeno(file, node)) {
          context.report({
            node,
            message: `Deno: only ${OF_THE_RUNTIME.join(", ")} may`,
            hint:
              "lib/foundation/boundary/mod.ts and lib/foundation/runtime.ts have a function for it, or get one",
          });
        }
      },
    };
  },
};

function mayNameDeno(file: string, node: Deno.lint.Node): boolean {
  if (OF_THE_RUNTIME.some((place) => file.startsWith(place))) return true;
  return isInType(node) && !OF_THE_WEB.some((house) => file.startsWith(house));
}

/** Returns whether an identifier begins the name of a type, or stands in `typeof`, used as a type. */
function isInType(node: Deno.lint.Node): boolean {
  return parentOf(node)?.type === "TSQualifiedName" || isInTypeQuery(node);
}

/** Returns the names that an import gives access to and that are not harmless. */
function usesOf({ node, specifier, type }: ImportNode): string[] {
  const module = specifier?.replace(/^node:/, "");
  return [
    ...(specifier !== undefined && isBuiltin(specifier) && !HARMLESS_MODULES.has(module!) ? [specifier] : []),
    ...(module === "process" ? usesOfProcess(node) : []),
    ...(type === undefined || type === "json" ? [] : [`an import of type ${type}`]),
  ];
}

function usesOfProcess(node: Deno.lint.Node): string[] {
  const names = namesFrom(node);
  if (names === undefined) return ["process as a whole"];
  return names.filter((name) => !OF_PROCESS.has(name)).map((name) => `process.${name}`);
}

/**
 * Returns the names imported from a module: an empty array for `import process from`, `undefined` if the whole module is
 * imported.
 */
function namesFrom(node: Deno.lint.Node): string[] | undefined {
  if (node.type === "ImportDeclaration") {
    const [first, ...others] = node.specifiers;
    if (first?.type === "ImportDefaultSpecifier") {
      return first.local.name === "process" && others.length === 0 ? [] : undefined;
    }
    return namesIn(node.specifiers, (each) => each.type === "ImportSpecifier" ? each.imported : undefined);
  }
  if (node.type === "ExportNamedDeclaration") return namesIn(node.specifiers, ({ local }) => local);
  const awaited = parentOf(node);
  const declarator = awaited?.type === "AwaitExpression" ? parentOf(awaited) : undefined;
  if (declarator?.type !== "VariableDeclarator" || declarator.id.type !== "ObjectPattern") return undefined;
  return namesIn<Deno.lint.Node>(
    declarator.id.properties,
    (each) =>
      each.type === "Property" && !each.computed && each.value.type === "Identifier" ? each.key : undefined,
  );
}

function namesIn<T>(
  parts: readonly T[],
  name: (part: T) => Deno.lint.Node | undefined,
): string[] | undefined {
  const names = parts.map((part) => {
    const node = name(part);
    return node && nameOf(node);
  });
  return names.every((each) => each !== undefined) ? names : undefined;
}

/** Returns the name that an identifier gives access to, or `undefined` if it is harmless. */
function useOf(node: Deno.lint.Identifier): string | undefined {
  const { name } = node;
  const isProperty = isMember(node);
  const owner = isProperty ? ownerOf(node) : undefined;
  const isGlobal = !isProperty || GLOBALS.has(owner ?? "");
  const member = memberOf(node);
  const orWhole = (harmless: ReadonlySet<string>) =>
    member === undefined ? `${name} as a whole` : harmless.has(member) ? undefined : `${name}.${member}`;

  // `self.self.Deno` is `Deno` again, so the owner does not matter
  if (name === "Deno") return orWhole(OF_DENO);
  // Deno no longer has the global `window`, so only uses that can mean nothing else are refused.
  if (name === "window") {
    return node.parent?.type === "MemberExpression" && node.parent.computed && !isProperty
      ? "window[…]"
      : undefined;
  }
  if (GLOBALS.has(name)) {
    return isGlobal && !isKey(node) && member === undefined ? `${name} as a whole` : undefined;
  }
  if (isProperty && owner === "Deno") return undefined;
  if (name === "constructor") return isProperty ? ".constructor" : undefined;
  if (BACK_DOORS.has(name) && !isKey(node)) return name;
  if (!isGlobal || isKey(node) || isInTypeQuery(node)) return undefined;
  if (name === "Worker" || name === "fetch") return name;
  if (name === "Function" && !isInstanceOf(node)) return name;
  if (name === "process" && node.parent?.type !== "ImportDefaultSpecifier") return orWhole(OF_PROCESS);
  return undefined;
}

/** Returns whether an identifier only names a property of an object or type, or a parameter. */
function isKey(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  switch (parent?.type) {
    case "Property":
      return parent.key === node && !parent.computed && !parent.shorthand &&
        parent.parent?.type === "ObjectExpression";
    case "TSPropertySignature":
    case "PropertyDefinition":
      return parent.key === node && !parent.computed;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "TSFunctionType":
      return node.typeAnnotation !== undefined && parent.params.some((each) => each === node);
    default:
      return false;
  }
}

/** Returns whether an identifier stands in `typeof name`, used as a type. */
function isInTypeQuery(node: Deno.lint.Node): boolean {
  let parent = parentOf(node);
  while (parent?.type === "TSQualifiedName") parent = parentOf(parent);
  return parent?.type === "TSTypeQuery";
}

function isInstanceOf({ parent }: Deno.lint.Identifier): boolean {
  return parent?.type === "BinaryExpression" && parent.operator === "instanceof";
}
