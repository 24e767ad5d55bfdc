// The terms of a what-if are in the address, where the projection takes them over.
import { addressQuery, changeQuery } from '../app/address.ts';
import { parseTerms, type Terms, termReaders } from './terms.ts';

export const triedTerms = (): Terms => parseTerms(addressQuery());

/** An empty text takes a term back. */
export function changeTerms(changes: Terms): void {
  changeQuery(Object.fromEntries(Object.entries(changes).map(([term, value]) => [term, String(value) || undefined])));
}

export function resetTerms(): void {
  changeQuery(Object.fromEntries(Object.keys(termReaders).map((term) => [term, undefined])));
}
