import { expect } from 'chai';
import { type Arrival, type SimulatedMapping, simulatePipeline } from './simulate-pipeline.ts';

const mapping: SimulatedMapping = { batchSize: 10, windowSeconds: 0, entriesPerCall: 50 };

/** Entries of 200 bytes at these seconds. */
const at = (...seconds: number[]): Arrival[] =>
  seconds.map((second) => ({ at: second * 1_000, sizeBytes: 200, level: 'info' }));
const repeated = (count: number, second: number) => at(...Array<number>(count).fill(second));

function simulate(arrivals: readonly Arrival[], changes: Partial<SimulatedMapping> = {}) {
  return simulatePipeline(arrivals, 3_600_000, { ...mapping, ...changes });
}

describe('the simulated pipeline', () => {
  it('polls an empty queue every 20 seconds by each of five pollers', () => {
    // Four of them begin their first poll after 4, 8, 12 and 16 seconds.
    expect(simulate([])).to.deep.equal({
      receives: 0,
      emptyReceives: 180 + 4 * 179,
      invocations: 0,
      deletes: 0,
      calls: 0,
      errorCalls: 0,
    });
  });

  it('receives and deletes at most ten messages at once', () => {
    expect(simulate(repeated(25, 100))).to.include({ receives: 3, invocations: 3, deletes: 3, calls: 3 });
    const gathered = simulate(repeated(25, 100), { batchSize: 50, windowSeconds: 1 });
    expect(gathered).to.include({ receives: 3, invocations: 1, deletes: 3, calls: 1 });
  });

  it('bills a receive for each started 64 KiB', () => {
    const large = repeated(10, 100).map((arrival) => ({ ...arrival, sizeBytes: 20_000 }));
    expect(simulate(large)).to.include({ receives: 4, invocations: 1 });
  });

  it('begins a window at the first message after the window before', () => {
    const arrivals = at(100, 105, 119, 120, 139, 200);
    expect(simulate(arrivals, { windowSeconds: 20 })).to.include({ receives: 6, invocations: 3 });
  });

  it('begins a window after a batch that is full before its window ends', () => {
    const arrivals = [...repeated(10, 100), ...at(115, 125)];
    expect(simulate(arrivals, { windowSeconds: 20 })).to.include({ invocations: 2 });
    expect(simulate(arrivals, { windowSeconds: 20, hasFixedWindows: true })).to.include({ invocations: 3 });
  });

  it('begins a window when the one before ends, where windows are adjacent', () => {
    const arrivals = at(10, 119, 121);
    expect(simulate(arrivals, { windowSeconds: 20 })).to.include({ invocations: 2 });
    expect(simulate(arrivals, { windowSeconds: 20, hasAdjacentWindows: true })).to.include({ invocations: 3 });
  });

  it('begins adjacent windows anew after a batch that is full', () => {
    const arrivals = [...repeated(10, 115), ...at(119, 121)];
    expect(simulate(arrivals, { windowSeconds: 20, hasAdjacentWindows: true })).to.include({ invocations: 2 });
  });

  it('runs a batch before its payload exceeds 6 MiB with 1,024 bytes for each message', () => {
    const payload = 6 * 1_024 * 1_024;
    const withSize = (sizeBytes: number) => repeated(6, 100).map((arrival) => ({ ...arrival, sizeBytes }));
    const window = { batchSize: 50, windowSeconds: 1 };
    expect(simulate(withSize(payload / 6 - 1_024), window)).to.include({ invocations: 1 });
    expect(simulate(withSize(payload / 6 - 1_023), window)).to.include({ invocations: 2 });
  });

  it('has no call that spans two invocations', () => {
    const errors = repeated(100, 100).map(
      (arrival, index): Arrival => ({ ...arrival, level: index % 25 === 0 ? 'error' : 'info' }),
    );
    const usage = simulate(errors, { batchSize: 50, windowSeconds: 1, entriesPerCall: 20 });
    expect(usage).to.include({ invocations: 2, calls: 6, errorCalls: 2 });
  });

  it('gathers a batch for each poller, where pollers gather for themselves', () => {
    const arrivals = at(100, 101, 102, 103, 104, 105);
    const window = { batchSize: 50, windowSeconds: 20 };
    expect(simulate(arrivals, window)).to.include({ invocations: 1 });
    expect(simulate(arrivals, { ...window, gathersByPoller: true })).to.include({ invocations: 5 });
  });
});
