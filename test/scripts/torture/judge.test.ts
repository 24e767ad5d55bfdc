import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Action, AttemptLine, FinalLine, HistoryLine } from '../../../scripts/torture/history.ts';
import { judge } from '../../../scripts/torture/judge/judge.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** An attempt: when it was sent and answered, with which status, and what it read. */
type Attempt = [sentAt: number, endedAt: number, status: number | null, seen?: number, pending?: number];

interface Sent {
  action: Action;
  isKeyed?: boolean;
  attempts: Attempt[];
}

/** Builds a history of operations, with the final reads of a run that has kept its promises. */
function historyOf(operations: readonly Sent[], stored: readonly string[] = []): HistoryLine[] {
  const attempts = operations.flatMap(({ action, isKeyed = false, attempts: own }, operation) =>
    own.map(([sentAt, endedAt, status, seen, pending], index): AttemptLine => {
      const request = `request ${operation}.${index}`;
      const times = { sentAt, endedAt, status, hasRetryAfter: status === 503 };
      const read = { ...(seen === undefined ? {} : { seen }), ...(pending === undefined ? {} : { pending }) };
      return { type: 'attempt', operation, request, isKeyed, action, ...times, ...read };
    }),
  );
  const changes = attempts.filter(({ action, status }) => action.kind === 'start' && status === 200);
  return [
    ...attempts,
    { type: 'final', what: 'leftovers', names: [] },
    { type: 'final', what: 'entries', scenario: 's', counted: stored.length, hashes: stored.map(hash) },
    { type: 'final', what: 'audit', isValid: true, records: chainOf(...changes.map(({ request }) => request)) },
  ];
}

const chainOf = (...requests: string[]) =>
  requests.map((request, index) => ({
    request,
    type: 'SCENARIO_UPDATED',
    seq: index + 1,
    hash: `hash ${index + 1}`,
    previousHash: index === 0 ? '0'.repeat(64) : `hash ${index}`,
    isInterrupted: false,
  }));

function final<What extends FinalLine['what']>(lines: HistoryLine[], what: What): Extract<FinalLine, { what: What }> {
  const found = lines.find((line) => line.type === 'final' && line.what === what);
  return (found ?? expect.fail(what)) as Extract<FinalLine, { what: What }>;
}

/** Plants a chain of the records of operations. */
const withChain =
  (...operations: number[]) =>
  (lines: HistoryLine[]) =>
    Object.assign(final(lines, 'audit'), { records: chainOf(...operations.map((one) => `request ${one}.0`)) });

const entries = (prefix: string, promise: 'accepted' | 'counted' = 'counted', count = 1): Action => ({
  kind: 'entries',
  scenario: 's',
  prefix,
  count,
  promise,
});
const start: Action = { kind: 'start' };
const count: Action = { kind: 'count', scenario: 's' };

const violationsOf = (...history: Parameters<typeof historyOf>) => judge(historyOf(...history)).violations;

