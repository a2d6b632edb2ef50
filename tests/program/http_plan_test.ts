import { deepEqual, equal, notEqual, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { httpPlanOf } from "#program/http_plan.ts";
import { addressesOf } from "#foundation/boundary/http_listener.ts";
import type { Flags } from "#program/options.ts";
import { secretsOf } from "#program/secrets_in_texts.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeRequest } from "./_fake_io.ts";

const TOKEN = "0123456789abcdef";

function planOf(flags: Partial<Flags>, env: Record<string, string> = {}, cwd = "/") {
  return httpPlanOf({ dir: [], http: true, ...flags }, { env, cwd });
}

Deno.test("the server is reached from this machine only, without a token, unless another address is given", async () => {
  const plan = {
    host: "127.0.0.1",
    addresses: ["127.0.0.1"],
    port: 7368,
    listen: "127.0.0.1:7368",
    names: [],
    tokenHash: null,
    tls: null,
  };
  deepEqual(await planOf({}), plan);
  deepEqual(await planOf({ host: "localhost", port: 0 }), { ...plan, port: 0, listen: "127.0.0.1:0" });
  const loopback = { ...plan, host: "::1", addresses: ["::1"], listen: "[::1]:7368" };
  deepEqual(await planOf({ host: "::1" }), loopback);
  deepEqual(await planOf({ host: "[::1]", port: 80 }), { ...loopback, port: 80, listen: "[::1]:80" });
});

Deno.test("a server that others can reach has a token: a new one each time, or that of the environment", async () => {
  const [first, second] = [await planOf({ host: "0.0.0.0" }), await planOf({ host: "0.0.0.0" })];
  notEqual(first.newToken, second.newToken);
  equal(first.newToken!.length, 43);
  const hash = (token: string) => new Uint8Array(createHash("sha256").update(token).digest());
  deepEqual(first.tokenHash, hash(first.newToken!));
  deepEqual(await planOf({ host: "0.0.0.0", tokenEnv: "T", allowHost: ["a.example"] }, { T: TOKEN }), {
    host: "0.0.0.0",
    addresses: addressesOf("0.0.0.0"),
    port: 7368,
    listen: "0.0.0.0:7368",
    names: ["a.example"],
    tokenHash: hash(TOKEN),
    tokenEnv: "T",
    tls: null,
  });
  equal(secretsOf(fakeRequest({ http: first })).includes(first.newToken!), true);
});

Deno.test("a server on all addresses is named by those of the machine that others can open, IPv4 first", () => {
  const addresses = (host: string, ...machine: string[]) =>
    addressesOf(host, () =>
      machine.map((address) => ({
        family: address.includes(":") ? "IPv6" : "IPv4",
        ...{ name: "eth0", address, netmask: "", scopeid: null, cidr: "", mac: "" },
      })));
  const machine = ["::1", "fe80::1", "2001:db8::2", "127.0.0.1", "169.254.0.9", "192.0.2.2", "198.51.100.7"];
  const v4 = ["192.0.2.2", "198.51.100.7"];
  deepEqual(addresses("0.0.0.0", ...machine), v4);
  const isWindows = Deno.build.os === "windows";
  deepEqual(addresses("::", ...machine), [...isWindows ? [] : v4, "2001:db8::2"]);
  deepEqual(addresses("::", "::1", "127.0.0.1"), [isWindows ? "::1" : "127.0.0.1"]);
  deepEqual(addresses("192.0.2.2", ...machine), ["192.0.2.2"]);
});

Deno.test("a wrong address, a token that is missing or too short, and a file that is not PEM are refused", async () => {
  const errors: [Partial<Flags>, Record<string, string>, string][] = [
    [{ host: "example.org" }, {}, "cli_bad_host"],
    [{ host: "" }, {}, "cli_bad_host"],
    [{ host: "1.2.3.4:80" }, {}, "cli_bad_host"],
    [{ host: "300.1.1.1" }, {}, "cli_bad_host"],
    [{ tokenEnv: "T" }, {}, "cli_token_missing"],
    [{ tokenEnv: "T" }, { T: "short" }, "cli_token_short"],
    [{ tokenEnv: "T" }, { T: `${TOKEN} ${TOKEN}` }, "cli_token_characters"],
  ];
  for (const [flags, env, key] of errors) await rejects(planOf(flags, env), { key }, JSON.stringify(flags));
  using dir = new TempDir();
  dir.write("a.pem", "-----BEGIN CERTIFICATE-----\n");
  dir.write("b.pem", "nothing\n");
  const tls = (tlsCert: string, tlsKey: string) => planOf({ tlsCert, tlsKey }, {}, dir.path);
  deepEqual((await tls("a.pem", "a.pem")).tls, {
    cert: "-----BEGIN CERTIFICATE-----\n",
    key: "-----BEGIN CERTIFICATE-----\n",
  });
  await rejects(tls("a.pem", "b.pem"), { key: "cli_not_pem" });
  await rejects(tls("missing.pem", "a.pem"), /missing\.pem|cannot_read|file/);
});
