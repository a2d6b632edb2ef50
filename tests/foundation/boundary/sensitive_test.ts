import assert from "node:assert/strict";
import { holdsTooMuch, resolveTarget, sensitiveReason } from "#foundation/boundary/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "./helpers.ts";
import { posixTest } from "../../_posix.ts";

const LINUX = { home: "/home/me", style: "posix", darwin: false } as const;
const MAC = { home: "/Users/me", style: "posix", darwin: true } as const;
const WINDOWS = { home: "C:\\Users\\me", style: "windows" } as const;

Deno.test("sensitiveReason() returns the place and scope of the rule", () => {
  assert.deepEqual(sensitiveReason("/etc/nginx/conf.d", LINUX), { place: "/etc", scope: "below" });
  assert.deepEqual(sensitiveReason("/home/me", LINUX), { place: "/home/me", scope: "exact" });
  assert.deepEqual(sensitiveReason("d:\\windows\\System32", WINDOWS), {
    place: "d:\\Windows",
    scope: "below",
  });
});

Deno.test("sensitiveReason() refuses system folders, key folders, whole drives and homes on Linux", () => {
  const refused = [
    ...["/", "/home", "/home/me", "/home/other", "/usr", "/var", "/opt"],
    ...["/etc", "/root", "/root/notes", "/proc/1", "/sys", "/dev/shm", "/boot", "/run/user/1000", "/bin"],
    ...["/sbin"],
    ...["/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib/x86_64-linux-gnu", "/var/lib/mysql", "/var/log"],
    ...["/home/me/.ssh", "/home/other/.ssh/keys", "/home/me/.gnupg", "/home/me/.aws", "/home/me/.kube"],
    ...["/home/me/.docker", "/home/me/.config/app", "/home/me/.local/share/app"],
  ];
  for (const path of refused) assert.ok(sensitiveReason(path, LINUX), path);
});

Deno.test("sensitiveReason() ignores case and Unicode's form, as some disks do on every system", () => {
  const options = { ...LINUX, home: "/home/josé" };
  for (
    const path of [
      "/home/me/.SSH",
      "/home/me/.\u017f\u017fh",
      "/home/me/.s\u200bsh",
      "/home/jose\u0301/.Gnupg",
      "/ETC/nginx",
    ]
  ) {
    assert.ok(sensitiveReason(path, options), path);
  }
  assert.ok(sensitiveReason("/data/jose\u0301/.ssh", { ...LINUX, home: "/data/josé" }));
});

Deno.test("sensitiveReason() allows folders of documents on Linux", () => {
  const passed = [
    ...["/home/me/docs", "/home/other/docs", "/home/me/ssh", "/home/me/etc", "/tmp", "/tmp/x", "/var/tmp/x"],
    ...["/usr/share/doc/bash", "/usr/share/doc", "/usr/src/linux", "/opt/app/docs", "/srv", "/srv/www"],
    ...["/mnt/x", "/media/me/disk", "/run/media/me/disk", "/work", "/var/www/html", "/etcetera"],
    ...["/library", "/data"],
  ];
  for (const path of passed) assert.equal(sensitiveReason(path, LINUX), null, path);
});

Deno.test("sensitiveReason() refuses /root even if it is the home folder", () => {
  const options = { ...LINUX, home: "/root" };
  assert.deepEqual(sensitiveReason("/root/docs", options), { place: "/root", scope: "below" });
});

Deno.test("sensitiveReason() protects a home folder at any place", () => {
  const options = { ...LINUX, home: "/data/people/me" };
  assert.ok(sensitiveReason("/data/people/me", options));
  assert.ok(sensitiveReason("/data/people/me/.ssh", options));
  assert.equal(sensitiveReason("/data/people/me/docs", options), null);
  assert.equal(sensitiveReason("/data/people/you/docs", options), null);
});

Deno.test("sensitiveReason() refuses the parent of a home folder as a whole, on every system", () => {
  assert.deepEqual(sensitiveReason("/data/people", { ...LINUX, home: "/data/people/me" }), {
    place: "/data/people",
    scope: "exact",
  });
  assert.ok(sensitiveReason("/Volumes/Work/People", { ...MAC, home: "/volumes/work/people/me" }));
  assert.ok(sensitiveReason("D:\\People", { ...WINDOWS, home: "d:\\people\\me" }));
  assert.equal(sensitiveReason("/data", { ...LINUX, home: "/data/people/me" }), null);
});

