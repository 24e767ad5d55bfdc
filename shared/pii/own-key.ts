// Finds the own key of a number, which is the key directly before it: `key=`, `key: "`.
import { execAt } from './sticky-pattern.ts';

/** A key at text[start, end). */
export interface OwnKey {
  readonly start: number;
  readonly end: number;
}

const KEY_CHARACTER = '[\\w\\u00aa-\\u1fff\\u2c00-\\u2fff\\u3040-\\ufeff.`-]';
/** A key, its delimiter, and what opens the value: `key=[{"`, `["key"] = `, `key::`. */
const OWN_KEY = new RegExp(`(?<=(${KEY_CHARACTER}{1,40})([\\s"'\\\\\\])\`:]{0,4}[=:][\\s"'\`\\\\([{<#>]{0,8}))`, 'y');
const LETTER = /[A-Za-z\u00aa-\uffff]/u;
/** Words in quotes before the last word of a key: `"Aadhaar UID"`. */
const QUOTED_WORDS = /["'](?:[\p{L}\p{M}\d.]+ ){1,4}$/u;
/** The name of the element whose content a number is: `<name>`, `<Data Name="ssn">`. */
const ELEMENT = /(?<=[<:]([\w.-]{1,40})>)|(?<=<\w{1,20}\s[Nn]ame="([\w.-]{1,40})">)/y;

/** Finds the key of the value at `valueStart`. A key has at least one letter. */
export function findOwnKey(text: string, valueStart: number): OwnKey | undefined {
  const found = execAt(OWN_KEY, text, valueStart);
  if (found === null) return undefined;
  const [, key = '', rest = ''] = found;
  if (!LETTER.test(key)) return undefined;
  const end = valueStart - rest.length;
  const start = end - key.length + (key.startsWith('`') ? 1 : 0);
  if (text.charAt(start - 1) !== ' ' || (rest.charAt(0) !== '"' && rest.charAt(0) !== "'")) return { start, end };
  const words = QUOTED_WORDS.exec(text.slice(Math.max(0, start - 40), start))?.[0];
  return { start: words === undefined ? start : start - words.length + 1, end };
}

/** Finds the name of the XML element whose content begins at `valueStart`. */
export function findElementName(text: string, valueStart: number): OwnKey | undefined {
  if (text.charAt(valueStart - 1) !== '>') return undefined;
  const found = execAt(ELEMENT, text, valueStart);
  if (found === null) return undefined;
  const end = valueStart - (found[1] === undefined ? 2 : 1); // `">` or `>`
  return { start: end - (found[1] ?? found[2] ?? '').length, end };
}
