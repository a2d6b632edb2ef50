import assert from "node:assert/strict";
import { CodeLoader } from "#documents/code/loader.ts";

const loader = new CodeLoader();

/** Sections as `first-last line path`. */
async function outline(path: string, text: string): Promise<string[]> {
  const document = await loader.loadText(path, text);
  assert.equal(document.text, text);
  const line = (at: number) => text.slice(0, at).split("\n").length;
  return document.sections.map(({ start, end, path }) => `${line(start)}-${line(end)} ${path.join(" › ")}`);
}

const TYPESCRIPT = `import { a } from "a";

/** Adds things. */
export const add = (x: number) => {
  return x + 1;
};

@sealed
export default class Cart extends Base {
  #count = 0;

  /** How many there are. */
  count(): number {
    const twice = (n: number) => n * 2;
    return twice(this.#count);
  }

  onClick = () => {
    add(1);
  };
}

interface Item {
  name: string;
}

type Id = string;

Cart.prototype.clear = function () {
  add(0);
};
`;

Deno.test("TypeScript: functions, classes and methods are sections, together with the comments above them", async () => {
  const sections = [
    "3-6 function add",
    "8-21 class Cart",
    "12-16 class Cart › method count",
    "18-20 class Cart › method onClick",
    "23-25 interface Item",
    "27-27 type Id",
    "29-31 function Cart.prototype.clear",
  ];
  assert.deepEqual(await outline("src/cart.ts", TYPESCRIPT), sections);
  assert.deepEqual(await outline("cart.tsx", TYPESCRIPT), sections);
});

Deno.test("a heading extends to the line of the name, and levels follow the nesting", async () => {
  const { sections } = await loader.loadText("a.ts", TYPESCRIPT);
  const { start, headingEnd, level, title } = sections[2]!;
  assert.equal(TYPESCRIPT.slice(start, headingEnd), "  /** How many there are. */\n  count(): number {");
  assert.deepEqual([level, title], [2, "method count"]);
});

Deno.test("a long definition begins a chunk, and a one-line definition has no heading", async () => {
  const text = `function long() {\n${"  step();\n".repeat(40)}}\n\n// Short.\nconst short = () => 1;\n`;
  const { sections } = await loader.loadText("a.js", text);
  assert.deepEqual(
    sections.map(({ title, apart, start, headingEnd }) => [title, apart, headingEnd - start]),
    [
      ["function long", true, 17],
      ["function short", undefined, 0],
    ],
  );
});