Deno.test("sensitiveReason() has the rules of macOS: places, temporary folders, no case", () => {
  const refused = [
    ...["/", "/Users", "/Users/me", "/users/ME", "/Users/other", "/Volumes", "/private", "/private/var"],
    ...["/System/Library", "/Library", "/private/etc", "/PRIVATE/ETC/ssl", "/private/var/db"],
    ...["/private/var/root"],
    ...["/Users/me/.ssh", "/Users/me/.SSH", "/Users/me/Library", "/Users/me/Library/Keychains"],
    ...["/System/Volumes/Data/Users/me", "/usr/bin"],
  ];
  for (const path of refused) assert.ok(sensitiveReason(path, MAC), path);
  const passed = [
    ...["/Users/me/Documents", "/Users/Shared/docs", "/private/var/folders/ab/xyz/T/tmp1", "/private/tmp/x"],
    ...[
      "/Volumes/USB/docs",
      "/Users/me/Library/Mobile Documents/notes",
      "/System/Volumes/Data/Users/me/docs",
      "/opt/x",
    ],
  ];
  for (const path of passed) assert.equal(sensitiveReason(path, MAC), null, path);
});

Deno.test("sensitiveReason() applies the rules of Windows on every drive", () => {
  const refused = [
    ...["C:\\", "d:\\", "C:\\Users", "C:\\Users\\me", "C:\\Users\\Other", "C:\\Windows"],
    ...["c:\\windows\\System32"],
    ...["E:\\Windows\\Temp", "C:\\Program Files\\App", "C:\\Program Files (x86)", "C:\\ProgramData\\App"],
    ...["C:\\Users\\me\\AppData\\Roaming", "C:\\Users\\other\\AppData\\Local\\App", "C:\\Users\\me\\.ssh"],
    ...["C:\\Users\\me\\AppData\\Local\\Temp", "\\\\nas\\C$", "\\\\nas\\c$\\Windows"],
  ];
  for (const path of refused) assert.ok(sensitiveReason(path, WINDOWS), path);
  const passed = [
    ...[
      "C:\\docs",
      "D:\\Program Files Backup",
      "C:\\Users\\me\\Documents",
      "C:\\Users\\Public\\docs",
      "C:\\WindowsNotes",
    ],
    ...["C:\\Users\\me\\AppData\\Local\\Temp\\x", "\\\\nas\\docs", "\\\\nas\\c$\\docs", "C:\\work\\Windows"],
  ];
  for (const path of passed) assert.equal(sensitiveReason(path, WINDOWS), null, path);
});

posixTest("sensitiveReason() resolves links in the path of a home folder and in it", () => {
  using temp = new TempDir();
  for (const path of ["real/me/.ssh/id", "real/me/.aws/x", "real/me/docs/a.md", "elsewhere/keys/x"]) {
    temp.write(path);
  }
  Deno.symlinkSync("real", temp.at("home"));
  Deno.symlinkSync(temp.at("elsewhere"), temp.at("real/me/.gnupg"));
  const home = temp.at("home/me");
  const refused = [
    ...["real", "home", "real/me", "real/me/.ssh", "real/me/.aws", "elsewhere", "elsewhere/keys"],
    ...["real/me/.kube"],
  ];
  for (const path of refused) assert.ok(sensitiveReason(temp.at(path), { home }), path);
  assert.deepEqual(sensitiveReason(temp.at("elsewhere/keys"), { home }), {
    place: temp.at("elsewhere"),
    scope: "below",
  });
  for (const path of ["real/me/docs", "real/you"]) {
    assert.equal(sensitiveReason(temp.at(path), { home }), null, path);
  }
});

Deno.test("resolveTarget() returns the real path of a full, a relative and a linked folder", async () => {
  using temp = new TempDir();
  temp.write("文档 %41/a.txt");
  const options = { cwd: temp.path, allowSensitive: false };
  assert.equal(await resolveTarget(temp.at("文档 %41"), options), temp.at("文档 %41"));
  assert.equal(await resolveTarget("文档 %41", options), temp.at("文档 %41"));
  assert.equal(await resolveTarget(".", options), temp.path);
  if (ON_WINDOWS) return;
  Deno.symlinkSync("文档 %41", temp.at("link"));
  assert.equal(await resolveTarget("link", options), temp.at("文档 %41"));
});

