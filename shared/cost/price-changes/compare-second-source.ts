// Sources that are not the vendor. They confirm, dispute, or add a model that the book lacks.
import type { SourceKind } from '../price-sources/price-point.ts';
import type { CompareContext, CompareLine } from './compare-context.ts';
import { type LineComparison, toFinding } from './finding.ts';
import { keyOf, type ReadLine, type Step } from './price-lines.ts';

export const isSecondSource = (source: SourceKind): boolean => source !== 'aws' && source !== 'book';

export const compareSecondSource: CompareLine = (line, context) => {
  const [step] = line.steps;
  if (step === undefined) return { findings: [], refusals: [] };
  if (line.point.newModel !== undefined) return addModelPrice(line, step, context);
  const candidates = findCandidates(line, context);
  const [first] = candidates;
  if (first === undefined) {
    return { findings: [toFinding('extra', line, step, null, 'not added to a known model')], refusals: [] };
  }
  const match = candidates.find(({ amount }) => amount === step.amount);
  if (match !== undefined) {
    return { findings: [toFinding('same', line, step, match.amount, `price of ${match.scope}`)], refusals: [] };
  }
  if (step.amount === '0') {
    const reason = `${keyOf(line)}: the price is zero, the book has ${first.amount}`;
    return { findings: [], refusals: [{ reason, where: line.point.where }] };
  }
  return {
    findings: [toFinding('dispute', line, step, first.amount, `the book's price is of ${first.scope}`)],
    refusals: [],
  };
};

/** The Region of prices that a second source gives without one; docs/prices.md has the reason. */
const unnamedRegion = 'us-east-1';

function addModelPrice(line: ReadLine, step: Step, { read }: CompareContext): LineComparison {
  if (step.amount === '0' && line.kind !== 'output') {
    return { findings: [], refusals: [{ reason: `${keyOf(line)}: the price is zero`, where: line.point.where }] };
  }
  if (line.scope !== 'any') {
    return { findings: [toFinding('addition', line, step, null, 'second source, estimated')], refusals: [] };
  }
  const named = { ...line, scope: unnamedRegion };
  return {
    findings: [
      read.has(keyOf(named))
        ? toFinding('extra', line, step, null, `the source has a price of ${unnamedRegion}`)
        : toFinding('addition', named, step, null, 'second source, estimated'),
    ],
    refusals: [],
  };
}

interface Candidate {
  scope: string;
  amount: string;
}

/** The first Region of the vendor's pages, and the order in which prices are compared. */
const usualScopes = ['us-east-1', 'geo', 'us-west-2', 'us-east-2', 'global'];

/**
 * The prices of the book that a source may mean. A source without Regions means one of those in
 * `usualScopes`; a cross-Region profile means `geo`, or the Regions of its geography.
 */
function findCandidates(line: ReadLine, { book, known }: CompareContext): Candidate[] {
  const amountIn = (scope: string) => known.get(keyOf({ ...line, scope }))?.steps[0]?.amount;
  const own = amountIn(line.scope);
  // The price of a Region comes before that of all Regions.
  if (own !== undefined && line.scope !== 'geo') return [{ scope: line.scope, amount: own }];
  return scopesOf(line, book.regions).flatMap((scope) => {
    const amount = amountIn(scope);
    return amount === undefined ? [] : [{ scope, amount }];
  });
}

function scopesOf({ scope, point }: ReadLine, regions: readonly { code: string; partition: string }[]): string[] {
  if (scope === 'any') return usualScopes;
  if (scope === 'geo') {
    const prefix = point.regionPrefix ?? '';
    const own = regions.filter(
      ({ code, partition }) => code.startsWith(prefix) && (partition === 'aws') === !prefix.startsWith('us-gov'),
    );
    const usual = usualScopes.filter((name) => name !== 'geo' && name !== 'global' && name.startsWith(prefix));
    return ['geo', ...new Set([...usual, ...own.map(({ code }) => code)])];
  }
  const region = regions.find(({ code }) => code === scope);
  return region?.partition === 'aws' ? [scope, 'geo'] : [scope];
}
