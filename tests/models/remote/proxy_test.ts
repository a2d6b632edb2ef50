import { deepEqual, equal } from "node:assert/strict";
import { proxyFor } from "#models/remote/mod.ts";

/** Returns each variable with a proxy whose host is named like it. */
function proxies(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, `http://me:secret@${name.replace("_", "-")}.test:3128/`]),
  );
}

const HTTP = "http://model.example.org:8080/v1";
const HTTPS = "https://model.example.org/v1";

/** Variables, the expected proxy of a server with http, and of one with https. */
const CASES: [Record<string, string>, string | undefined, string | undefined][] = [
  [{}, undefined, undefined],
  [proxies("HTTP_PROXY"), "http-proxy.test:3128", undefined],
  [proxies("http_proxy"), "http-proxy.test:3128", undefined],
  [proxies("HTTPS_PROXY"), undefined, "https-proxy.test:3128"],
  [proxies("https_proxy"), undefined, "https-proxy.test:3128"],
  [proxies("all_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "all-proxy.test:3128", "all-proxy.test:3128"],
  [{ ...proxies("HTTP_PROXY"), REQUEST_METHOD: "GET" }, undefined, undefined],
  [{ HTTP_PROXY: "", "http_proxy": "a.test" }, "a.test:80", undefined],
  [{ ALL_PROXY: "socks5://a.test", HTTPS_PROXY: "b.test" }, "a.test:1080", "a.test:1080"],
  [
    { ALL_PROXY: "ftp://a.test", HTTP_PROXY: "not a proxy", HTTPS_PROXY: "https://b.test" },
    undefined,
    "b.test:443",
  ],
];

Deno.test("proxyFor() returns the proxy of the environment without its password", () => {
  for (const [env, http, https] of CASES) {
    deepEqual([proxyFor(HTTP, env), proxyFor(HTTPS, env)], [http, https], JSON.stringify(env));
  }
});

/** Values of NO_PROXY, an address, and whether the value names it. */
const EXCEPTIONS: [string, string, boolean][] = [
  ["*", "model.example.org", true],
  ["a.test, model.example.org", "model.example.org", true],
  ["example.org", "model.example.org", true],
  [".example.org", "model.example.org", true],
  ["ample.org", "model.example.org", false],
  ["*.example.org", "model.example.org", false],
  ["MODEL.example.org", "model.example.org", false],
  ["model.example.org:8080", "model.example.org:8080", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["0.0.0.0/0", "11.1.2.3", true],
  ["10.1", "10.1.2.3", false],
  ["fd00::1", "[fd00::1]", true],
  ["[fd00::1]", "[fd00::1]", false],
  ["", "model.example.org", false],
];

Deno.test("proxyFor() returns undefined for hosts in NO_PROXY and for this machine", () => {
  for (const [list, host, excepted] of EXCEPTIONS) {
    const found = proxyFor(`http://${host}/v1`, { HTTP_PROXY: "a.test:1", NO_PROXY: list });
    equal(found, excepted ? undefined : "a.test:1", `${list}: ${host}`);
  }
  equal(proxyFor(HTTP, { HTTP_PROXY: "a.test:1", NO_PROXY: "", "no_proxy": "*" }), "a.test:1");
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    equal(proxyFor(`http://${host}:1234/v1`, { ALL_PROXY: "a.test:1" }), undefined);
  }
});

Deno.test("proxyFor() agrees with the runtime", async () => {
  const asked: string[] = [];
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    asked.push(url);
    return new Response("", { status: 502 });
  });
  const place = `127.0.0.1:${proxy.addr.port}`;
  const env: Record<string, Record<string, string>> = {
    "http://a.test/": { HTTP_PROXY: place },
    "http://b.test/": { "http_proxy": `http://${place}` },
    "http://c.test/": { ALL_PROXY: place, HTTP_PROXY: "127.0.0.1:9" },
    "http://10.255.255.1:8000/": { ALL_PROXY: place, NO_PROXY: "10.0.0.0/9" },
    "http://d.test/": { ALL_PROXY: place, NO_PROXY: "d.test" },
    "http://e.test/": { ALL_PROXY: place, NO_PROXY: "", "no_proxy": "e.test" },
  };
  const expected = Object.entries(env).filter(([url, variables]) => proxyFor(url, variables) === place);
  for (const [url, variables] of Object.entries(env)) {
    const code = `await fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(2000) }).catch(() => {})`;
    await new Deno.Command(Deno.execPath(), { args: ["eval", code], env: variables, clearEnv: true })
      .output();
  }
  deepEqual(asked, expected.map(([url]) => url));
});
