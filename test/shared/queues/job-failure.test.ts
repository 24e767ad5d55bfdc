import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { AppError } from '../../../shared/errors.ts';
import { decodeFailure, encodeFailure, PermanentFailure } from '../../../shared/queues/job-failure.ts';

describe('a failure that crosses Redis', () => {
  it('comes back as the error it was, with its details', () => {
    const details = [{ field: 'name', error: 'is taken: by\nanother' }];
    const decoded = decodeFailure(encodeFailure(new AppError('CONFLICT', 'Taken: already.', { details })));
    expect(decoded).to.be.instanceOf(AppError);
    expect(decoded.code).to.equal('CONFLICT');
    expect(decoded.message).to.equal('Taken: already.');
    expect(decoded.details).to.deep.equal(details);
  });

  it('is one readable line on the dashboard', () => {
    expect(encodeFailure(new AppError('NOT_FOUND', 'Scenario x\ndoes not exist.'))).to.equal(
      'NOT_FOUND: Scenario x does not exist.',
    );
  });

  it('tells BullMQ not to try again when it is permanent', () => {
    const failure = new PermanentFailure(new AppError('NOT_FOUND', 'Gone.'));
    expect(failure).to.be.instanceOf(UnrecoverableError);
    expect(decodeFailure(failure.message).code).to.equal('NOT_FOUND');
  });

  it('becomes a plain internal error when the reason is not one of ours', () => {
    const reasons = ['job stalled more than allowable limit', 'ENOENT: no such file', 'SECRET_CODE: x', '', undefined];
    for (const reason of reasons) {
      const decoded = decodeFailure(reason);
      expect(decoded.code).to.equal('INTERNAL_ERROR');
      expect(decoded.message).to.equal('The job failed.');
    }
  });
});
