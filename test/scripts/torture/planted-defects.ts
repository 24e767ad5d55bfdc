import type { EndedLine, FinalLine, HistoryLine, SentLine } from '../../../scripts/torture/history.ts';

/** A change to a history, as a defect of the service would have made it. */
export interface PlantedDefect {
  readonly name: string;
  readonly violation: RegExp;
  readonly plant: (lines: HistoryLine[]) => void;
}

export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'a proxy acknowledges entries, and does not forward them',
    violation: /is lost, and was acknowledged/,
    plant: (lines) => {
      const { scenario } = final(lines, 'entries');
      const action = { kind: 'entries', scenario, prefix: 'never forwarded', count: 1, promise: 'counted' } as const;
      add(lines, { operation: -1, request: 'never-forwarded', isKeyed: true, action }, { status: 200 });
    },
  },
  {
    name: 'a FLUSHALL loses an accepted entry',
    violation: /"lost with Redis 0" .* is lost, and was acknowledged/,
    plant: (lines) => {
      const { scenario } = final(lines, 'entries');
      const action = { kind: 'entries', scenario, prefix: 'lost with Redis', count: 1, promise: 'accepted' } as const;
      const at = add(lines, { operation: -7, request: 'lost', isKeyed: true, action }, { status: 202 });
      lines.push({ type: 'fault', name: 'FLUSHALL', from: at + 10, to: at + 20 });
    },
  },
  {
    name: 'a read of metrics misses a batch between two of its looks',
    violation: /the metrics of scenario .* with 0 pending, and \d+ were accepted before/,
    plant: (lines) => {
      const entries = final(lines, 'entries');
      const { scenario } = entries;
      const action = { kind: 'entries', scenario, prefix: 'missed', count: 1000, promise: 'accepted' } as const;
      add(lines, { operation: -14, request: 'missed', isKeyed: true, action }, { status: 202 });
      const read = { operation: -15, request: 'read', isKeyed: false, action: { kind: 'count', scenario } } as const;
      add(lines, read, { status: 200, seen: entries.counted, pending: 0 });
    },
  },
  {
    name: 'an insert of entries is doubled',
    violation: /is stored \d+ times, at most \d+ is possible/,
    plant: (lines) => {
      const entries = lines.find(
        (line) => line.type === 'final' && line.what === 'entries' && line.hashes.length > 0,
      ) as Extract<FinalLine, { what: 'entries' }>;
      // More often than any of its attempts can explain.
      for (let copy = 0; copy < 5; copy += 1) entries.hashes.push(entries.hashes[0] ?? '');
      entries.counted += 5;
    },
  },
  {
    name: 'entries are stored once and count twice',
    violation: /the metrics of scenario .* count \d+ entries, and \d+ are stored/,
    plant: (lines) => {
      final(lines, 'entries').counted += 1;
    },
  },
  {
    name: 'the metrics of a scenario fall',
    violation: /the metrics of scenario .* counted 0 entries at .*, after \d+/,
    plant: (lines) => {
      const { scenario } = final(lines, 'entries');
      const action = { kind: 'count', scenario } as const;
      add(lines, { operation: -5, request: 'low-count', isKeyed: false, action }, { status: 200, seen: 0 });
    },
  },
  {
    name: 'an audit record is dropped',
    violation: /audit record \d+ is missing/,
    plant: (lines) => {
      final(lines, 'audit').records.splice(1, 1);
    },
  },
  {
    name: 'an audit record is dropped and the chain is linked anew',
    violation: /has no audit record/,
    plant: (lines) => {
      const audit = final(lines, 'audit');
      audit.records.splice(1, 1);
      audit.records = audit.records.map((record, index) => ({
        ...record,
        seq: index + 1,
        previousHash: audit.records[index - 1]?.hash ?? record.previousHash,
      }));
      const [first] = audit.records;
      if (first) first.previousHash = '0'.repeat(64);
    },
  },
  {
    name: 'a job is stuck',
    violation: /left two minutes after the end: job 1 in render-csv:active/,
    plant: (lines) => {
      final(lines, 'leftovers').names.push('job 1 in render-csv:active');
    },
  },
  {
    name: 'a request gets 500',
    violation: /request failed \(count\) got 500/,
    plant: (lines) => {
      const action = { kind: 'count', scenario: 'any' } as const;
      add(lines, { operation: -6, request: 'failed', isKeyed: false, action }, { status: 500, code: 'INTERNAL_ERROR' });
    },
  },
  {
    name: 'an entry is stored in the scenario of another caller too',
    violation: /1 entries of scenario another were never sent/,
    plant: (lines) => {
      const { hashes } = final(lines, 'entries');
      lines.push({ type: 'final', what: 'entries', scenario: 'another', counted: 1, hashes: hashes.slice(0, 1) });
    },
  },
  {
    name: 'the sweep appends the record of a request whose record is in the chain',
    violation: /request .* has 2 audit records/,
    plant: (lines) => {
      const { records } = final(lines, 'audit');
      const [first] = records;
      if (first) addRecords(lines, [first.request], true);
    },
  },
  {
    name: 'a refused change has an audit record',
    violation: /has 1 audit records, at most 0 are possible/,
    plant: (lines) => {
      const action = { kind: 'start' } as const;
      const sent = { operation: -11, request: 'refused', isKeyed: true, action };
      add(lines, sent, { status: 409, code: 'CONFLICT', hasRetryAfter: true });
      addRecords(lines, ['refused']);
    },
  },
];

function final<What extends FinalLine['what']>(lines: HistoryLine[], what: What): Extract<FinalLine, { what: What }> {
  const found = lines.find((line) => line.type === 'final' && line.what === what);
  if (!found) throw new Error(`The history has no final ${what}.`);
  return found as Extract<FinalLine, { what: What }>;
}

/** Adds an attempt at the end, when no fault is near. @returns when it was sent. */
function add(
  lines: HistoryLine[],
  sent: Pick<SentLine, 'operation' | 'request' | 'isKeyed' | 'action'>,
  ended: Pick<EndedLine, 'status'> & Partial<EndedLine>,
): number {
  const times = lines.flatMap((line) => ('at' in line ? [line.at] : 'to' in line ? [line.to] : []));
  const at = Math.max(...times) + 60_000;
  lines.push({ type: 'sent', at, ...sent }, { type: 'ended', at: at + 1, request: sent.request, ...ended });
  return at;
}

function addRecords(lines: HistoryLine[], requests: readonly string[], isInterrupted = false): void {
  const { records } = final(lines, 'audit');
  for (const request of requests) {
    const last = records.at(-1);
    records.push({
      request,
      type: 'SCENARIO_UPDATED',
      seq: (last?.seq ?? 0) + 1,
      hash: `hash of ${request}`,
      previousHash: last?.hash ?? '0'.repeat(64),
      isInterrupted,
    });
  }
}
