/** How many entries a month has, and the numbers that were entered for each basis. */
export interface Volume {
  readonly basis: 'observed' | 'entries_per_month' | 'entries_per_second';
  readonly perMonth: number;
  /** As it is typed. */
  readonly perSecond: string;
}

/** The parameters of a projection at this volume, which the address has, too. */
export const queryOf = ({ basis, perMonth, perSecond }: Volume) => ({
  entries_per_month: basis === 'entries_per_month' ? String(perMonth) : undefined,
  entries_per_second: basis === 'entries_per_second' ? perSecond : undefined,
});

/** Whether there is a rate to ask for; undefined is the observed one. */
export const isRate = (perSecond: unknown): boolean => perSecond === undefined || Number(perSecond) > 0;

/** The volume of an address. A malformed volume is not read. */
export function parseVolume(query: URLSearchParams, hasRate: boolean): Volume {
  const [perMonth, perSecond] = [query.get('entries_per_month') ?? '', query.get('entries_per_second')];
  const defaults = { perMonth: 1_000_000, perSecond: '10' };
  if (/^[1-9]\d{0,15}$/.test(perMonth)) return { ...defaults, basis: 'entries_per_month', perMonth: Number(perMonth) };
  // As number fields can have it: `1e5`, `-1`. The API refuses what is no volume.
  if (perSecond !== null && /^[\d.eE+-]{0,26}$/.test(perSecond))
    return { ...defaults, basis: 'entries_per_second', perSecond };
  return { ...defaults, basis: hasRate ? 'observed' : 'entries_per_month' };
}
