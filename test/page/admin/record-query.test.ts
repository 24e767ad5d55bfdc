import { expect } from 'chai';
import { recordQuery } from '../../../page/admin/audit/record-query.ts';

const periodOf = (from: string, to: string) => {
  const query = recordQuery({ from, to, page: 1 });
  return [query.from, query.to];
};

describe('the query of audit records', () => {
  it('a period has the whole of both days', () => {
    expect(periodOf('2026-02-28', '2026-02-28')).to.deep.equal([
      '2026-02-28T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });

  it('an end that is not a day is left out', () => {
    for (const text of ['', '1', '2026-02-30', '2026-13-01', '2026-02-28T10:00', '+275760-09-13'])
      expect(periodOf(text, text), text).to.deep.equal([undefined, undefined]);
  });

  it('has a page that the API allows, and the other fields as they are', () => {
    const { page, user_id: userId } = recordQuery({ from: '', to: '', page: 20_000, user_id: '1' });
    expect([page, userId]).to.deep.equal([500, '1']);
  });
});
