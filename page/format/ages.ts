const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** An age in ms, in its largest unit: `12 s`, `5 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [size, unit] = units.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${Math.floor(seconds / size).toLocaleString('en-US')} ${unit}`;
}
