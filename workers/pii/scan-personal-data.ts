import { NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import type { PiiType } from '../../shared/pii/pii-kind.ts';
import { characters } from './character-kinds.ts';
import { findEmailAddress } from './email-address.ts';
import type { Finding } from './finding.ts';
import { normalizeText } from './normalize-text.ts';
import { resetContext } from './number-context.ts';
import { createNumberReader, type ScanProgress } from './number-reader.ts';
import { buildShapeTable } from './number-shapes.ts';
import { keepStringMethodsFast } from './string-methods.ts';

const { AT, DIGIT, ENCODED, KINDS } = characters;

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
export function createScanner(options: ScannerOptions = {}): (text: string) => Finding[] {
  keepStringMethodsFast();
  const kinds = options.kinds ?? ['email', 'national_id', 'payment_card'];
  const countries =
    options.countries === undefined ? undefined : new Set(options.countries.map((code) => code.toUpperCase()));
  const rules = NATIONAL_IDS.map((nationalId, target) => ({ nationalId, target })).filter(
    ({ nationalId }) => kinds.includes('national_id') && countries?.has(nationalId.country) !== false,
  );
  const includesEmail = kinds.includes('email');
  const table = buildShapeTable(rules, kinds.includes('payment_card'));
  const progress: ScanProgress = { findings: [], lastFindingEnd: 0 };
  const readNumber = createNumberReader(table, progress);
  let lastEmailEnd = 0;

  /**
   * Scans in one pass. Every finding contains a digit or an `@`, so the scan stops at these only.
   * @returns whether the whole text was scanned; false if it must be normalized first.
   */
  function scanText(text: string, isNormalized: boolean): boolean {
    progress.findings = [];
    progress.lastFindingEnd = 0;
    lastEmailEnd = 0;
    resetContext();
    let at = 0;
    const { length } = text;
    while (at < length) {
      const kind = (KINDS[text.charCodeAt(at)] as number) & (DIGIT | AT | ENCODED);
      if (kind === 0) at++;
      else if (kind === DIGIT) {
        at = readNumber(text, at, isNormalized);
        if (at < 0) return false;
      } else if (kind === AT) at = includesEmail ? readEmailAddress(text, at) : at + 1;
      else if (isNormalized) at++;
      else return false;
    }
    return true;
  }

  /**
   * Adds the e-mail address around the `@` at `at` to the findings, if there is one.
   * @returns where the scan continues.
   */
  function readEmailAddress(text: string, at: number): number {
    const address = findEmailAddress(text, at, lastEmailEnd);
    if (address === undefined) return at + 1;
    // A number within the local part can have been added as a finding.
    const { findings } = progress;
    while (findings.length > 0 && (findings[findings.length - 1] as Finding).end > address.start) findings.pop();
    findings.push({
      type: 'email',
      start: address.start,
      end: address.end,
      confidence: 0.99,
      rule: 'format',
      scheme: 'email',
    });
    lastEmailEnd = address.end;
    progress.lastFindingEnd = address.end;
    return address.end;
  }

  return (text) => {
    if (scanText(text, false)) return progress.findings;
    const normalized = normalizeText(text);
    scanText(normalized.text, true);
    for (const finding of progress.findings) {
      finding.end = normalized.ends[finding.end - 1] as number;
      finding.start = normalized.starts[finding.start] as number;
    }
    return progress.findings;
  };
}
