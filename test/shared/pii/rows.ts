import { expect } from 'chai';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';

export const scan = createScanner();

/** The findings of a text as `scheme:text`. */
export function found(text: string): string[] {
  return scan(text).map(({ scheme, start, end }) => `${scheme}:${text.slice(start, end)}`);
}

/** A line and its findings, as `scheme:text`. */
export type Row = readonly [text: string, ...findings: string[]];

/** A test for the lines that justify one rule. */
export function describeRows(rule: string, rows: readonly Row[]): void {
  describe(`createScanner: ${rule}`, () => {
    for (const [text, ...findings] of rows)
      it(`The scanner finds ${findings.join(', ') || 'nothing'} in: ${JSON.stringify(text)}`, () =>
        expect(found(text)).to.deep.equal(findings));
  });
}
