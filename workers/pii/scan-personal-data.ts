import { NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import { type PiiType, piiTypes } from '../../shared/pii/pii-kind.ts';
import { characterClasses } from './character-classes.ts';
import { findEmailAddress } from './email-address.ts';
import type { Finding } from './finding.ts';
import { isEncoded, normalizeText } from './normalize-text.ts';
import { NumberEvaluator } from './number-evaluator.ts';
import { NumberReader, type Scan } from './number-reader.ts';
import { buildShapeTable, type ShapeTable } from './number-shapes.ts';
import { beginText, type ScannedText } from './scanned-text.ts';
import { TextKeywords } from './text-keywords.ts';

const { AT, CLASSES, DIGIT, ENCODED, unitAt } = characterClasses;

const EMAIL_CONFIDENCE = 0.99;

export interface ScannerOptions {
  /** Default: all. */
  kinds?: readonly PiiType[];
  /** Countries of the national ids, ISO 3166-1 alpha-2 in either case. Default: all. */
  countries?: readonly string[];
}

/**
 * Creates a pure function that returns the findings of a text in order and without overlaps. The
 * time is linear in the length of any text. A text that is longer than a message can be is refused
 * with a `RangeError`.
 */
export function createScanner({ kinds = piiTypes, countries }: ScannerOptions = {}): (text: string) => Finding[] {
  const codes = countries === undefined ? undefined : new Set(countries.map((code) => code.toUpperCase()));
  const nationalIds = NATIONAL_IDS.map((nationalId, target) => ({ nationalId, target })).filter(
    ({ nationalId }) => kinds.includes('national_id') && codes?.has(nationalId.country) !== false,
  );
  const scanner = new Scanner(buildShapeTable(nationalIds, kinds.includes('payment_card')), kinds.includes('email'));
  return (text) => scanner.scan(text);
}

class Scanner {
  readonly #includesEmail: boolean;
  readonly #keywords = new TextKeywords();
  readonly #numbers: NumberReader;
  readonly #scan: Scan = { findings: [], lastFindingEnd: 0, isQuotedPrintable: undefined };
  #lastEmailEnd = 0;

  constructor(shapes: ShapeTable, includesEmail: boolean) {
    this.#includesEmail = includesEmail;
    this.#numbers = new NumberReader(shapes, new NumberEvaluator(this.#keywords), this.#scan);
  }

  scan(text: string): Finding[] {
    const original = beginText(text);
    if (this.#scanText(original, false)) return this.#scan.findings;
    const normalized = normalizeText(original);
    this.#scanText(beginText(normalized.text), true);
    const { findings } = this.#scan;
    for (const finding of findings) {
      finding.end = normalized.ends[finding.end - 1] as number;
      finding.start = normalized.starts[finding.start] as number;
    }
    return findings;
  }

  /**
   * Scans in one pass. Every finding contains a digit or an `@`, so the scan stops at these only.
   * @returns whether the whole text was scanned; false if it must be normalized first.
   */
  #scanText(text: ScannedText, isNormalized: boolean): boolean {
    this.#scan.findings = [];
    this.#scan.lastFindingEnd = 0;
    this.#scan.isQuotedPrintable = undefined;
    this.#lastEmailEnd = 0;
    this.#keywords.reset();
    let at = 0;
    const { length } = text;
    while (at < length) {
      const characterClass = (CLASSES[unitAt(text, at)] as number) & (DIGIT | AT | ENCODED);
      if (characterClass === 0) {
        // Most characters, in a loop without calls.
        do at++;
        while (at < length && ((CLASSES[unitAt(text, at)] as number) & (DIGIT | AT | ENCODED)) === 0);
      } else if (characterClass === DIGIT) {
        const end = this.#numbers.skipShortNumber(text, at);
        at = end > 0 ? end : this.#numbers.read(text, at, isNormalized);
        if (at < 0) return false;
      } else if (characterClass === AT) at = this.#includesEmail ? this.#readEmailAddress(text, at) : at + 1;
      else if (isNormalized || !isEncoded(text, at)) at++;
      else return false;
    }
    return true;
  }

  /**
   * Adds the e-mail address around the `@` at `at` to the findings, if there is one.
   * @returns where the scan continues.
   */
  #readEmailAddress(text: ScannedText, at: number): number {
    const address = findEmailAddress(text, at, this.#lastEmailEnd);
    if (address === undefined) return at + 1;
    const { start, end } = address;
    // A number within the local part can have been added as a finding.
    const { findings } = this.#scan;
    while (findings.length > 0 && (findings[findings.length - 1] as Finding).end > start) findings.pop();
    findings.push({ type: 'email', start, end, confidence: EMAIL_CONFIDENCE, rule: 'format', scheme: 'email' });
    this.#lastEmailEnd = end;
    this.#scan.lastFindingEnd = end;
    return end;
  }
}
