import type { SourceKind } from './price-point.ts';

export interface SourceName {
  kind: SourceKind;
  /** A file, a folder or an address; empty for `genai-prices`. */
  location: string;
}

const locatedKinds: readonly SourceKind[] = ['aws', 'litellm', 'models.dev', 'portkey', 'book'];

/** The names of sources, for messages. */
export const sourceForms =
  'aws:FOLDER_OR_URL, litellm:FILE_OR_URL, models.dev:FILE_OR_URL, portkey:FILE_OR_URL, book:FILE_OR_URL or genai-prices';

/** Parses `aws:./offers`. @throws RangeError that lists the sources. */
export function parseSourceName(text: string): SourceName {
  if (text === 'genai-prices') return { kind: text, location: '' };
  const colon = text.indexOf(':');
  const kind = locatedKinds.find((name) => name === text.slice(0, Math.max(colon, 0)));
  const location = text.slice(colon + 1);
  if (kind === undefined || location === '') throw new RangeError(`"${text}" is not a source: use ${sourceForms}.`);
  return { kind, location };
}

export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location);
