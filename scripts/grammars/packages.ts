import type { Package } from "../npm_package.ts";

/** Sources of the modules of `lib/documents/code/grammars/`: the parser, and a grammar for each language. */
export const GRAMMARS: Readonly<Record<string, Package>> = {
  "parser": {
    spec: "web-tree-sitter@0.27.1",
    integrity: "qtx0VyUyNRHtL3ze7+v0hCKB/sLcAmY7ZAVp/ZK/bCj0yED8ptvNrr7Vd7DwDyKDWN9baqcUx4uaD2r2ql+6IA==",
    file: "package/web-tree-sitter.wasm",
  },
  "bash": {
    spec: "tree-sitter-bash@0.25.1",
    integrity: "7hMytuYIMoXOq24yRulgIxthE9YmggZIOHCyPTTuJcu6EU54tYD+4G39cUb28kxC6jMf/AbPfWGLQtgPTdh3xw==",
    file: "package/tree-sitter-bash.wasm",
  },
  "c": {
    spec: "tree-sitter-c@0.24.1",
    integrity: "lkYwWN3SRecpvaeqmFKkuPNR3ZbtnvHU+4XAEEkJdrp3JfSp2pBrhXOtvfsENUneye76g889Y0ddF2DM0gEDpA==",
    file: "package/tree-sitter-c.wasm",
  },
  "c_sharp": {
    spec: "tree-sitter-c-sharp@0.23.5",
    integrity: "xJGOeXPMmld0nES5+080N/06yY6LQi+KWGWV4LfZaZe6srJPtUtfhIbRSN7EZN6IaauzW28v6W4QHFwmeUW6HQ==",
    file: "package/tree-sitter-c_sharp.wasm",
  },
  "cpp": {
    spec: "tree-sitter-cpp@0.23.4",
    integrity: "qR5qUDyhZ5jJ6V8/umiBxokRbe89bCGmcq/dk94wI4kN86qfdV8k0GHIUEKaqWgcu42wKal5E97LKpLeVW8sKw==",
    file: "package/tree-sitter-cpp.wasm",
  },
  "go": {
    spec: "tree-sitter-go@0.25.0",
    integrity: "APBc/Dq3xz/e35Xpkhb1blu5UgW+2E3RyGWawZSCNcbGwa7jhSQPS8KsUupuzBla8PCo8+lz9W/JDJjmfRa2tw==",
    file: "package/tree-sitter-go.wasm",
  },
  "java": {
    spec: "tree-sitter-java@0.23.5",
    integrity: "Yju7oQ0Xx7GcUT01mUglPP+bYfvqjNCGdxqigTnew9nLGoII42PNVP3bHrYeMxswiCRM0yubWmN5qk+zsg0zMA==",
    file: "package/tree-sitter-java.wasm",
  },
  "javascript": {
    spec: "tree-sitter-javascript@0.25.0",
    integrity: "1fCbmzAskZkxcZzN41sFZ2br2iqTYP3tKls1b/HKGNPQUVOpsUxpmGxdN/wMqAk3jYZnYBR1dd/y/0avMeU7dw==",
    file: "package/tree-sitter-javascript.wasm",
  },
  "php": {
    spec: "tree-sitter-php@0.24.2",
    integrity: "zwgAePc/HozNaWOOfwRAA+3p8yhuehRw8Fb7vn5qd2XjiIc93uJPryDTMYTSjBRjVIUg/KY6pM3rRzs8dSwKfw==",
    file: "package/tree-sitter-php.wasm",
  },
  "powershell": {
    spec: "@vscode/tree-sitter-wasm@0.3.1",
    integrity: "RJFoomET6FajjG511fmQxeBQfU6M24a0aFZPqpid+ttIxanWf1VGytBG0UmsGjt07qmIPJS8U31D+aecuCucsQ==",
    file: "package/wasm/tree-sitter-powershell.wasm",
  },
  "python": {
    spec: "tree-sitter-python@0.25.0",
    integrity: "eCmJx6zQa35GxaCtQD+wXHOhYqBxEL+bp71W/s3fcDMu06MrtzkVXR437dRrCrbrDbyLuUDJpAgycs7ncngLXw==",
    file: "package/tree-sitter-python.wasm",
  },
  "ruby": {
    spec: "tree-sitter-ruby@0.23.1",
    integrity: "d9/RXgWjR6HanN7wTYhS5bpBQLz1VkH048Vm3CodPGyJVnamXMGb8oEhDypVCBq4QnHui9sTXuJBBP3WtCw5RA==",
    file: "package/tree-sitter-ruby.wasm",
  },
  "rust": {
    spec: "tree-sitter-rust@0.24.0",
    integrity: "NWemUDf629Tfc90Y0Z55zuwPCAHkLxWnMf2RznYu4iBkkrQl2o/CHGB7Cr52TyN5F1DAx8FmUnDtCy9iUkXZEQ==",
    file: "package/tree-sitter-rust.wasm",
  },
  "tsx": {
    spec: "tree-sitter-typescript@0.23.2",
    integrity: "e04JUUKxTT53/x3Uq1zIL45DoYKVfHH4CZqwgZhPg5qYROl5nQjV+85ruFzFGZxu+QeFVbRTPDRnqL9UbU4VeA==",
    file: "package/tree-sitter-tsx.wasm",
  },
  "typescript": {
    spec: "tree-sitter-typescript@0.23.2",
    integrity: "e04JUUKxTT53/x3Uq1zIL45DoYKVfHH4CZqwgZhPg5qYROl5nQjV+85ruFzFGZxu+QeFVbRTPDRnqL9UbU4VeA==",
    file: "package/tree-sitter-typescript.wasm",
  },
};
