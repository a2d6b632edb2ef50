import { UserError } from "../errors.ts";
import { MAX_QUERY_CHARS, type SearchRequest } from "./types.ts";

/** The text of a query that is looked at. Throws `UserError` `empty_query`. */
export function queryText({ query }: SearchRequest): string {
  const text = query.trim().slice(0, MAX_QUERY_CHARS);
  if (text === "") throw new UserError("empty_query");
  return text;
}
