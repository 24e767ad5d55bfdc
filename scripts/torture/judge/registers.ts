import type { FaultLine } from '../history.ts';
import { type Attempt, type Evidence, groupBy, isAcknowledged, isRefused, ofKind, Verdict } from './operations.ts';

/** The value before the first write. */
export const initialValue = '';

/**
 * How long after a fault of Redis a cached read can be outdated: entries are served for 10 s, and a
 * reply is waited for for 1 s.
 */
const staleMs = 11_000;

interface Access {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly isWrite: boolean;
}

/**
 * Judges whether every register is linearizable: its reads and writes can be put in an order in
 * which each read has the value of the last write before it, and an access that ended before
 * another one began comes first. Each value is written once, so it is enough to compare the zones
 * of the values (Gibbons and Korach, Testing shared memories, 1997). A write without a response may
 * take effect at any later time, or never.
 */
export function judgeRegisters({ operations, faults }: Evidence): Verdict {
  const explained = 'registers with outdated reads that a fault of Redis explains';
  const verdict = new Verdict('reads of registers', explained);
  const writes = ofKind(operations, 'write').flatMap(({ action, attempts }) =>
    attempts
      .filter((attempt) => !isRefused(attempt))
      .map((attempt) => ({ register: action.register, ...toAccess(attempt, action.value, true) })),
  );
  const reads = ofKind(operations, 'read').flatMap(({ action, attempts }) =>
    attempts
      .filter(isAcknowledged)
      .map((attempt) => ({ register: action.register, ...toAccess(attempt, String(attempt.seen), false) })),
  );
  verdict.count('reads of registers', reads.length);
  for (const [register, accesses] of groupBy([...writes, ...reads], (access) => access.register)) {
    const reason = findContradiction(accesses);
    if (reason === undefined) continue;
    const unexplained = accesses.filter(
      (access) => access.isWrite || !faults.some((fault) => canBeStale(fault, access)),
    );
    const remaining = findContradiction(unexplained);
    if (remaining !== undefined) verdict.violations.push(`${register} is not linearizable: ${remaining}`);
    else verdict.count(explained);
  }
  return verdict;
}

const toAccess = (attempt: Attempt, value: string, isWrite: boolean): Access => ({
  value,
  from: attempt.sentAt,
  // A write that failed can still take effect.
  to: isAcknowledged(attempt) ? attempt.endedAt : Number.POSITIVE_INFINITY,
  isWrite,
});

const canBeStale = ({ isRedisUnreachable, from, to }: FaultLine, read: Access) =>
  isRedisUnreachable === true && read.to >= from && read.from <= to + staleMs;

/**
 * The zone of a value lies between the first end and the last start of its accesses. It is forward
 * if the first end comes first: then the register had the value in all of it.
 * @returns why no order of the accesses is possible; undefined if one is.
 */
function findContradiction(accesses: readonly Access[]): string | undefined {
  // Before every access.
  const start: Access = { value: initialValue, from: -2, to: -1, isWrite: true };
  const zones = [];
  for (const [value, cluster] of groupBy([start, ...accesses], (access) => access.value)) {
    const write = cluster.find((access) => access.isWrite);
    const name = JSON.stringify(value);
    if (!write) return `${name} was read and never written`;
    if (cluster.some((access) => access.to < write.from)) return `${name} was read before it was written`;
    const firstEnd = Math.min(...cluster.map(({ to }) => to));
    const lastStart = Math.max(...cluster.map(({ from }) => from));
    const isForward = firstEnd < lastStart;
    // A write without a response whose value no read has returned may have failed: it is left out.
    if (cluster.length > 1 || Number.isFinite(write.to))
      zones.push({ name, isForward, from: Math.min(firstEnd, lastStart), to: Math.max(firstEnd, lastStart) });
  }
  // Two forward zones must not overlap, and no other zone can lie inside one.
  const forward = zones.filter(({ isForward }) => isForward).sort((one, other) => one.from - other.from);
  for (const [index, zone] of forward.entries()) {
    const following = forward[index + 1];
    if (following && following.from < zone.to) return `${zone.name} was read after ${following.name} had replaced it`;
    const inner = zones.find(({ isForward, from, to }) => !isForward && from > zone.from && to < zone.to);
    if (inner) return `${zone.name} was read after ${inner.name} had replaced it`;
  }
  return undefined;
}
