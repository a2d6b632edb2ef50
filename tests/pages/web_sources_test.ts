import { deepEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../../web/", import.meta.url));

/** Components that do something when they are shown, and so are not among the patterns: an answer asks the language model. */
const ACTIVE = ["Answer"];

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? sourcesBelow(`${folder}${name}/`) : /\.tsx?$/.test(name) ? [`${folder}${name}`] : []
  );
}

Deno.test("the page of components shows every one", () => {
  const patterns = Deno.readTextFileSync(`${WEB}pages/patterns.tsx`);
  const components = sourcesBelow(`${WEB}components/`).flatMap((path) =>
    [...Deno.readTextFileSync(path).matchAll(/^export function ([A-Z]\w+)/gm)].map(([, name]) => name!)
  );
  ok(components.length > 10);
  const missing = components.filter((name) => !new RegExp(`<${name}\\b`).test(patterns));
  deepEqual(missing.filter((name) => !ACTIVE.includes(name)), []);
});

Deno.test("the code of the pages imports itself, the types of the calls and packages, and makes no HTML of texts", () => {
  for (const path of sourcesBelow(WEB)) {
    const text = Deno.readTextFileSync(path);
    const imported = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"([^"]+)"/g)].map(([, name]) => name!);
    deepEqual(imported.filter((name) => /^(?:\.\.|\/|[a-z]+:|#(?!web\/|wire\/))/.test(name)), [], path);
    const makesHtml =
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write)\b/;
    ok(!makesHtml.test(text), path);
  }
});
