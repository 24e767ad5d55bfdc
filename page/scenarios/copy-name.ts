/** In code points, as the service counts them. */
const maxNameLength = 100;

/** The name of a copy: `Peak (copy)`, then `Peak (copy 2)`, cut to the longest name. */
export function copyNameOf(name: string): string {
  const [, start = name, number] = /^(.*) \(copy(?: (\d+))?\)$/s.exec(name) ?? [];
  const suffix = start === name ? ' (copy)' : ` (copy ${Number(number ?? 1) + 1})`;
  const cut = Array.from(start).slice(0, maxNameLength - suffix.length);
  return cut.join('').trimEnd() + suffix;
}
