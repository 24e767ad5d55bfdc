import { type CodeUnits, characters, findShortNumberEnd, findStop } from './characters.ts';
import { findEmailAddress } from './email-address.ts';
import type { Finding } from './finding.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import { isEncodedAt, normalizeText } from './normalize-text.ts';
import { NumberEvaluator } from './number-evaluator.ts';
import { NumberReader } from './number-reader.ts';
import { ShapeTree } from './number-shapes.ts';
import { type PiiType, piiTypes } from './pii-kind.ts';
import { ScannedText } from './scanned-text.ts';

const { AT, CLASSES, DIGIT } = characters;

const EMAIL_CONFIDENCE = 0.99;
/** The zeros after a text: more than the characters between two words of a phrase. */
const END_LENGTH = 6;

export interface ScannerOptions {
  /** Default: all. */
  kinds?: readonly PiiType[];
  /** Countries of the national ids, ISO 3166-1 alpha-2 in either case. Default: all. */
  countries?: readonly string[];
}

/**
 * Creates a pure function that returns the findings of a text in order and without overlaps. The
 * time is linear in the length of any text.
 */
export function createScanner({ kinds = piiTypes, countries }: ScannerOptions = {}): (text: string) => Finding[] {
  const codes = countries === undefined ? undefined : new Set(countries.map((code) => code.toUpperCase()));
  const ids = NATIONAL_IDS.map((id, target) => ({ id, target })).filter(
    ({ id }) => kinds.includes('national_id') && codes?.has(id.country) !== false,
  );
  const numbers = new NumberReader(new ShapeTree(ids, kinds.includes('payment_card')), new NumberEvaluator());
  const scanner = new Scanner(numbers, kinds.includes('email'));
  return (text) => scanner.scan(text);
}

class Scanner {
  readonly #numbers: NumberReader;
  readonly #includesEmail: boolean;
  #units: CodeUnits = new Uint16Array(0);
  #bytes: Buffer = Buffer.alloc(0);

  constructor(numbers: NumberReader, includesEmail: boolean) {
    this.#numbers = numbers;
    this.#includesEmail = includesEmail;
  }

  scan(text: string): Finding[] {
    const findings = this.#scanText(text, false);
    if (findings !== undefined) return findings;
    const normalized = normalizeText(text);
    const inNormalized = this.#scanText(normalized.text, true) ?? [];
    for (const finding of inNormalized) {
      finding.end = normalized.ends[finding.end - 1] as number;
      finding.start = normalized.starts[finding.start] as number;
    }
    return inNormalized;
  }

  /**
   * Copies the code units of the text, and zeros after them, into an array that all texts share.
   */
  #readUnits(text: string): CodeUnits {
    const length = text.length + END_LENGTH;
    if (this.#units.length < length) {
      this.#units = new Uint16Array(length * 2);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    const units = this.#units;
    this.#bytes.write(text, 'utf16le');
    // A call of `fill` takes longer.
    for (let at = text.length; at < length; at++) units[at] = 0;
    return units;
  }

  /**
   * Scans in one pass. Every finding contains a digit or an `@`, so the scan stops at these only.
   * @returns undefined if the text must be normalized first.
   */
  #scanText(text: string, isNormalized: boolean): Finding[] | undefined {
    const units = this.#readUnits(text);
    const scanned = new ScannedText(text, units, isNormalized);
    const { length } = text;
    let lastEmailEnd = 0;
    for (let at = findStop(units, 0); at < length; at = findStop(units, at)) {
      const stop = (CLASSES[units[at] as number] as number) & (DIGIT | AT);
      if (stop === DIGIT) {
        at = findShortNumberEnd(units, at) || this.#numbers.read(scanned, at);
        if (at < 0) return undefined;
      } else if (stop === AT) {
        at = this.#includesEmail ? readEmailAddress(scanned, at, lastEmailEnd) : at + 1;
        if (text.charAt(at - 1) !== '@') lastEmailEnd = at;
      } else if (isNormalized || !isEncodedAt(text, at)) at++;
      else return undefined;
    }
    return scanned.findings;
  }
}

/**
 * Adds the e-mail address around the `@` at `at` to the findings, if there is one.
 * @returns where the scan continues.
 */
function readEmailAddress(scanned: ScannedText, at: number, minStart: number): number {
  const address = findEmailAddress(scanned.text, at, minStart);
  if (address === undefined) return at + 1;
  const { start, end } = address;
  // A number within the local part can have been added as a finding.
  const { findings } = scanned;
  while (findings.length > 0 && (findings.at(-1) as Finding).end > start) findings.pop();
  return scanned.add({ type: 'email', start, end, confidence: EMAIL_CONFIDENCE, rule: 'format', scheme: 'email' });
}
