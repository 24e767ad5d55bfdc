import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { AppError } from '../../../shared/errors.ts';
import { decodeFailure, encodeFailure, PermanentFailure } from '../../../shared/queues/job-failure.ts';

describe('the failure of a job', () => {
  it('is decoded to the same error, with its details', () => {
    const details = [{ field: 'name', error: 'is taken: by\nanother' }];
    const decoded = decodeFailure(encodeFailure(new AppError('CONFLICT', 'Taken: already.', { details })));
    expect(decoded).to.be.instanceOf(AppError);
    expect(decoded).to.deep.include({ code: 'CONFLICT', message: 'Taken: already.', details });
  });

  it('says when to try again if it can succeed later', () => {
    const decoded = decodeFailure(encodeFailure(new AppError('SERVICE_UNAVAILABLE', 'No worker was free.')));
    expect(decoded.headers).to.deep.equal({ 'Retry-After': '2' });
    const named = decodeFailure(
      encodeFailure(new AppError('UPSTREAM_ERROR', 'Busy.', { headers: { 'Retry-After': '60' } })),
    );
    expect(named).to.deep.include({ code: 'UPSTREAM_ERROR', headers: { 'Retry-After': '60' }, details: null });
    const permanent = decodeFailure(encodeFailure(new AppError('UPSTREAM_ERROR', 'Refused.')));
    expect(permanent).to.deep.include({ headers: {}, details: null });
  });

  it('is one readable line for the dashboard', () => {
    expect(encodeFailure(new AppError('NOT_FOUND', 'Scenario x\ndoes not exist.'))).to.equal(
      'NOT_FOUND: Scenario x does not exist.',
    );
  });

  it('is not retried by BullMQ when it is permanent', () => {
    const failure = new PermanentFailure(new AppError('NOT_FOUND', 'Gone.'));
    expect(failure).to.be.instanceOf(UnrecoverableError);
    expect(decodeFailure(failure.message).code).to.equal('NOT_FOUND');
  });

  it('is an internal error when its reason has another origin', () => {
    const reasons = ['job stalled more than allowable limit', 'ENOENT: no such file', 'SECRET_CODE: x', '', undefined];
    for (const reason of reasons)
      expect(decodeFailure(reason)).to.include({ code: 'INTERNAL_ERROR', message: 'The job failed.' });
  });
});
