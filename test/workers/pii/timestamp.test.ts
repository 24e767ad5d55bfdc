import { expect } from 'chai';
import { NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import { CARD_SHAPES } from '../../../workers/pii/payment-card.ts';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';
import { beginText } from '../../../workers/pii/scanned-text.ts';
import { findTimestampEnd } from '../../../workers/pii/timestamp.ts';

describe('Timestamps', () => {
  const scan = createScanner();

  for (const timestamp of [
    '2026-11-26T10:15:32',
    '2026-11-26T10:15:32Z',
    '2026-11-26T10:15:32.123456789+02:00',
    '2026-11-26 10:15:32,747',
    '2026-11-26T10:15:32.5-0500',
  ]) {
    it(`Reads ${timestamp} as a whole.`, () => {
      for (const rest of ['', ' INFO', '] x', '"', ',x'])
        expect(findTimestampEnd(beginText(timestamp + rest), 0)).to.equal(timestamp.length);
    });
  }

  it('Reads no other digits as a timestamp.', () => {
    for (const text of [
      '2026-11-26',
      '2026-11-26T10:15',
      '2026-11-26T10:15:3x',
      '2026-11-26T10:15:32.1234567890',
      '2026-1a-26T10:15:32',
    ])
      expect(findTimestampEnd(beginText(text), 0), text).to.equal(0);
  });

  it('Leaves a group that can continue to the reader of numbers.', () => {
    for (const text of ['2026-11-26T10:15:32 44 05', '2026-11-26T10:15:32@example.com', '2026-11-26T10:15:32%20'])
      expect(findTimestampEnd(beginText(text), 0), text).to.equal(0);
  });

  it('Has no shape of an id or a card in it.', () => {
    const forms = [...NATIONAL_IDS.flatMap(({ shapes }) => Object.values(shapes).flat()), ...CARD_SHAPES];
    for (const form of forms) expect(form).not.to.match(/(?:^|a.)4-2(?!\d)|^2[-.+]\d+x?(?:[-+][24])?$|^[34]x$/u);
  });

  it('Reads a number in the field after a timestamp.', () => {
    for (const text of [
      '2026-11-26 10:15:32,44051401359 pesel',
      '2026-11-26T10:15:32Z pesel 44051401359',
      '2026-11-26 10:15:32,747 pesel 44051401359',
    ])
      expect(scan(text), text).to.have.lengthOf(1);
  });

  it('Reads the groups around a short number with a time after it.', () => {
    for (const text of [
      'Jun 14 15:16:01 pesel 44051401359',
      'at 9 10: pesel 44051401359',
      'JUN 09 06:07 2005] pesel 44051401359',
    ])
      expect(scan(text), text).to.have.lengthOf(1);
    expect(scan('NINO AB 12 34 56 C')).to.have.lengthOf(1);
  });
});
