import { expect } from 'chai';
import { scaleCounters } from '../../../shared/cost/integers.ts';
import { convertUsage } from '../../../shared/cost/terms.ts';
import { AppError } from '../../../shared/errors.ts';
import { billedMs } from '../../../shared/metering/meter-entry.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { queueRequests } from '../../../shared/usage/queue-requests.ts';
import { emptyUsage, type UsageTotals } from '../../../shared/usage/stored-hour.ts';
import { sumUsage } from '../../support/merge-hours.ts';
import { buildEntryUsage, usageOfEntries } from './build-usage.ts';

const sizes = [0, 1, 65_536, 65_537, 200_000, 262_144];
const durations = [0.01, 1, 127.4, 900_000];

interface Settings {
  type: 'standard' | 'fifo';
  requestsPerMessage: number;
  memoryMb: number;
  architecture: 'x86_64' | 'arm64';
}

const own: Settings = { type: 'standard', requestsPerMessage: 3, memoryMb: 512, architecture: 'x86_64' };
const counted = applyDefaults({ queue: { type: own.type, requests_per_message: 3 }, function: { memory_mb: 512 } });

const changed = ({ queue, function: fn }: Assumptions) =>
  applyDefaults({ queue: { ...counted.queue, ...queue }, function: { ...counted.function, ...fn } });

/** The usage of the same entries under any settings. */
function usageUnder({ type, requestsPerMessage, memoryMb, architecture }: Settings): UsageTotals {
  const entries = sizes.flatMap((size) =>
    durations.map((duration) => ({
      usage: buildEntryUsage({
        sizeBytes: size,
        queueType: type,
        queueRequests: queueRequests(size, requestsPerMessage),
        architecture,
        memoryMb,
        mbMs: memoryMb * billedMs(duration),
      }),
    })),
  );
  return sumUsage(usageOfEntries(entries));
}

/** Twice the counters, each as a bigint. */
const exact = (usage: UsageTotals) => scaleCounters(usage, { times: 2n, over: 1n });

describe('usage under other assumptions', () => {
  const cases: Record<string, [Assumptions, Partial<Settings>]> = {
    'nothing changed': [{}, {}],
    'one request per message': [{ queue: { requests_per_message: 1 } }, { requestsPerMessage: 1 }],
    'two requests per message': [{ queue: { requests_per_message: 2 } }, { requestsPerMessage: 2 }],
    'a hundred requests per message': [{ queue: { requests_per_message: 100 } }, { requestsPerMessage: 100 }],
    'another queue type': [{ queue: { type: 'fifo' } }, { type: 'fifo' }],
    'another memory size': [{ function: { memory_mb: 10_240 } }, { memoryMb: 10_240 }],
    'a smaller memory size': [{ function: { memory_mb: 129 } }, { memoryMb: 129 }],
    'another architecture': [{ function: { architecture: 'arm64' } }, { architecture: 'arm64' }],
    'everything at once': [
      { queue: { type: 'fifo', requests_per_message: 7 }, function: { memory_mb: 1_769, architecture: 'arm64' } },
      { type: 'fifo', requestsPerMessage: 7, memoryMb: 1_769, architecture: 'arm64' },
    ],
  };
  for (const [name, [changes, settings]] of Object.entries(cases)) {
    it(`usage is that of the same entries: ${name}`, () => {
      const converted = convertUsage(usageUnder(own), counted, changed(changes));
      expect(exact(converted)).to.deep.equal(exact(usageUnder({ ...own, ...settings })));
    });
  }

  it('no usage stays none under other assumptions', () => {
    const changes: Assumptions = {
      queue: { type: 'fifo', requests_per_message: 7 },
      function: { architecture: 'arm64' },
    };
    expect(convertUsage(emptyUsage(), counted, changed(changes))).to.deep.equal(emptyUsage());
  });

  it('keeps the counters of entries with settings of their own, unless these are to change', () => {
    const arm64 = { invocations: 3n, mbMs: 2_048n };
    const functions = { x86_64: { invocations: 2n, mbMs: 1_025n, otherMemoryInvocations: 1n }, arm64 };
    const usage = { ...emptyUsage(), logs: 2n, queues: { standard: 3n, fifo: 3n }, functions };
    expect(convertUsage(usage, counted, counted)).to.deep.equal(usage);
    const other = changed({ function: { architecture: 'arm64' }, queue: { type: 'fifo' } });
    expect(convertUsage(usage, counted, other)).to.deep.include({
      queues: { fifo: 6n },
      functions: { arm64: { invocations: 5n, mbMs: 3_073n, otherMemoryInvocations: 1n } },
    });
    const larger = changed({ function: { memory_mb: 1_024 } });
    expect(() => convertUsage(usage, counted, larger))
      .to.throw(AppError)
      .that.includes({ code: 'INVALID_STATE' });
    expect(() => convertUsage({ ...usage, functions: { arm64 } }, counted, larger)).to.not.throw();
  });
});
