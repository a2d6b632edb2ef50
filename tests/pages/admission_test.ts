import { deepEqual, equal } from "node:assert/strict";
import { admit, Entry, type PagesDoor } from "../../lib/pages/admission.ts";

function door(more: Partial<PagesDoor<string>> = {}): PagesDoor<string> {
  const origins: Readonly<Record<string, readonly string[]>> = {
    "127.0.0.1:7368": ["http://127.0.0.1:7368"],
    "192.168.1.2:7368": ["http://192.168.1.2:7368"],
    "docs.example.org": ["http://docs.example.org", "https://docs.example.org"],
  };
  return { entry: new Entry(), originsOf: (host) => origins[host] ?? [], ...more };
}

/** Headers of a call from a page of this origin. */
function from(origin: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { host: new URL(origin).host, origin, "content-type": "application/json", ...more };
  return { method: "POST", url: "/api/search/query", headers };
}

Deno.test("a code may be exchanged once, within a minute", () => {
  let now = 0;
  const entry = new Entry(() => now);
  const [first, second] = [entry.newCode(), entry.newCode()];
  now = 60_000;
  const token = entry.exchange(first)!;
  deepEqual([token.length, first.length, entry.exchange(first)], [43, 22, undefined]);
  now = 60_001;
  deepEqual([entry.exchange(second), entry.guestOf(`Bearer ${token}`), entry.guestOf(`Bearer ${token}x`)], [
    undefined,
    "owner",
    undefined,
  ]);
});

Deno.test("a token of the server opens the pages with its own rights", () => {
  const opened = door({ guestOf: (authorization) => authorization === "Bearer t" ? "limited" : undefined });
  const sent = from("http://127.0.0.1:7368", { "sec-fetch-site": "same-origin", authorization: "Bearer t" });
  deepEqual(admit(sent, opened), { to: "call", guest: "limited" });
  const mine = { ...sent.headers, authorization: `Bearer ${opened.entry.exchange(opened.entry.newCode())}` };
  deepEqual(admit({ ...sent, headers: mine }, opened), { to: "call", guest: "owner" });
});

Deno.test("the place of a request may be missing only where browsers do not say it", () => {
  const keyOf = (origin: string, more = {}) => {
    const answer = admit(from(origin, more), door());
    return "key" in answer ? answer.key : answer.to;
  };
  equal(keyOf("http://127.0.0.1:7368"), "pages_other_origin");
  equal(keyOf("https://docs.example.org"), "pages_other_origin");
  equal(keyOf("https://docs.example.org", { "sec-fetch-site": "same-origin" }), "pages_no_token");
  // By an address that is neither encrypted nor this machine's, browsers say only the origin.
  equal(keyOf("http://192.168.1.2:7368"), "pages_no_token");
  equal(keyOf("http://192.168.1.2:7368", { "sec-fetch-site": "cross-site" }), "pages_other_origin");
});
