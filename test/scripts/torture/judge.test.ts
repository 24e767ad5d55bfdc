import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Action, FaultLine, HistoryLine } from '../../../scripts/torture/history.ts';
import { judge } from '../../../scripts/torture/judge/judge.ts';
import { plantedDefects } from './planted-defects.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** An attempt: when it was sent and answered, with which status, and what it read. */
type Attempt = [sentAt: number, endedAt: number, status: number | null, seen?: number, pending?: number];

/** Builds a history of operations, with the final reads of a run that has kept its promises. */
function historyOf(
  operations: { action: Action; isKeyed?: boolean; attempts: Attempt[] }[],
  { faults = [], stored = [] }: { faults?: FaultLine[]; stored?: string[] } = {},
): HistoryLine[] {
  const lines: HistoryLine[] = [];
  const changes: string[] = [];
  for (const [operation, { action, isKeyed = false, attempts }] of operations.entries()) {
    for (const [index, [at, endedAt, status, seen, pending]] of attempts.entries()) {
      const request = `request ${operation}.${index}`;
      lines.push({ type: 'sent', at, operation, request, isKeyed, action });
      lines.push({
        type: 'ended',
        at: endedAt,
        request,
        status,
        hasRetryAfter: status === 503,
        ...(seen === undefined ? {} : { seen }),
        ...(pending === undefined ? {} : { pending }),
      });
      if (action.kind === 'start' && status === 200) changes.push(request);
    }
  }
  const records = changes.map((request, index) => ({
    request,
    type: 'SCENARIO_UPDATED',
    seq: index + 1,
    hash: `hash ${index + 1}`,
    previousHash: index === 0 ? '0'.repeat(64) : `hash ${index}`,
    isInterrupted: false,
  }));
  return [
    ...lines,
    ...faults,
    { type: 'final', what: 'leftovers', names: [] },
    { type: 'final', what: 'entries', scenario: 's', counted: stored.length, hashes: stored.map(hash) },
    { type: 'final', what: 'audit', isValid: true, records },
  ];
}

const entries = (prefix: string, promise: 'accepted' | 'counted' = 'counted', count = 1): Action => ({
  kind: 'entries',
  scenario: 's',
  prefix,
  count,
  promise,
});
const start: Action = { kind: 'start' };
const count: Action = { kind: 'count', scenario: 's' };
const flush: FaultLine = { type: 'fault', name: 'FLUSHALL', from: 100, to: 101 };

const violationsOf = (...history: Parameters<typeof historyOf>) => judge(historyOf(...history)).violations;

describe('the judge of a torture run', () => {
  it('explains the loss of acknowledged entries by no fault', () => {
    for (const promise of ['accepted', 'counted'] as const) {
      for (const status of [200, 202]) {
        const operation = { action: entries('a', promise), attempts: [[50, 60, status]] as Attempt[] };
        expect(violationsOf([operation], { faults: [flush] })[0]).to.match(/is lost, and was acknowledged/);
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
    expect(violationsOf([{ action: entries('a'), attempts }], { stored })).to.deep.equal([]);
    const keyed = { action: entries('a'), isKeyed: true, attempts };
    expect(violationsOf([keyed], { stored })[0]).to.match(/stored 3 times, at most 1 is possible/);
    expect(violationsOf([{ action: entries('a'), attempts: [[1, 2, null]] }])).to.deep.equal([]);
  });

  it('bounds what metrics count by what had counted or was accepted before, and what was sent', () => {
    const sent = (promise: 'accepted' | 'counted') => ({
      action: entries('a', promise, 2),
      attempts: [[10, 20, 200]] as Attempt[],
    });
    const read = (at: number, seen: number, pending = 0) => ({
      action: count,
      attempts: [[at, at + 1, 200, seen, pending]] as Attempt[],
    });
    const stored = ['a 0', 'a 1'];
    for (const seen of [0, 1, 2]) expect(violationsOf([sent('counted'), read(15, seen)], { stored })).to.deep.equal([]);
    expect(violationsOf([sent('counted'), read(30, 1, 1)], { stored })[0]).to.match(/and 2 had counted before/);
    expect(violationsOf([sent('accepted'), read(30, 1, 1)], { stored })).to.deep.equal([]);
    expect(violationsOf([sent('accepted'), read(30, 0, 1)], { stored })[0]).to.match(/and 2 were accepted before/);
    expect(violationsOf([sent('counted'), read(5, 1)], { stored })[0]).to.match(/and 0 were sent/);
    expect(violationsOf([sent('accepted'), read(30, 2, 1)], { stored })[0]).to.match(/and 2 were sent/);
    expect(violationsOf([sent('counted'), read(12, 2), read(15, 1)], { stored })[0]).to.match(/counted 1 .* after 2/);
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

  for (const { name, violation, plant } of plantedDefects) {
    it(`finds a planted defect: ${name}`, () => {
      const register: Action = { kind: 'create', collection: 'users', name: 'admin@example.com' };
      const lines = historyOf(
        [
          { action: start, attempts: [[1, 2, 200]] },
          { action: start, attempts: [[3, 4, 200]] },
          { action: entries('c'), isKeyed: true, attempts: [[1, 2, 200]] },
          { action: count, attempts: [[5, 6, 200, 1]] },
        ],
        { stored: ['c 0'] },
      );
      lines.unshift(
        { type: 'sent', at: 0, operation: 100, request: 'register', isKeyed: true, action: register },
        { type: 'ended', at: 0.5, request: 'register', status: 201 },
      );
      for (const line of lines) {
        if (line.type !== 'final' || line.what !== 'audit') continue;
        const last = { seq: 3, request: 'register', type: 'USER_CREATED', hash: 'hash 3', previousHash: 'hash 2' };
        line.records.push({ ...last, isInterrupted: false });
      }
      expect(judge(lines).violations).to.deep.equal([]);
      plant(lines);
      expect(judge(lines).violations.join('\n')).to.match(violation);
    });
  }
});