describe('the judge of a torture run', () => {
  it('explains the loss of acknowledged entries by no fault', () => {
    for (const promise of ['accepted', 'counted'] as const) {
      for (const status of [200, 202]) {
        const lines = historyOf([{ action: entries('a', promise), attempts: [[50, 60, status]] }]);
        lines.push({ type: 'fault', name: 'FLUSHALL', from: 100, to: 101 });
        expect(judge(lines).violations[0]).to.match(/is lost, and was acknowledged/);
      }
    }
  });

  it('lets an unanswered request store its entries once, and again for each attempt without a key', () => {
    const attempts: Attempt[] = [
      [1, 2, null],
      [3, 4, 503],
      [5, 6, 200],
    ];
    const stored = ['a 0', 'a 0', 'a 0'];
    expect(violationsOf([{ action: entries('a'), attempts }], stored)).to.deep.equal([]);
    const keyed = { action: entries('a'), isKeyed: true, attempts };
    expect(violationsOf([keyed], stored)[0]).to.match(/stored 3 times, at most 1 is possible/);
    expect(violationsOf([{ action: entries('a'), attempts: [[1, 2, null]] }])).to.deep.equal([]);
  });

  it('bounds what metrics count by what had counted or was accepted before, and what was sent', () => {
    const sent = (promise: 'accepted' | 'counted'): Sent => ({
      action: entries('a', promise, 2),
      attempts: [[10, 20, 200]],
    });
    const read = (at: number, seen: number, pending = 0): Sent => ({
      action: count,
      attempts: [[at, at + 1, 200, seen, pending]],
    });
    const stored = ['a 0', 'a 1'];
    for (const seen of [0, 1, 2]) expect(violationsOf([sent('counted'), read(15, seen)], stored)).to.deep.equal([]);
    expect(violationsOf([sent('counted'), read(30, 1, 1)], stored)[0]).to.match(/and 2 had counted before/);
    expect(violationsOf([sent('accepted'), read(30, 1, 1)], stored)).to.deep.equal([]);
    expect(violationsOf([sent('accepted'), read(30, 0, 1)], stored)[0]).to.match(/and 2 were accepted before/);
    expect(violationsOf([sent('counted'), read(5, 1)], stored)[0]).to.match(/and 0 were sent/);
    expect(violationsOf([sent('accepted'), read(30, 2, 1)], stored)[0]).to.match(/and 2 were sent/);
    expect(violationsOf([sent('counted'), read(12, 2), read(15, 1)], stored)[0]).to.match(/counted 1 .* after 2/);
  });

  it('accepts only errors that name a reason of the moment', () => {
    for (const status of [500, 504, 400, 401, 404, 422]) {
      expect(violationsOf([{ action: count, attempts: [[1, 2, status]] }])[0], String(status)).to.contain(`${status}`);
    }
    expect(violationsOf([{ action: count, attempts: [[1, 2, 503]] }])).to.deep.equal([]);
    expect(violationsOf([{ action: count, attempts: [[1, 2, 429]] }])[0]).to.match(/429 {2}without Retry-After/);
  });

  it('does not accept a history that ends before the final reads', () => {
    expect(judge([]).violations).to.have.length(3);
  });

  /** Changes of a history, as a defect of the service would have made them. */
  const defects: Readonly<Record<string, [violation: RegExp, plant: (lines: HistoryLine[]) => unknown]>> = {
    'entries are stored once and count twice': [
      /the metrics of scenario s count 2 entries, and 1 are stored/,
      (lines) => Object.assign(final(lines, 'entries'), { counted: 2 }),
    ],
    'an entry is stored in the scenario of another caller too': [
      /1 entries of scenario another were never sent/,
      (lines) => lines.push({ type: 'final', what: 'entries', scenario: 'another', counted: 1, hashes: [hash('c 0')] }),
    ],
    'a job is stuck': [
      /left two minutes after the end: job 1 in render-csv:active/,
      (lines) => final(lines, 'leftovers').names.push('job 1 in render-csv:active'),
    ],
    'an audit record is dropped': [/audit record 1 is missing/, (lines) => final(lines, 'audit').records.splice(0, 1)],
    'an audit record is dropped and the chain is linked anew': [/has no audit record/, withChain(0)],
    'the sweep appends the record of a request whose record is in the chain': [
      /request request 0.0 has 2 audit records/,
      withChain(0, 1, 0),
    ],
    'a refused change has an audit record': [/has 1 audit records, at most 0 are possible/, withChain(0, 1, 2)],
  };
  for (const [name, [violation, plant]] of Object.entries(defects)) {
    it(`finds a planted defect: ${name}`, () => {
      const lines = historyOf(
        [
          { action: start, attempts: [[1, 2, 200]] },
          { action: start, attempts: [[3, 4, 200]] },
          { action: start, isKeyed: true, attempts: [[5, 6, 503]] },
          { action: entries('c'), isKeyed: true, attempts: [[1, 2, 200]] },
        ],
        ['c 0'],
      );
      // It was refused.
      for (const line of lines) if ('status' in line && line.status === 503) Object.assign(line, { status: 409 });
      expect(judge(lines).violations).to.deep.equal([]);
      plant(lines);
      expect(judge(lines).violations.join('\n')).to.match(violation);
    });
  }
});
