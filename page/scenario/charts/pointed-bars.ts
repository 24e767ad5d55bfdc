/** The bar that is pointed at, and the one where the choice of a period began. */
export interface PointedBars {
  readonly index: number | null;
  readonly anchor: number | null;
}

export const nothingPointed: PointedBars = { index: null, anchor: null };

/** Drops bars that are no longer there. @param count of bars. */
export function presentBars(pointed: PointedBars, count: number): PointedBars {
  const { index, anchor } = pointed;
  if (index !== null && index >= count) return nothingPointed;
  return anchor !== null && anchor >= count ? { index, anchor: null } : pointed;
}

const pageStep = 10;
const moves = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -pageStep],
  ['PageUp', pageStep],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/**
 * The bars after a key, as those of a slider. Shift extends the chosen period.
 * @param count of bars.
 * @returns undefined for a key that does nothing.
 */
export function moveByKey(
  { index, anchor }: PointedBars,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  count: number,
): PointedBars | undefined {
  if (key === 'Escape') return anchor === null ? undefined : { index, anchor: null };
  const move = moves.get(key);
  if (move === undefined || count === 0) return undefined;
  const last = count - 1;
  // The first key enters the chart at one of its ends.
  const from = index ?? (move < 0 ? last + 1 : -1);
  const next = Math.max(0, Math.min(last, from + move));
  return { index: next, anchor: shiftKey ? (anchor ?? index ?? next) : null };
}

export interface Bars {
  readonly first: number;
  readonly last: number;
}

/** The bars of the chosen period; null unless one is being chosen. */
export function chosenBars({ index, anchor }: PointedBars): Bars | null {
  if (index === null || anchor === null) return null;
  return { first: Math.min(index, anchor), last: Math.max(index, anchor) };
}
