// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The gain of 2 and 4 programs that index one folder into PostgreSQL together: `deno run -A --config deno.dev.json
 * research/several_writers.ts EXECUTABLE FOLDER [rounds]`, on the server of `deno task test:postgres` (Linux, as root). FOLDER is copied
 * until it has 1,000 files. Prints the seconds of all, and of each program the CPU time with that of its extractors: on machines of their
 * own with equally many cores, the run takes as long as the busiest program, so its share of the time of one alone is the gain.
 */
import { join } from "node:path";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";

const [executable = "", source = "", rounds = "2"] = Deno.args;
const FILES = 1000, WRITERS = [1, 2, 4];

const place = await Deno.makeTempDir();
const folder = join(place, "docs");
await Deno.mkdir(folder);
const files = [...Deno.readDirSync(source)].filter(({ isFile }) => isFile).map(({ name }) => name).sort();
for (let i = 0; i < FILES; i++) {
  const name = files[i % files.length]!;
  await Deno.copyFile(join(source, name), join(folder, `${Math.floor(i / files.length)} ${name}`));
}

await using server = await PostgresServer.start(await serverRoot());
const busiest = new Map<number, number[]>(), seconds = new Map<number, number[]>();
for (let round = 0; round < Number(rounds); round++) {
  for (const writers of WRITERS) {
    const schema = `r${round}_${writers}`;
    await Deno.writeTextFile(
      join(place, "config.yaml"),
      `store: {provider: postgres, url: "${server.url}", password: "env:TEST_PASSWORD", schema: ${schema}}\n` +
        `collections: {docs: {path: "${folder}"}}\n`,
    );
    const began = performance.now();
    const cpu = await Promise.all(Array.from({ length: writers }, (_, i) => run(i)));
    const took = (performance.now() - began) / 1000;
    note(seconds, writers, took);
    note(busiest, writers, Math.max(...cpu));
    const each = cpu.map((one) => one.toFixed(1)).join(" + ");
    console.log(
      `${writers}: ${took.toFixed(1)} s, CPU time ${each} s; load ${Deno.loadavg()[0]!.toFixed(1)}`,
    );
  }
}
for (const writers of WRITERS.slice(1)) {
  const gain = (of: typeof seconds) => (mean(of.get(1)!) / mean(of.get(writers)!)).toFixed(2);
  console.log(
    `${writers} programs: ${gain(seconds)} times as fast on this machine, ${gain(busiest)} times by CPU time`,
  );
}
await Deno.remove(place, { recursive: true });

function note(figures: Map<number, number[]>, writers: number, figure: number): void {
  figures.set(writers, [...figures.get(writers) ?? [], figure]);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Indexes the folder. Returns the seconds of CPU time of the program and of all processes that it starts. */
async function run(number: number): Promise<number> {
  await using group = await controlGroup();
  const { code, stderr } = await new Deno.Command("sh", {
    args: [
      ...["-c", `echo $$ > ${group.processes}; exec "$@"`, "sh"],
      ...[executable, "index", "--config", join(place, "config.yaml"), "--quiet"],
    ],
    env: {
      TEST_PASSWORD: server.password,
      XDG_STATE_HOME: join(place, `state${number}`),
      XDG_CONFIG_HOME: join(place, "config"),
    },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return await group.seconds();
}

/** A control group of Linux, which counts the CPU time of the processes in it. */
async function controlGroup() {
  const groups = "/sys/fs/cgroup";
  const isOld = await Deno.stat(`${groups}/cpuacct`).then(() => true, () => false);
  const group = `${groups}${isOld ? "/cpuacct" : ""}/several-writers-${crypto.randomUUID()}`;
  await Deno.mkdir(group);
  return {
    processes: `${group}/cgroup.procs`,
    seconds: async () => {
      if (isOld) return Number(await Deno.readTextFile(`${group}/cpuacct.usage`)) / 1e9;
      const [, microseconds] = /usage_usec (\d+)/.exec(await Deno.readTextFile(`${group}/cpu.stat`))!;
      return Number(microseconds) / 1e6;
    },
    async [Symbol.asyncDispose]() {
      // Its last processes may still be ending.
      for (let tries = 0; tries < 50; tries++) {
        if (await Deno.remove(group).then(() => true, () => false)) return;
        await new Promise((done) => setTimeout(done, 100));
      }
    },
  };
}