const SAMPLES: readonly [path: string, text: string, sections: readonly string[]][] = [
  [
    "a.js",
    "module.exports = {\n  run: function () {\n    go();\n  },\n};\nvar f = function () {\n  a();\n}, g = 1;\n",
    [
      "2-4 function run",
      "6-8 function f",
    ],
  ],
  [
    "a.py",
    "import os\n\n# Runs.\n@task\ndef run(a):\n    def inner():\n        pass\n    return a\n\nclass A(B):\n    async def go(self):\n        pass\n",
    [
      "3-8 function run",
      "6-7 function run › function inner",
      "10-12 class A",
      "11-12 class A › method go",
    ],
  ],
  [
    "A.java",
    "package a;\n\n/** A. */\n@Deprecated\npublic class A {\n  A() {\n    x();\n  }\n  /** Goes. */\n  @Override\n  public int go() {\n    return 1;\n  }\n}\n",
    [
      "3-14 class A",
      "6-8 class A › constructor A",
      "9-13 class A › method go",
    ],
  ],
  [
    "a.c",
    "#include <a.h>\ntypedef struct {\n  int x;\n} point;\n\n// Finds.\nstatic char *(*find(const char *s))(int)\n{\n  return 0;\n}\n#define MAX(a, b) \\\n  ((a) > (b) ? (a) : (b))\n",
    [
      "2-4 struct point",
      "6-10 function find",
      "11-12 macro MAX",
    ],
  ],
  ["a.h", "#pragma once\nstruct point {\n  int x;\n};\nint area(struct point p);\n", ["2-4 struct point"]],
  [
    "b.h",
    "namespace a {\ntemplate <class T>\nclass Bag {\n public:\n  void add(T x) {\n    n++;\n  }\n};\n}  // namespace a\n",
    [
      "1-9 namespace a",
      "2-8 namespace a › class Bag",
      "5-7 namespace a › class Bag › method add",
    ],
  ],
  ["a.cpp", "void Bag::add(int x) const {\n  n++;\n}\n", ["1-3 function Bag::add"]],
  [
    "a.cs",
    "namespace Shop\n{\n    /// <summary>A cart.</summary>\n    [Serializable]\n    public class Cart : ICart\n    {\n        public void Add()\n        {\n        }\n    }\n}\n",
    [
      "1-11 namespace Shop",
      "3-10 namespace Shop › class Cart",
      "7-9 namespace Shop › class Cart › method Add",
    ],
  ],
  [
    "a.go",
    "package a\n\n// Bag holds.\ntype Bag struct {\n\tn int\n}\n\n// Add adds.\nfunc (b *Bag) Add(n int) {\n\tb.n += n\n}\n",
    [
      "3-6 struct Bag",
      "8-11 method Bag.Add",
    ],
  ],
  [
    "a.rs",
    "/// Holds.\n#[derive(Debug)]\npub struct Bag {\n    n: u32,\n}\n\nimpl fmt::Display for Bag {\n    fn fmt(&self) -> u32 {\n        1\n    }\n}\n",
    [
      "1-5 struct Bag",
      "7-11 impl fmt::Display for Bag",
      "8-10 impl fmt::Display for Bag › method fmt",
    ],
  ],
  ["a.rb", "module A\n  # Holds.\n  class Bag\n    def self.make\n      new\n    end\n  end\nend\n", [
    "1-8 module A",
    "2-7 module A › class Bag",
    "4-6 module A › class Bag › method make",
  ]],
  [
    "a.php",
    "<?php\nnamespace A;\n\n#[Entity]\nfinal class Bag {\n    public function add($x) {\n        return 1;\n    }\n}\n",
    [
      "4-9 class Bag",
      "6-8 class Bag › method add",
    ],
  ],
  [
    "install",
    '#!/usr/bin/env bash\n# Fetches.\nfetch() {\n  curl "$1"\n}\nfunction main {\n  fetch a\n}\nmain\n',
    [
      "2-5 function fetch",
      "6-8 function main",
    ],
  ],
  ["a.ps1", "# Gets.\nfunction Get-Thing {\n  param($a)\n  $a\n}\n", ["1-5 function Get-Thing"]],
  [
    "a.kt",
    "package a\n/** A cart. */\ndata class Cart(\n    val n: Int\n) : Base() {\n    fun <T> add(x: T): Int {\n        return 1\n    }\n}\nfun String.twice(): Int =\n    2\n",
    [
      "2-9 class Cart",
      "6-8 class Cart › fun add",
      "10-11 fun String.twice",
    ],
  ],
  ["a.swift", "extension Cart {\n    static func make() -> Cart {\n        return Cart()\n    }\n}\n", [
    "1-5 extension Cart",
    "2-4 extension Cart › func make",
  ]],
  [
    "a.lua",
    "-- Goes.\nlocal function go(a)\n  if a then\n    return 1\n  end\nend\nM.f = function()\n  go()\nend\n",
    [
      "1-6 function go",
      "7-9 function M.f",
    ],
  ],
  [
    "a.sql",
    "CREATE TABLE users (\n  id int\n);\nINSERT INTO users VALUES (1);\nCREATE OR REPLACE FUNCTION f() RETURNS int AS $$\nBEGIN\n  RETURN 1;\nEND;\n$$ LANGUAGE plpgsql;\n",
    [
      "1-3 table users",
      "5-9 function f",
    ],
  ],
  ["a.R", "#' Adds.\nadd <- function(a, b)\n{\n  a + b\n}\nx <- 1\n", ["1-5 function add"]],
  ["a.scala", "object Main extends App {\n  def f(x: Int): Int = {\n    1\n  }\n}\n", [
    "1-5 object Main",
    "2-4 object Main › def f",
  ]],
  ["run.bat", "@echo off\ncall :build\n:build\necho building\n", ["3-4 label build"]],
  ["a.pl", "# Makes.\nsub new {\n  my $class = shift;\n}\n1;\n", ["1-4 sub new"]],
  ["a.pas", "procedure Go(x: Integer);\nvar\n  i: Integer;\nbegin\n  i := 1;\nend;\n", ["1-6 procedure Go"]],
  ["Makefile", "CC := gcc\nall: a.o\n\t$(CC) a.o\nclean:\n\trm a.o\n", [
    "2-3 target all",
    "4-5 target clean",
  ]],
];

