/** A PostgreSQL server on a free port of this machine, with data of its own, in the folder of `root.ts`. */
import { join } from "node:path";
import { done } from "../chroot.ts";
import { inside, PROGRAMS } from "./root.ts";

export interface ServerOptions {
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines of `pg_hba.conf`; default: passwords from this machine. */
  readonly access?: string;
  /** Size of the disk with its data, as `mount` takes it; default: as much as there is. */
  readonly disk?: string;
}

/** Passwords are cheap to check and data need not survive a power cut. */
const QUICK = {
  fsync: "off",
  "full_page_writes": "off",
  "synchronous_commit": "off",
  "shared_buffers": "64MB",
};

const ACCESS = "host all,replication all 127.0.0.1/32 scram-sha-256\n";

export class PostgresServer implements AsyncDisposable {
  readonly root: string;
  readonly port: number;
  /** Of the user `postgres`, who may do everything. */
  readonly password: string;
  /** Its folder, seen from the chroot. */
  readonly folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #isMounted: boolean;
  #process: Deno.ChildProcess | undefined;

  private constructor(
    root: string,
    { port, password, folder, disk, settings = {} }: ServerOptions & {
      port: number;
      password: string;
      folder: string;
    },
  ) {
    this.root = root;
    this.port = port;
    this.password = password;
    this.folder = folder;
    this.#settings = settings;
    this.#isMounted = disk !== undefined;
  }

  static async start(root: string, options: ServerOptions = {}): Promise<PostgresServer> {
    const password = await Deno.readTextFile(join(root, "srv/password"));
    const folder = `/srv/${crypto.randomUUID().slice(0, 8)}`;
    await Deno.mkdir(join(root, folder));
    if (options.disk !== undefined) {
      await done("mount", ["-t", "tmpfs", "-o", `size=${options.disk}`, "none", join(root, folder)]);
    }
    await done("cp", ["-a", join(root, "srv/template"), join(root, folder, "data")]);
    await done("chroot", [root, "chown", "postgres:postgres", folder]);
    await Deno.writeTextFile(join(root, folder, "data/pg_hba.conf"), options.access ?? ACCESS);
    const server = new PostgresServer(root, { ...options, port: freePort(), password, folder });
    await server.begin();
    return server;
  }

  /** Starts a hot standby, which repeats what this server writes and answers questions meanwhile. */
  async standby(): Promise<PostgresServer> {
    const { root, port, password } = this;
    const folder = `/srv/${crypto.randomUUID().slice(0, 8)}`;
    await Deno.mkdir(join(root, folder));
    await done("chroot", [root, "chown", "postgres:postgres", folder]);
    await inside(root, [
      ...[
        "/usr/bin/env",
        `PGPASSWORD=${password}`,
        `${PROGRAMS}/pg_basebackup`,
        "--pgdata",
        `${folder}/data`,
      ],
      ...["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"],
      ...["--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
    ]);
    const settings = this.#settings;
    const server = new PostgresServer(root, { port: freePort(), password, folder, settings });
    await server.begin();
    return server;
  }

  /** Its database `muxue_rag`, for the user `postgres`. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/muxue_rag`;
  }

  /** Starts it again after {@linkcode stop}. */
  async begin(): Promise<void> {
    const settings = {
      ...QUICK,
      "listen_addresses": "127.0.0.1",
      port: `${this.port}`,
      "unix_socket_directories": this.folder,
      "logging_collector": "on",
      "log_directory": this.folder,
      "log_filename": "log",
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#process = new Deno.Command("chroot", {
      args: [
        ...["--userspec=postgres:postgres", this.root, `${PROGRAMS}/postgres`, "-D", `${this.folder}/data`],
        ...flags,
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    let hasEnded = false;
    this.#process.status.then(() => hasEnded = true);
    for (let tries = 0; tries < 300 && !hasEnded; tries++) {
      if (await this.isReady()) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    const log = await Deno.readTextFile(join(this.root, this.folder, "log")).catch(() => "");
    throw new Error(`The server does not start: ${log.slice(-2000)}`);
  }

  /** Ends it at once, with the connections that it has. */
  async stop(): Promise<void> {
    this.#process?.kill("SIGINT");
    await this.#process?.status;
    this.#process = undefined;
  }

  /** Does statements as the user `postgres`. Returns what `psql` prints. */
  async psql(statements: string, database = "muxue_rag"): Promise<string> {
    const args = [
      "-h",
      "127.0.0.1",
      "-p",
      `${this.port}`,
      "-U",
      "postgres",
      "-d",
      database,
      "-v",
      "ON_ERROR_STOP=1",
    ];
    const program = ["/usr/bin/env", `PGPASSWORD=${this.password}`, `${PROGRAMS}/psql`];
    return await inside(this.root, [...program, ...args, "-Atq", "-f", "-"], statements);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    const folder = join(this.root, this.folder);
    // Processes of the server may still be ending: the folder leaves the tree at once, and its memory when they have.
    if (this.#isMounted) await done("umount", ["--lazy", folder]);
    await Deno.remove(folder, { recursive: true });
  }

  private async isReady(): Promise<boolean> {
    const args = [`${PROGRAMS}/pg_isready`, "-q", "-h", "127.0.0.1", "-p", `${this.port}`];
    return await inside(this.root, args).then(() => true, () => false);
  }
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
