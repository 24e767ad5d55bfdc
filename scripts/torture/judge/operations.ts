import type { Action, FinalLine, HistoryLine } from '../history.ts';

export interface Attempt {
  readonly request: string;
  readonly sentAt: number;
  /** Infinity without a response: the attempt can still take effect. */
  readonly endedAt: number;
  readonly status: number | null;
  readonly code: string | undefined;
  readonly hasRetryAfter: boolean;
  readonly seen: number | undefined;
  readonly pending: number | undefined;
}

export interface Operation<Kind extends Action = Action> {
  readonly id: number;
  readonly isKeyed: boolean;
  readonly action: Kind;
  /** In the order in which they were sent. */
  readonly attempts: Attempt[];
}

/** Everything that the judge knows of a run. */
export interface Evidence {
  readonly operations: readonly Operation[];
  readonly finals: readonly FinalLine[];
}

/** The findings of a part of the judge. */
export class Verdict {
  /** Sentences: each is a broken promise. */
  readonly violations: string[] = [];
  /** Numbers of what was checked, and of what a fault explains. */
  readonly counts: Record<string, number> = {};

  constructor(...counted: string[]) {
    for (const name of counted) this.counts[name] = 0;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }
}

/** The attempt was carried out. */
export const isAcknowledged = ({ status }: Attempt) => status !== null && status < 300;
/** The attempt was refused, and has changed nothing. */
export const isRefused = ({ status }: Attempt) => status !== null && status >= 400 && status < 500;
/** The attempt can have been carried out, or still be. */
export const isUnknown = (attempt: Attempt) => !isAcknowledged(attempt) && !isRefused(attempt);
const canHaveEffect = (attempt: Attempt) => !isRefused(attempt);

export const isDone = ({ attempts }: Operation) => attempts.some(isAcknowledged);

/** How often an operation can have been carried out at most. */
export function maxEffects({ isKeyed, attempts }: Operation): number {
  const count = attempts.filter(canHaveEffect).length;
  return isKeyed ? Math.min(1, count) : count;
}

export const ofKind = <Kind extends Action['kind']>(operations: readonly Operation[], kind: Kind) =>
  operations.filter(
    (operation): operation is Operation<Extract<Action, { kind: Kind }>> => operation.action.kind === kind,
  );

export const finalsOf = <What extends FinalLine['what']>(finals: readonly FinalLine[], what: What) =>
  finals.filter((line): line is Extract<FinalLine, { what: What }> => line.what === what);

export function readEvidence(lines: readonly HistoryLine[]): Evidence {
  const ended = new Map(lines.filter((line) => line.type === 'ended').map((line) => [line.request, line]));
  const operations = new Map<number, Operation>();
  for (const line of lines) {
    if (line.type !== 'sent') continue;
    const { operation: id, action, isKeyed, request, at } = line;
    const operation = operations.get(id) ?? { id, action, isKeyed, attempts: [] };
    operations.set(id, operation);
    const end = ended.get(request);
    const hasResponse = end !== undefined && end.status !== null;
    operation.attempts.push({
      request,
      sentAt: at,
      endedAt: hasResponse ? end.at : Number.POSITIVE_INFINITY,
      status: end?.status ?? null,
      code: end?.code,
      hasRetryAfter: end?.hasRetryAfter ?? false,
      seen: end?.seen,
      pending: end?.pending,
    });
  }
  return {
    operations: [...operations.values()],
    finals: lines.filter((line) => line.type === 'final'),
  };
}

export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
