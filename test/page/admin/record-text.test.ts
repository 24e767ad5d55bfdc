import { expect } from 'chai';
import { detailsOf, outcomeOf } from '../../../page/admin/audit/record-text.ts';
import type { AuditVerification } from '../../../page/client/responses.ts';

const nameOf = (id: string) => (id === '1' ? 'joe@example.com' : id);
const intact: AuditVerification = {
  valid: true,
  checked: 3,
  first_broken_seq: null,
  fault: null,
  next_seq: null,
  head: { seq: 3, hash: 'a'.repeat(64) },
  end_checked: true,
};

describe('audit records in words', () => {
  it('the text of a record names the account that was changed, and what of it', () => {
    expect(detailsOf({ details: { target_id: '1', fields: ['role', 'disabled'] } }, nameOf)).to.deep.equal([
      'joe@example.com',
      'changed: role, whether it is disabled',
    ]);
    const transfer = { target_id: '2', fields: ['owned_resources'], new_owner_id: '1' };
    expect(detailsOf({ details: transfer }, nameOf).join(' · ')).to.equal(
      '2 · changed: the owner of its resources · now owned by joe@example.com',
    );
  });

  it('the text of a bulk deletion says how many scenarios it deleted, also none', () => {
    const details = { action: 'bulk_delete', requested: 3, deleted: 0, failed: 3, scenario_ids: [] } as const;
    expect(detailsOf({ details: { ...details, scenario_ids: [] } }, nameOf)).to.deep.equal([
      '0 of 3 deleted in one request',
    ]);
  });

  it('a record without details has no parts of text', () => {
    expect(detailsOf({ details: {} }, nameOf)).to.deep.equal([]);
  });
});

describe('the outcome of a verification in words', () => {
  it('counts the intact records of all portions', () => {
    expect(outcomeOf(intact, 4_003)).to.contain('All 4,003 records are intact');
    expect(outcomeOf({ ...intact, checked: 0 }, 0)).to.equal('There are no records yet.');
  });

  it('claims no more than an unbroken chain where the end was not checked', () => {
    expect(outcomeOf({ ...intact, end_checked: false }, 3)).to.equal(
      'The chain of 3 records is unbroken. Its end could not be checked.',
    );
  });

  it('names the first broken record and what is wrong with it', () => {
    const broken = { ...intact, valid: false, first_broken_seq: 1_234, fault: 'changed' } as const;
    expect(outcomeOf(broken, 1_233)).to.equal(
      'Record 1,234 was changed after it was written. The 1,233 records before it are intact.',
    );
  });

  it('does not claim that records are intact which can have been computed anew', () => {
    const replaced = { ...intact, valid: false, first_broken_seq: 1_234, fault: 'replaced' } as const;
    expect(outcomeOf(replaced, 1_233)).to.equal(
      'Record 1,234 is not the one that was noted: the records up to it can have been computed anew.',
    );
  });
});
