import { formatNumber } from '../../shared/amounts.ts';
import type { PriceBook } from '../client/responses.ts';

type Price = PriceBook['prices'][number];

const kindNames: Readonly<Record<Exclude<Price['kind'], `long_${string}`>, string>> = {
  request: 'Request',
  gb_second: 'GB-second',
  input: 'Input',
  output: 'Output',
  batch_input: 'Input of batch jobs',
  batch_output: 'Output of batch jobs',
  cache_read: 'Input from the cache',
  cache_write_5m: 'Input cached for 5 minutes',
  cache_write_1h: 'Input cached for 1 hour',
};
export const kindName = (kind: Price['kind']): string =>
  kind.startsWith('long_') ? `${kindNames[kind.slice(5) as 'input']}, long call` : kindNames[kind as 'input'];

const itemNames: Readonly<Record<string, string>> = { standard: 'Standard', fifo: 'FIFO', requests: 'Requests' };
/** The name of a queue type, of requests or of an architecture. */
export const itemName = (item: string): string => itemNames[item] ?? item;

/** `up to 100,000,000,000`, `above 100,000,000,000`; empty for a price of all units. */
export function formatTier({ from, to }: { readonly from: string; readonly to: string | null }): string {
  if (to !== null) return `up to ${formatNumber(to)}`;
  return from === '0' ? '' : `above ${formatNumber(from)}`;
}

/** The name of a Region with its code, or of a profile. */
export function placeName(place: string, regions: readonly { code: string; name: string }[]): string {
  if (place === 'geo') return 'All commercial regions';
  if (place === 'global') return 'Any region (global profile)';
  const name = regions.find(({ code }) => code === place)?.name;
  return name === undefined ? place : `${name} (${place})`;
}
