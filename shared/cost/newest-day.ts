/** The newest day of a text such as `2025-11-03 (us Regions rechecked 2026-07-24)`. */
export const newestDay = (text: string): string | null =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1) ?? null;
