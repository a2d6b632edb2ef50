import { deepEqual, rejects } from "node:assert/strict";
import { join } from "node:path";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { done } from "../../../../scripts/chroot.ts";
import { PostgresServer } from "../../../../scripts/postgres/server.ts";
import { postgresServer } from "../../../_postgres.ts";

/** Makes a CA, and by it a certificate for these names. */
async function makeCertificates(folder: string, names: string): Promise<void> {
  const openssl = (...args: string[]) => done("openssl", args);
  const at = (name: string) => join(folder, name);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
    "-subj",
    "/CN=Team CA",
  );
  await openssl("req", ...key, "-keyout", at("server.key"), "-out", at("server.csr"), "-subj", "/CN=db");
  await Deno.writeTextFile(at("names"), `subjectAltName=${names}\n`);
  await openssl(
    ...["x509", "-req", "-in", at("server.csr"), "-CA", at("ca.pem"), "-CAkey", at("ca.key")],
    ...["-CAcreateserial", "-extfile", at("names"), "-out", at("server.pem")],
  );
}

/** A server with a certificate for `names` that answers on 127.0.0.1 and 127.0.0.2. The latter counts as another machine. */
async function serverWithTls(names: string) {
  const { root } = postgresServer();
  const certificates = join(root, "srv", `tls-${crypto.randomUUID()}`);
  await Deno.mkdir(certificates);
  await makeCertificates(certificates, names);
  await done("chroot", [root, "chown", "-R", "postgres:postgres", certificates.slice(root.length)]);
  const inRoot = certificates.slice(root.length);
  const server = await PostgresServer.start(root, {
    settings: {
      "listen_addresses": "127.0.0.1,127.0.0.2",
      ssl: "on",
      "ssl_cert_file": `${inRoot}/server.pem`,
      "ssl_key_file": `${inRoot}/server.key`,
    },
    access: "hostssl all all 127.0.0.0/8 scram-sha-256\n",
  });
  return {
    ca: join(certificates, "ca.pem"),
    ask: (host: string, tls: Partial<StoreSettings["tls"]>) => ask(server, host, tls),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Deno.remove(certificates, { recursive: true });
    },
  };
}

async function ask({ port, password }: PostgresServer, host: string, tls: Partial<StoreSettings["tls"]>) {
  const database = databaseOf({
    url: `postgres://postgres@${host}:${port}/muxue_rag`,
    password,
    schema: "public",
    pool: 1,
    tls: { ca: null, verify: true, ...tls },
  });
  try {
    return await database.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
  } finally {
    await database.close();
  }
}

Deno.test("a server is known by the certificate of its CA, on this machine and on others", async () => {
  await using server = await serverWithTls("IP:127.0.0.1,IP:127.0.0.2,DNS:localhost");
  const { ca } = server;
  for (const host of ["127.0.0.1", "127.0.0.2", "localhost"]) {
    deepEqual(await server.ask(host, { ca }), [{ ssl: true }], host);
  }
  await rejects(server.ask("127.0.0.2", {}), { key: "store_tls_not_verified" });
  // The server refuses connections without TLS.
  await rejects(server.ask("127.0.0.1", {}), { key: "store_login_refused" });
  await rejects(server.ask("127.0.0.2", { ca: "/nothing.pem" }), { key: "store_ca_unreadable" });
});

Deno.test("the certificate of another CA, or for another name, is refused", async () => {
  await using one = await serverWithTls("DNS:db.example.com");
  await using other = await serverWithTls("IP:127.0.0.2");
  await rejects(other.ask("127.0.0.2", { ca: one.ca }), { key: "store_tls_not_verified" });
  await rejects(one.ask("127.0.0.2", { ca: one.ca }), { key: "store_tls_not_verified" });
  await rejects(one.ask("127.0.0.1", { ca: one.ca }), { key: "store_tls_not_verified" });
  // Another machine is always checked, whatever the settings say.
  await rejects(one.ask("127.0.0.2", { ca: one.ca, verify: false }), { key: "store_tls_not_verified" });
  deepEqual(await one.ask("127.0.0.1", { ca: one.ca, verify: false }), [{ ssl: true }]);
});

Deno.test("a database on another machine without TLS is not used, and no password is sent to it", async () => {
  await using server = await PostgresServer.start(postgresServer().root, {
    settings: { "listen_addresses": "127.0.0.1,127.0.0.2", "log_connections": "on" },
    access: "host all all 127.0.0.0/8 scram-sha-256\n",
  });
  await rejects(ask(server, "127.0.0.2", {}), { key: "store_tls_missing" });
});
