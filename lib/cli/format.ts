const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size in decimal units: `0 B`, `1.5 kB`, `120 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be rounded to 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit]}`;
}

/** A duration: `0.004 s`, `1 s`, `1.2 s`, `75 s`, `12 min 5 s`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0.9995) return `${Number(seconds.toFixed(3))} s`;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 100) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/** A point in time, in local time: `2026-01-31 09:05:00`. */
export function formatTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}
