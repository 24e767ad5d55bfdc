import { expect } from 'chai';
import type { Finding } from '../../../workers/pii/finding.ts';
import { redactedPreview } from '../../../workers/pii/redact.ts';

describe('redactedPreview of unusual texts', () => {
  it('redactedPreview counts each unpaired surrogate as a character', () => {
    const rows: readonly [text: string, length: number, preview: string][] = [
      ['\ud83dabc', 2, '\ud83da'],
      ['\ud83d\ue000b', 1, '\ud83d'],
      ['\ud83d\ufb01b', 1, '\ud83d'],
      ['😀a\ude00b', 2, '😀a'],
      ['😀\ude00ab', 3, '😀\ude00a'],
      ['😀\udc00\udc00a', 2, '😀\udc00'],
      ['\u{10000}ab', 1, '\u{10000}'],
      ['\u{10ffff}ab', 2, '\u{10ffff}a'],
    ];
    expect(rows.map(([text, length]) => redactedPreview(text, [], length))).to.deep.equal(
      rows.map(([, , preview]) => preview),
    );
  });

  it('redactedPreview names no country for a national id without one', () => {
    const finding: Finding = {
      type: 'national_id',
      start: 3,
      end: 6,
      confidence: 1,
      rule: 'context',
      scheme: 'us_ssn',
    };
    expect(redactedPreview('id 123 ok', [finding], 100)).to.equal('id [NATIONAL_ID] ok');
  });
});
