import { deepEqual, equal } from "node:assert/strict";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import type { AccessLimit } from "#library/search/mod.ts";
import { pagesApp } from "#pages/app.ts";
import { makePdf } from "../documents/pdf/make_pdf.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { config, Place } from "../library/ingest/_place.ts";

const EXTRACTOR = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()));
globalThis.addEventListener("unload", () => EXTRACTOR[Symbol.dispose]());

const MANUAL = makePdf({ pages: ["BT /F1 12 Tf 72 700 Td (Descale the boiler.) Tj ET"] });
/** A text after the picture's end, which a viewer does not show. */
const PICTURE = Uint8Array.from([
  ...makePng(40, 20, { noise: true }),
  ...new TextEncoder().encode("hidden place"),
]);

const FILES = {
  "manual.pdf": MANUAL,
  "named.txt": MANUAL,
  "false.pdf": "No PDF at all.",
  "page.html": `<h1>Tea</h1><script>alert(1)</script><p onclick="alert(2)">Green tea.</p>`,
  "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><text>Tea</text></svg>`,
  "code.ts": "const tea = 1;\nconst pot = 2;\n",
  "photo.png": PICTURE,
  "note.md": "![tea](photo.png)\n",
  "secret.md": "---\naccess_level: secret\n---\nThe code of the safe.\n",
  ".muxueignore": "ignored.md\n",
};

/** Asks the calls of the originals of these files. The folder is `{root}` in paths. */
async function asking(
  use: (ask: (name: string, body: object) => Promise<Response>, place: Place) => Promise<void>,
  access?: readonly AccessLimit[],
): Promise<void> {
  using place = await Place.indexed(FILES, {}, {});
  const library = await place.library({ extractor: EXTRACTOR, ...(access && { access }) });
  const app = pagesApp({
    library,
    config: await config({}),
    language: "en",
    version: "0.0.0",
    log: NO_LOG,
    signal: new AbortController().signal,
  });
  await use(async (name, body) =>
    await app.request(`/api/originals/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": "en" },
      body: JSON.stringify({
        ...body,
        ...("path" in body && { path: `${body.path}`.replace("{root}", place.root) }),
      }),
    }), place);
}

async function keyOf(answer: Response): Promise<string> {
  return (await answer.json()).error.key;
}

Deno.test("a PDF is given as it is, by its content", async () => {
  await asking(async (ask) => {
    deepEqual(await (await ask("open", { path: "{root}/manual.pdf" })).json(), {
      kind: "pdf",
      name: "manual.pdf",
      size: MANUAL.length,
    });
    equal((await (await ask("open", { path: "{root}/named.txt" })).json()).kind, "pdf");
    const answer = await ask("pdf", { path: "{root}/manual.pdf" });
    equal(answer.headers.get("Content-Type"), "application/pdf");
    deepEqual(new Uint8Array(await answer.arrayBuffer()), MANUAL);
    equal(await keyOf(await ask("pdf", { path: "{root}/false.pdf" })), "document_unsupported");
    equal(await keyOf(await ask("pdf", { path: "{root}/page.html" })), "document_unsupported");
  });
});

Deno.test("HTML, SVG, code and a PDF on demand are texts as they were indexed", async () => {
  await asking(async (ask) => {
    const textOf = async (name: string) => {
      const answer = await ask("open", { path: `{root}/${name}`, asText: true });
      equal(answer.headers.get("Content-Type"), "application/json");
      return await answer.json();
    };
    deepEqual(await textOf("page.html"), {
      kind: "text",
      name: "page.html",
      format: "html",
      size: FILES["page.html"].length,
      text: "# Tea\n\nGreen tea.\n",
      firstLine: 1,
      totalLines: 3,
      sections: [{ level: 1, title: "Tea", line: 1 }],
      pictures: 0,
    });
    equal((await textOf("code.ts")).text, FILES["code.ts"]);
    equal((await textOf("drawing.svg")).kind, "text");
    equal((await textOf("manual.pdf")).text, "Descale the boiler.\n");
  });
});

Deno.test("a picture is made anew from its pixels", async () => {
  await asking(async (ask) => {
    for (const [path, number] of [["{root}/photo.png", 1], ["{root}/note.md", 1]] as const) {
      const answer = await ask("picture", { path, number });
      equal(answer.headers.get("Content-Type"), "image/png");
      equal(new TextDecoder("latin1").decode(await answer.arrayBuffer()).includes("hidden"), false);
    }
    equal(await keyOf(await ask("picture", { path: "{root}/note.md", number: 2 })), "image_not_found");
    equal(await keyOf(await ask("picture", { path: "{root}/drawing.svg", number: 1 })), "image_not_found");
  });
});

Deno.test("files that are not served, or kept out of the index, are not shown", async () => {
  await asking(async (ask, place) => {
    Deno.writeTextFileSync(place.at(".env"), "PASSWORD=1");
    for (
      const path of [
        "/etc/passwd",
        "{root}/../state",
        "{root}/%2e%2e/x",
        "{root}/.env",
        "{root}/gone.pdf",
        "\0",
      ]
    ) {
      for (const call of ["open", "pdf", "picture"]) {
        const key = await keyOf(await ask(call, { path, number: 1 }));
        equal(
          ["no_permission", "file_not_found", "not_a_file"].includes(key),
          true,
          `${call} ${path}: ${key}`,
        );
      }
    }
    equal(await keyOf(await ask("open", { path: "" })), "pages_bad_call");
    equal(await keyOf(await ask("open", {})), "pages_bad_call");
    equal(await keyOf(await ask("picture", { path: "{root}/photo.png", number: 0 })), "pages_bad_call");
  });
});

Deno.test("a document outside of the limits of access does not exist", async () => {
  await asking(async (ask) => {
    for (const call of ["open", "pdf", "picture"]) {
      const hidden = await ask(call, { path: "{root}/secret.md", number: 1 });
      equal(await keyOf(hidden), "file_not_found", call);
    }
  }, [{ levels: ["public"], missing: "include" }]);
});

Deno.test("character maps are given by their names", async () => {
  await asking(async (ask) => {
    const answer = await ask("cmap", { name: "UniGB-UCS2-H" });
    equal((await answer.arrayBuffer()).byteLength > 10_000, true);
    for (const name of ["Unknown", "../cmaps.json", ""]) {
      equal(await keyOf(await ask("cmap", { name })), "pages_bad_call");
    }
  });
});

Deno.test("of a long text the part around the wanted line is given", async () => {
  using place = new Place();
  place.write({ "long.txt": Array.from({ length: 300_000 }, (_, i) => `line ${i + 1}\n`).join("") });
  const library = await place.library({ extractor: EXTRACTOR });
  const app = pagesApp({
    library,
    config: await config({}),
    language: "en",
    version: "0.0.0",
    log: NO_LOG,
    signal: new AbortController().signal,
  });
  const answer = await app.request("/api/originals/open", {
    method: "POST",
    body: JSON.stringify({ path: place.at("long.txt"), line: 200_000 }),
  });
  const { text, firstLine, totalLines } = await answer.json();
  deepEqual([firstLine, totalLines, text.length <= 2_000_000], [198_000, 300_000, true]);
  equal(text.slice(0, 12), "line 198000\n");
});
