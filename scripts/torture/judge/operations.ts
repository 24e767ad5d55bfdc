import type { Action, AttemptLine, FinalLine, HistoryLine } from '../history.ts';

export interface Operation<Kind extends Action = Action> {
  readonly id: number;
  readonly isKeyed: boolean;
  readonly action: Kind;
  /** In the order in which they were sent. */
  readonly attempts: AttemptLine[];
}

/** Everything that the judge knows of a run, and its findings. */
export interface Case {
  readonly operations: readonly Operation[];
  readonly finals: readonly FinalLine[];
  /** Sentences: each is a broken promise. */
  readonly violations: string[];
  /** Numbers of what was checked, and of what a fault explains. */
  readonly counts: Record<string, number>;
}

export function readCase(lines: readonly HistoryLine[]): Case {
  const attempts = lines.filter((line) => line.type === 'attempt').toSorted((one, other) => one.sentAt - other.sentAt);
  const operations = [...groupBy(attempts, ({ operation }) => operation)].map(([id, own]) => {
    const { isKeyed, action } = own[0] as AttemptLine;
    return { id, isKeyed, action, attempts: own };
  });
  return { operations, finals: lines.filter((line) => line.type === 'final'), violations: [], counts: {} };
}

export function count({ counts }: Case, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

/** The attempt was carried out. */
export const isAcknowledged = ({ status }: AttemptLine) => status !== null && status < 300;
/** The attempt was refused, and has changed nothing. */
export const isRefused = ({ status }: AttemptLine) => status !== null && status >= 400 && status < 500;
/** The attempt can have been carried out, or still be. */
export const isUnknown = (attempt: AttemptLine) => !isAcknowledged(attempt) && !isRefused(attempt);
const canHaveEffect = (attempt: AttemptLine) => !isRefused(attempt);

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

export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
