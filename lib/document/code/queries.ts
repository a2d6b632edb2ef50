import type { Language } from "./languages.ts";

/**
 * The definitions of each language as tree-sitter queries. The capture of a pattern names the kind. `@name` holds the name,
 * or the first node of a declarator that leads to it. A `@function` inside a type with members is a method.
 */
export const QUERIES: Readonly<Record<Language, string>> = {
  bash: `(function_definition name: (_) @name) @function`,
  c: c(),
  "c_sharp": `
    (namespace_declaration name: (_) @name) @namespace
    (class_declaration name: (_) @name) @class
    (struct_declaration name: (_) @name) @struct
    (record_declaration name: (_) @name) @record
    (interface_declaration name: (_) @name) @interface
    (enum_declaration name: (_) @name) @enum
    (method_declaration name: (_) @name) @function
    (constructor_declaration name: (_) @name) @constructor
    (local_function_statement name: (_) @name) @function`,
  cpp: `${c()}
    (class_specifier name: (_) @name body: (_)) @class
    (namespace_definition name: (_) @name) @namespace`,
  go: `
    (function_declaration name: (_) @name) @function
    (method_declaration receiver: (_) @receiver name: (_) @name) @method
    (type_spec name: (_) @name type: (struct_type)) @struct
    (type_spec name: (_) @name type: (interface_type)) @interface`,
  java: `
    (class_declaration name: (_) @name) @class
    (record_declaration name: (_) @name) @record
    (interface_declaration name: (_) @name) @interface
    (annotation_type_declaration name: (_) @name) @annotation
    (enum_declaration name: (_) @name) @enum
    (method_declaration name: (_) @name) @function
    (constructor_declaration name: (_) @name) @constructor`,
  javascript: javaScript("identifier", "field_definition property"),
  php: `
    (class_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (trait_declaration name: (_) @name) @trait
    (enum_declaration name: (_) @name) @enum
    (function_definition name: (_) @name) @function
    (method_declaration name: (_) @name) @function`,
  powershell: `
    (function_statement (function_name) @name) @function
    (class_statement . (simple_name) @name) @class
    (enum_statement (simple_name) @name) @enum
    (class_method_definition (simple_name) @name) @function`,
  python: `
    (class_definition name: (_) @name) @class
    (function_definition name: (_) @name) @function`,
  ruby: `
    (module name: (_) @name) @module
    (class name: (_) @name) @class
    (method name: (_) @name) @function
    (singleton_method name: (_) @name) @function`,
  rust: `
    (function_item name: (_) @name) @function
    (struct_item name: (_) @name) @struct
    (union_item name: (_) @name) @union
    (enum_item name: (_) @name) @enum
    (trait_item name: (_) @name) @trait
    (impl_item type: (_) @name) @impl
    (mod_item name: (_) @name body: (_)) @module
    (macro_definition name: (_) @name) @macro`,
  tsx: typeScript(),
  typescript: typeScript(),
};

function c(): string {
  return `
    (function_definition declarator: (_) @name) @function
    (struct_specifier name: (_) @name body: (_)) @struct
    (union_specifier name: (_) @name body: (_)) @union
    (enum_specifier name: (_) @name body: (_)) @enum
    (type_definition type: (struct_specifier body: (_)) declarator: (_) @name) @struct
    (type_definition type: (enum_specifier body: (_)) declarator: (_) @name) @enum
    (preproc_function_def name: (_) @name) @macro`;
}

function javaScript(className: string, field: string): string {
  const [fieldType, fieldName] = field.split(" ");
  const aFunction = "[(arrow_function) (function_expression) (generator_function)]";
  return `
    (class_declaration name: (${className}) @name) @class
    (function_declaration name: (_) @name) @function
    (generator_function_declaration name: (_) @name) @function
    (method_definition name: (_) @name) @function
    (variable_declarator name: (identifier) @name value: ${aFunction}) @function
    (variable_declarator name: (identifier) @name value: (class)) @class
    (assignment_expression left: (_) @name right: ${aFunction}) @function
    (assignment_expression left: (_) @name right: (class)) @class
    (pair key: (_) @name value: ${aFunction}) @function
    (${fieldType} ${fieldName}: (_) @name value: ${aFunction}) @function`;
}

function typeScript(): string {
  return `${javaScript("type_identifier", "public_field_definition name")}
    (abstract_class_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (type_alias_declaration name: (_) @name) @type
    (enum_declaration name: (_) @name) @enum
    (internal_module name: (_) @name) @namespace
    (module name: (_) @name) @module`;
}
