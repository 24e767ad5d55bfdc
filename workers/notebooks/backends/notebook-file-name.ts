// Names of notebook files, made of titles. A name is valid on Linux, macOS and Windows, and shown
// by Jupyter.

/**
 * Bytes of UTF-8. File systems allow 255, encrypted ones 143; Jupyter adds up to 19 to the name
 * (`.ipynb`, `-checkpoint`, `.~`) and this service up to 11.
 */
const maxNameBytes = 110;
const fallbackName = 'Notebook';

/**
 * Controls, lone surrogates, line separators, zero-width space, byte order mark, and marks that
 * change the direction.
 */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const separators = /[/\\:|]+/g;
const reservedCharacters = /[*?"<>]+/g;
/** Windows opens devices by these names, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The names that this service gives to a notebook file, the preferred one first. The second
 * contains a part of the id.
 */
export function fileNamesOf(title: string, id: string): readonly [string, string] {
  const name = fileNameStem(title);
  return [`${name}.ipynb`, `${name} (${id.slice(0, 8)}).ipynb`];
}

/** The name of a new file before it is named after its title. */
export const fileNameOfId = (id: string): string => `${id}.ipynb`;

function fileNameStem(title: string): string {
  const characters = title
    .normalize('NFC')
    .replaceAll(invisible, ' ')
    .replaceAll(separators, '-')
    .replaceAll(reservedCharacters, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/(?:\.ipynb)+\s*$/i, '');
  const name = trimEnds(truncate(trimEnds(characters)));
  if (name === '') return fallbackName;
  return deviceName.test(name) ? `_${name}` : name;
}

/**
 * Files that begin with a dot are hidden, and a dash begins an option; Windows removes dots and
 * blanks at the end.
 */
const trimEnds = (name: string) => name.replaceAll(/^[\s.-]+|[\s.]+$/g, '');

/** Cuts between characters as people see them, so that no emoji loses a part. */
function truncate(name: string): string {
  let kept = '';
  let bytes = 0;
  for (const { segment } of graphemes.segment(name)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxNameBytes) break;
    kept += segment;
  }
  return kept;
}