Deno.test("resolveTarget() expands a leading ~, which no shell does for an MCP client", async () => {
  using temp = new TempDir();
  temp.write("docs/a.txt");
  const options = { cwd: "/", home: temp.path, allowSensitive: false };
  assert.equal(await resolveTarget("~/docs", options), temp.at("docs"));
  await assertUserError(() => resolveTarget("~", options), "sensitive_directory");
});

Deno.test("resolveTarget() names the problem with a folder", async () => {
  using temp = new TempDir();
  temp.write("a.txt");
  const options = { cwd: temp.path, allowSensitive: false };
  const error = await assertUserError(() => resolveTarget("missing", options), "directory_not_found");
  assert.deepEqual(error.params, { path: "missing" });
  await assertUserError(() => resolveTarget("", options), "directory_not_found");
  await assertUserError(() => resolveTarget("a\0b", options), "directory_not_found");
  await assertUserError(() => resolveTarget("a.txt", options), "not_a_directory");
  await assertUserError(() => resolveTarget("a.txt/b", options), "directory_not_found");
});

Deno.test({
  name: "resolveTarget() needs permission to list the folder",
  ignore: ON_WINDOWS || IS_ROOT,
  async fn() {
    using temp = new TempDir();
    temp.write("closed/a.txt");
    Deno.chmodSync(temp.at("closed"), 0o000);
    await assertUserError(
      () => resolveTarget("closed", { cwd: temp.path, allowSensitive: false }),
      "no_permission",
    );
    Deno.chmodSync(temp.at("closed"), 0o700);
  },
});

Deno.test("resolveTarget() refuses a sensitive folder, also through a link, and names the rule", async () => {
  using temp = new TempDir();
  temp.write("home/.ssh/key");
  const options = { cwd: temp.path, home: temp.at("home"), allowSensitive: false };
  const error = await assertUserError(() => resolveTarget("home/.ssh", options), "sensitive_directory");
  assert.deepEqual(error.params, { path: temp.at("home/.ssh"), place: temp.at("home/.ssh") });
  if (ON_WINDOWS) return;
  Deno.symlinkSync(temp.at("home/.ssh"), temp.at("harmless"));
  await assertUserError(() => resolveTarget("harmless", options), "sensitive_directory");
});

Deno.test("resolveTarget() accepts sensitive folders that the user allows", async () => {
  using temp = new TempDir();
  temp.write("home/.ssh/deep/key");
  temp.write("home/.aws/key");
  const options = { cwd: temp.path, home: temp.at("home") };
  const allowed = async (dir: string, allowSensitive: boolean | string[]) => {
    try {
      await resolveTarget(dir, { ...options, allowSensitive });
      return true;
    } catch {
      return false;
    }
  };
  assert.deepEqual(
    {
      all: await allowed("home/.ssh", true),
      listed: await allowed("home/.ssh", [temp.at("home/.ssh")]),
      listedByTilde: await allowed("home/.ssh", ["~/.ssh"]),
      belowListed: await allowed("home/.ssh/deep", ["~/.ssh"]),
      aboveListed: await allowed("home/.ssh", ["~/.ssh/deep"]),
      another: await allowed("home/.aws", ["~/.ssh"]),
      homeListed: await allowed("home", ["~"]),
      secretsWhereHomeIsListed: await allowed("home/.ssh", ["~"]),
      none: await allowed("home/.ssh", []),
    },
    {
      all: true,
      listed: true,
      listedByTilde: true,
      belowListed: true,
      aboveListed: false,
      another: false,
      homeListed: true,
      secretsWhereHomeIsListed: false,
      none: false,
    },
  );
});

posixTest(
  "holdsTooMuch() is true for system folders, homes, and folders that contain one of the others",
  () => {
    const holds = (folder: string) => holdsTooMuch(folder, ["/srv/docs", "/team/conf"], "/homes/me");
    const much = [
      ...["/", "/etc", "/var/log", "/home", "/homes", "/homes/me", "/homes/me/.ssh", "/srv", "/srv/docs"],
      ...["/team"],
    ];
    const little = [
      ...["/homes/me/.local/state/muxue_rag/logs", "/homes/me/logs", "/var/log/muxue_rag", "/srv/logs"],
      ...["/srv/docs/logs", "/srv/doc"],
    ];
    assert.deepEqual(much.filter((folder) => !holds(folder)), []);
    assert.deepEqual(little.filter(holds), []);
  },
);
