import { expect } from 'chai';
import { formatInterruption } from '../../../scripts/demo/demo-messages.ts';

describe('the message of an interrupted demo', () => {
  const url = 'http://localhost:3000';
  const sent = { lines: 1_200, entries: 1_200, skipped: 0 };
  const scenario = { id: '7f', name: 'Demo', isRunning: true };

  it('says how to stop a scenario that still runs', () => {
    expect(formatInterruption(url, scenario, sent, undefined)).to.equal(
      'Interrupted after 1,200 lines. The scenario "Demo" is still running; stop it with:\n' +
        '  curl -X POST http://localhost:3000/api/v1/scenarios/7f/stop',
    );
  });

  it('does not claim that a scenario runs which was stopped, or was not created', () => {
    const stopped = { ...scenario, isRunning: false };
    expect(formatInterruption(url, stopped, sent, undefined)).to.equal(
      'Interrupted before all reports were saved. The scenario "Demo" is stopped.',
    );
    expect(formatInterruption(url, undefined, sent, undefined)).to.equal('Interrupted before any line was sent.');
  });
});
