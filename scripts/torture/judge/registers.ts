import type { FaultLine } from '../history.ts';
import { type Attempt, type Evidence, groupBy, isAcknowledged, isRefused, ofKind, Verdict } from './operations.ts';

/** The value before the first write. */
export const initialValue = '';

/** How long a cached read can be outdated if Redis was unreachable for the process that wrote. */
const staleMs = 11_000;

interface Access {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly isWrite: boolean;
}

/**
 * Every register is linearizable: its reads and writes can be put in an order in which each read
 * has the value of the write before it, and an access that ended before another began precedes it.
 * Each value is written once, so that the zones of Gibbons and Korach decide (Testing shared
 * memories, 1997). A write without a response can have taken effect at any later time, or never.
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
  for (const [register, own] of groupBy([...writes, ...reads], (access) => access.register)) {
    const reason = findContradiction(own);
    if (reason === undefined) continue;
    const certain = own.filter((access) => access.isWrite || !faults.some((fault) => canBeStale(fault, access)));
    const certainReason = findContradiction(certain);
    if (certainReason !== undefined) verdict.violations.push(`${register} is not linearizable: ${certainReason}`);
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

/** @returns why the accesses of a register have no order; undefined if they have one. */
function findContradiction(accesses: readonly Access[]): string | undefined {
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
    // If its response is missing and no read has returned it, the write may have failed.
    if (cluster.length > 1 || Number.isFinite(write.to))
      zones.push({ name, isForward, from: Math.min(firstEnd, lastStart), to: Math.max(firstEnd, lastStart) });
  }
  const forward = zones.filter(({ isForward }) => isForward).sort((one, other) => one.from - other.from);
  for (const [index, zone] of forward.entries()) {
    const following = forward[index + 1];
    if (following && following.from < zone.to) return `${zone.name} was read after ${following.name} had replaced it`;
    const inner = zones.find(({ isForward, from, to }) => !isForward && from > zone.from && to < zone.to);
    if (inner) return `${zone.name} was read after ${inner.name} had replaced it`;
  }
  return undefined;
}
