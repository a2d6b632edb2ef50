/**
 * Other spellings of a file's name: Unicode's forms NFC and NFD, and upper and lower case where the file system ignores case, as on macOS and
 * Windows, and on Linux on disks of theirs. A rule that keeps a file out must hold for each of them.
 *
 * The tests that need a file system that ignores case run where the temporary folder is on one; on Linux, TMPDIR can name such a folder.
 */
import { deepEqual, equal } from "node:assert/strict";
import { basename } from "node:path";
import type { ServedDocument } from "#library/search/mod.ts";
import { Place } from "../library/ingest/_place.ts";
import { assertUserError, ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";

const WORDS_ONLY = { embedding: { provider: "none" } } as const;
const nfc = (text: string) => text.normalize("NFC");
const nfd = (text: string) => text.normalize("NFD");

const IGNORES_CASE = (() => {
  using temp = new TempDir();
  const path = temp.write("a.md");
  return path !== temp.at("A.md") && [...Deno.readDirSync(temp.path)].length === 1 &&
    isThere(temp.at("A.md"));
})();

function textOf({ document }: ServedDocument): string {
  return document.text.trim();
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function foldingTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `where the file system ignores case: ${name}`, ignore: !IGNORES_CASE, fn });
}

Deno.test("files are read and searched by NFC and NFD names, also if a path has some of each", async () => {
  using place = await Place.indexed({
    [`${nfd("Notizbücher")}/${nfc("Café")}/${nfd("Menü.md")}`]: "Walnut cake.",
    [`${nfc("Notizbücher é")}/${nfd("Thé.md")}`]: "Walnut tea.",
  }, WORDS_ONLY);
  const library = await place.library({ settings: WORDS_ONLY });
  for (const path of ["Notizbücher/Café/Menü.md", "Notizbücher é/Thé.md"]) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const expected = path.includes("Thé") ? "Walnut tea." : "Walnut cake.";
    for (const spelled of [nfc, nfd]) {
      equal(textOf(await library.readDocument(place.at(spelled(path)))), expected);
      equal(textOf(await library.readDocument(spelled(path))), expected);
      for (const dirPath of [spelled(folder), place.at(spelled(folder))]) {
        const { hits } = await library.search({ query: "walnut", mode: "keyword", dirPath });
        deepEqual(hits.map(({ content }) => content.trim()), [expected]);
      }
      const { hits } = await library.search({
        query: `walnut path:"${spelled(folder)}/**"`,
        mode: "keyword",
      });
      deepEqual(hits.map(({ content }) => content.trim()), [expected]);
    }
  }
});

for (const [form, ruled, named] of [["NFC", nfc, nfd], ["NFD", nfd, nfc]] as const) {
  Deno.test(`an ignore rule in ${form} holds for names of the other form, for every way to ask for them`, async () => {
    using place = await Place.indexed({
      ".gitignore": ruled("Tagebücher/\ngeheimnis-ä.md\n"),
      [named("Tagebücher/a.md")]: "Walnut diary.",
      [named("geheimnis-ä.md")]: "Walnut secret.",
      "open.md": "Walnut trees.",
    }, WORDS_ONLY);
    const library = await place.library({ settings: WORDS_ONLY });
    const { hits } = await library.search({ query: "walnut", mode: "keyword" });
    deepEqual(hits.map(({ filePath }) => basename(filePath)), ["open.md"]);
    for (const path of ["Tagebücher/a.md", "geheimnis-ä.md"]) {
      for (const spelled of [nfc, nfd]) {
        await assertUserError(() => library.readDocument(place.at(spelled(path))), "no_permission");
      }
    }
  });
}

foldingTest("a file that rules keep out is not read by another case or form of its name", async () => {
  using place = await Place.indexed({
    ".gitignore": "secret.md\nprivate/\ngrüße.md\n",
    "secret.md": "Walnut secret.",
    "private/plan.md": "Walnut plan.",
    "grüße.md": "Walnut greetings.",
    "taken out.md": "Walnut of old.",
    "Open.md": "Walnut trees.",
  }, WORDS_ONLY);
  await place.store.removed.add(new Set(["taken out.md"]));
  const library = await place.library({ settings: WORDS_ONLY });
  const asked = ["secret.md", "private/plan.md", "grüße.md", "taken out.md", ".gitignore"];
  for (const path of asked) {
    for (const form of [path, nfd(path)]) {
      const swapped = form.replace(/[a-z]/, (letter) => letter.toUpperCase());
      const upper = form.toUpperCase().replace("GRÜSSE", "GRÜßE");
      // Windows takes ß and SS for different names in either form.
      for (const spelled of [form, ON_WINDOWS ? upper.replace("SSE", "ßE") : upper, swapped]) {
        for (const whole of [spelled, place.at(spelled)]) {
          const error = await assertUserError(() => library.readDocument(whole), "no_permission");
          equal(error.params.path, whole);
        }
      }
    }
  }
});

foldingTest(
  "a file that is found by another case of its name has the name that its folder lists",
  async () => {
    using place = await Place.indexed({ "Notes/Open Plan.md": "Walnut trees." }, WORDS_ONLY);
    const library = await place.library({ settings: WORDS_ONLY });
    for (const path of ["notes/open plan.md", "NOTES/OPEN PLAN.MD", "Notes/Open Plan.md"]) {
      const found = await library.readDocument(path);
      const end = found.path.slice(place.root.length + 1).replaceAll("\\", "/");
      deepEqual([end, textOf(found)], ["Notes/Open Plan.md", "Walnut trees."]);
    }
    const { hits } = await library.search({ query: "walnut", mode: "keyword", dirPath: "NOTES" });
    deepEqual(hits.map(({ filePath }) => basename(filePath)), ["Open Plan.md"]);
  },
);
