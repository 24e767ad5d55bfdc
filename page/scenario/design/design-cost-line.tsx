import { formatNumber } from '../../../shared/amounts.ts';
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import type { DesignCost, Designs } from '../../client/responses.ts';
import { Time } from '../../components/amount.tsx';
import { MarkOld } from '../../components/states.tsx';
import { incompleteNote } from '../../format/names.ts';
import { FineAmount } from './fine-amount.tsx';
import { largestSaving, reachesAllEntries, savingSentence } from './savings.ts';
import { nameOfDesign } from './standard-names.ts';
import { isSameDesign } from './tried-designs.ts';

interface DesignCostLineProps {
  readonly own: DesignCost;
  readonly isOld: boolean;
  readonly design: CompleteAssumptions;
  readonly designs: Designs;
}

/**
 * The cost of the shown design, which screen readers announce when it changes, and the savings of
 * others.
 */
export function DesignCostLine({ own, isOld, design, designs: { items, period, basis } }: DesignCostLineProps) {
  const known = items.find(({ assumptions }) => isSameDesign(assumptions, design));
  const ownName = known ? `“${nameOfDesign(known.name)}”` : 'this design';
  const all = largestSaving(own, items);
  const saver = items.find(({ name }) => name === all?.name);
  const leavesOut = saver !== undefined && !reachesAllEntries(saver, levelClasses.length);
  const complete = leavesOut
    ? largestSaving(
        own,
        items.filter((item) => reachesAllEntries(item, levelClasses.length)),
      )
    : null;
  return (
    <MarkOld isOld={isOld}>
      <p class="big-line" role="status">
        {own.month ? (
          <>
            <FineAmount usd={own.month.total} /> a month
            <span class="hint">
              <FineAmount usd={own.cost.total} /> for these entries
            </span>
          </>
        ) : (
          <>
            <FineAmount usd={own.cost.total} /> for these entries
          </>
        )}
        {own.totals.incomplete && <span class="hint">{incompleteNote}</span>}
      </p>
      <p data-testid="saving">
        {savingSentence(all, ownName)}
        {leavesOut &&
          ` Only entries marked ${saver.assumptions.pipeline?.inference.levels.join(' or ')} go to the model then: ${formatNumber(saver.flow.model_entries)} of ${formatNumber(saver.totals.logs)}.`}
        {complete && ` With all entries: ${savingSentence(complete, ownName)}`}
      </p>
      <p class="hint">
        {own.totals.logs === 0 ? (
          'No entries are in this period.'
        ) : (
          <>
            Entries from <Time iso={period.from} /> to <Time iso={period.to} />.
            {own.month
              ? ` ${basis}`
              : ' A month needs entries of more than one second, from which its rate is observed.'}
          </>
        )}
      </p>
    </MarkOld>
  );
}