for (const [path, text, sections] of SAMPLES) {
  Deno.test(`${path} is divided into its definitions`, async () => {
    assert.deepEqual(await outline(path, text), sections);
  });
}

Deno.test("Chinese comments and names keep exact offsets and lines", async () => {
  const text =
    "// 说明😀\nfunction 计算(数: number) {\n  return 数; // 😀\n}\nclass 类 {\n  方法() {\n    return 1;\n  }\n}\n";
  assert.deepEqual(await outline("a.ts", text), [
    "1-4 function 计算",
    "5-9 class 类",
    "6-8 class 类 › method 方法",
  ]);
});

Deno.test("broken code keeps the definitions that can be recognised", async () => {
  const text = "function a() {\n  return 1 +;\n}\n\nfunction b() {\n  return 1;\n}\n";
  assert.deepEqual((await outline("a.js", text)).map((one) => one.replace(/^\S+ /, "")), [
    "function a",
    "function b",
  ]);
});

Deno.test("sections nest, are ordered and lie inside the text for any code", async () => {
  const pieces = [
    "function a() {",
    "class B {",
    "}",
    "\n",
    "  ",
    "def f(x):",
    "/* ",
    " */",
    "# ",
    "x = () => {",
    "😀",
    "end",
    "(",
    '"',
    "`",
  ];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let run = 0; run < 300; run++) {
    const text = Array.from({ length: random(60) }, () => pieces[random(pieces.length)]).join("");
    for (const path of ["a.js", "a.py", "a.cpp", "a.kt", "a.rb"]) {
      const { sections } = await loader.loadText(path, text);
      const open: { end: number; level: number }[] = [];
      let before = -1;
      for (const { start, headingEnd, end, level, path } of sections) {
        assert.ok(
          start > before && start < end && start <= headingEnd && headingEnd <= end && end <= text.length,
          JSON.stringify(text),
        );
        before = start;
        while (open.length > 0 && open.at(-1)!.end <= start) open.pop();
        assert.equal(level, open.length + 1);
        assert.equal(path.length, level);
        assert.ok(open.every((one) => end <= one.end));
        open.push({ end, level });
      }
    }
  }
});

Deno.test("hostile code is read in bounded time", async () => {
  for (
    const [path, text] of [
      ["a.js", "(".repeat(300_000)],
      ["a.py", "def a():\n".repeat(30_000)],
      ["a.c", "#if 1\n".repeat(50_000)],
      ["a.cpp", "a<".repeat(100_000)],
      ["a.kt", "fun a() {\n".repeat(50_000)],
      ["a.kt", `${"x ".repeat(200)}\n`.repeat(2000)],
      ["a.swift", Array.from({ length: 2000 }, (_, i) => `${" ".repeat(i)}class A {`).join("\n")],
    ] as const
  ) assert.equal((await loader.loadText(path, text)).text === text, true, path);
});

Deno.test("a thread without permissions can load every language", async () => {
  const worker = new Worker(new URL("./_locked_worker.ts", import.meta.url), {
    type: "module",
    deno: { permissions: "none" },
  });
  try {
    const told = () =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
    assert.equal(await told(), "ready");
    for (const [path, text, sections] of SAMPLES) {
      const answer = told();
      worker.postMessage({ path, bytes: new TextEncoder().encode(text) });
      assert.deepEqual(await answer, sections.map((section) => section.replace(/^\S+ /, "")), path);
    }
  } finally {
    worker.terminate();
  }
});
