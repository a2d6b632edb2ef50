/** The list of an archive's files as a document, by which an archive is found and looked into. */
import { type Document, guarded, type Loader } from "../types.ts";
import { type ArchiveListing, listArchive } from "./archive.ts";

/** Files that the document names. */
const MOST_NAMED = 1_000;

export const loader: Loader = guarded((bytes, { path }) => listingDocument(listArchive(bytes, { path })));

function listingDocument({ entries, problem }: ArchiveListing): Document {
  const lines = entries.slice(0, MOST_NAMED).map(({ path, size, problem }) =>
    `- ${path} (${size}${problem === undefined ? "" : `, ${problem.problem}`})`
  );
  if (entries.length > MOST_NAMED) lines.push(`- … + ${entries.length - MOST_NAMED}`);
  if (problem !== undefined) lines.push("", `(${problem.problem}: ${problem.message})`);
  return { text: lines.map((line) => `${line}\n`).join(""), sections: [] };
}
