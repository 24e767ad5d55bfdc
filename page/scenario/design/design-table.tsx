import { formatNumber } from '../../../shared/amounts.ts';
import { comparableDesigns, reachesAllEntries } from '../../../shared/cost/cost-sentence.ts';
import { cheapestDesign, descriptionOfDesign, nameOfDesign } from '../../../shared/cost/pipeline/standard-designs.ts';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { Amount } from '../../components/amount.tsx';
import { announce } from '../../components/announcer.tsx';
import { ListTable, numberColumn } from '../../components/table.tsx';
import { incompleteNote, serviceNames } from '../../format/names.ts';
import { CostBar, ServiceLegend } from '../charts/bar.tsx';
import { isSameDesign } from './design-fields.ts';
import { designOf, tryDesign } from './tried-designs.ts';

interface DesignTableProps {
  readonly designs: Designs;
  /** The design that is shown: that of the scenario, or one that is tried. */
  readonly own: DesignCost;
  readonly scenario: Scenario;
}

interface Row extends DesignCost {
  readonly name: string;
  readonly description: string | undefined;
}

/**
 * The scenario as it is, the tried design, and the standard ones that differ from both, each with
 * one bar.
 */
export function DesignTable({ designs: { present, items }, own, scenario }: DesignTableProps) {
  const isKnown = [present, ...items].some(({ assumptions }) => isSameDesign(assumptions, own.assumptions));
  const rows: Row[] = [
    { ...present, name: 'This scenario', description: 'As it is now.' },
    ...(isKnown ? [] : [{ ...own, name: 'Your changes', description: 'Not saved yet.' }]),
    ...items
      .filter(({ assumptions }) => !isSameDesign(assumptions, present.assumptions))
      .map((item) => ({ ...item, name: nameOfDesign(item.name), description: descriptionOfDesign(item.name) })),
  ];
  const hasMonths = rows.every(({ month }) => month !== null);
  const shownCost = ({ month, cost }: Row) => (hasMonths && month ? month : cost);
  const scale = Math.max(...rows.map((row) => Number(shownCost(row).total ?? 0)));
  const cheapest = cheapestDesign(comparableDesigns(present, rows));
  const shown = designOf(scenario);
  const isAllIncomplete = rows.every(({ totals }) => totals.incomplete);
  return (
    <>
      <ServiceLegend names={serviceNames} />
      {isAllIncomplete && <p class="hint">All amounts are {incompleteNote}.</p>}
      <ListTable
        class="designs"
        caption="Designs"
        columns={[
          'Design',
          hasMonths ? 'Per month' : 'These entries',
          ...(hasMonths ? [numberColumn('These entries')] : []),
          numberColumn('Model calls'),
          { name: 'Try', isUnnamed: true },
        ]}
      >
        {rows.map((row) => {
          const { name, description, assumptions, totals, flow } = row;
          const isShown = isSameDesign(assumptions, shown);
          return (
            <tr key={name} class={isShown ? 'own-design' : ''}>
              <th scope="row">
                {name} {name === cheapest && <span class="badge good">cheapest</span>}
                {description && <span class="hint">{description}</span>}
                {!reachesAllEntries(assumptions) && (
                  <span class="hint">
                    {formatNumber(flow.model_entries)} of {formatNumber(totals.logs)} entries go to the model.
                  </span>
                )}
              </th>
              <td data-label={hasMonths ? 'Per month' : 'These entries'} class="share">
                <CostBar cost={shownCost(row)} scale={scale} />
                <b>
                  <Amount usd={shownCost(row).total} />
                </b>
                {totals.incomplete && !isAllIncomplete && <span class="hint">{incompleteNote}</span>}
              </td>
              {hasMonths && (
                <td data-label="These entries" class="number">
                  <Amount usd={row.cost.total} />
                </td>
              )}
              <td data-label="Model calls" class="number">
                {formatNumber(totals.inference_calls ?? flow.model_entries)}
              </td>
              <td>
                {/* The pressed button keeps the focus. */}
                <button
                  type="button"
                  aria-label={isShown ? `Shown: ${name}` : `Try ${name}`}
                  aria-disabled={isShown}
                  onClick={() => {
                    if (isShown) return;
                    tryDesign(assumptions);
                    announce(`The design is now “${name}”.`);
                  }}
                >
                  {isShown ? 'Shown' : 'Try'}
                </button>
              </td>
            </tr>
          );
        })}
      </ListTable>
    </>
  );
}
