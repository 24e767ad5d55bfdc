import { expect } from 'chai';
import { captureLog } from '../../support/capture-log.ts';

describe('the log', () => {
  it('lines begin with timestamp, level and message, and then have the ids of the request', () => {
    const { log, lines } = captureLog();
    log.info('stopped');
    log.child({ request_id: 'r' }).warn('request refused', { status: 503, code: 'BUSY' });
    const timestamp = '"timestamp":"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"';
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(new RegExp(`^{${timestamp},"level":"info","message":"stopped","process":"web"}\n$`));
    expect(lines[1]).to.match(
      new RegExp(`^{${timestamp},"level":"warn","message":"request refused","request_id":"r",`),
    );
    expect(JSON.parse(lines[1] ?? '')).to.include({ status: 503, code: 'BUSY', process: 'web' });
  });
});
