import { expect } from 'chai';
import { CommandError, toCommandError } from '../src/errors.ts';

describe('document store: errors', () => {
  it('a full disk is reported with the error code of MongoDB', () => {
    for (const message of ['No space left on device: Attempting to write page at position 1', 'Input/output error']) {
      expect(toCommandError(new Error(message))).to.include({ code: 14031, codeName: 'OutOfDiskSpace', message });
    }
    expect(toCommandError(new Error('any other')).codeName).to.equal('InternalError');
    const refusal = new CommandError('BadValue', 'refused');
    expect(toCommandError(refusal)).to.equal(refusal);
  });
});
