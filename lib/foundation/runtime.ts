/** The version of Deno that the program is written for. The workflows, installers and texts name the same one. */
export const WRITTEN_FOR = "2.8.3";

/** Whether the runtime is older than Deno 2.8. */
export const IS_OLD_RUNTIME: boolean = isBefore28(Deno.version.deno);

/** Whether the runtime leaves out names that are not UTF-8 where it lists a folder, without an error. */
export const HIDES_NAMES: boolean = IS_OLD_RUNTIME && Deno.build.os === "linux";

/** Whether a version of Deno is older than 2.8. */
export function isBefore28(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || major === 2 && minor < 8;
}

/** Whether the runtime is told to send what it observes to a server. */
export function hasTelemetry(): boolean {
  return !/^(?:|0|false)$/i.test(Deno.env.get("OTEL_DENO") ?? "");
}

/**
 * Says that the program does not start with telemetry. From source the runtime would send the console's output, times and addresses
 * past the permissions. It is refused in an executable too, so that one rule holds for all runtimes.
 *
 * Both languages are printed from here: the runtime also reports each garbage collection, and to find out the language or to load
 * all messages takes enough memory for one.
 */
export function refuseTelemetry(): void {
  const text =
    `Error: The environment variable OTEL_DENO is set, so the program did not start: the runtime would send \
its output and other facts elsewhere, past the permissions. Unset it, or set it to false
错误：设置了环境变量 OTEL_DENO：运行时会不受权限限制，把输出等内容发送到其他地方，因此程序没有启动。请取消设置，或设为 false
`;
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
