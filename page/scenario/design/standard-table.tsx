import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../../shared/amounts.ts';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { announce } from '../../components/announcer.tsx';
import { MarkOld } from '../../components/states.tsx';
import { ListTable, numberColumn } from '../../components/table.tsx';
import { designOf, tryDesign } from './chosen-design.ts';
import { FineAmount } from './fine-amount.tsx';
import { ownDesignName } from './savings.ts';
import { descriptionOfDesign, nameOfDesign } from './standard-names.ts';
import { isSameDesign } from './tried-designs.ts';

interface StandardTableProps {
  readonly designs: Designs;
  readonly own: DesignCost;
  readonly scenario: Scenario;
  readonly isOld: boolean;
  /** The name of the cheapest one. */
  readonly cheapest: string | null;
}

/** The design that is shown, and the standard ones, which can be taken over. */
export function StandardTable({ designs: { items }, own, scenario, isOld, cheapest }: StandardTableProps) {
  const hasMonths = own.month !== null;
  const design = designOf(scenario);
  return (
    <MarkOld isOld={isOld} class="designs">
      <ListTable
        caption="The cost of designs"
        columns={[
          'Design',
          ...['Entries to the model', 'Model calls', 'These entries', ...(hasMonths ? ['A month'] : [])].map(
            numberColumn,
          ),
          { name: 'Take over', isUnnamed: true },
        ]}
      >
        <DesignRow
          name={ownDesignName}
          side={own}
          hasMonths={hasMonths}
          isCheapest={cheapest === ownDesignName}
          class="own-design"
        />
        {items.map((item) => {
          const isUsed = isSameDesign(item.assumptions, design);
          const name = nameOfDesign(item.name);
          return (
            <DesignRow
              key={item.name}
              name={name}
              description={descriptionOfDesign(item.name)}
              side={item}
              hasMonths={hasMonths}
              isCheapest={item.name === cheapest}
            >
              <button
                type="button"
                class={isUsed ? 'primary' : ''}
                aria-label={isUsed ? `Shown: ${name}` : `Show ${name}`}
                onClick={() => {
                  tryDesign(scenario, item.assumptions);
                  announce(`This design is now “${name}”.`);
                }}
              >
                {isUsed ? 'Shown' : 'Show'}
              </button>
            </DesignRow>
          );
        })}
      </ListTable>
    </MarkOld>
  );
}

interface DesignRowProps {
  readonly name: string;
  readonly description?: string | undefined;
  readonly side: DesignCost;
  readonly hasMonths: boolean;
  readonly isCheapest?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

function DesignRow({ name, description, side, hasMonths, isCheapest = false, children, ...props }: DesignRowProps) {
  const { totals, flow, cost, month } = side;
  return (
    <tr class={props.class ?? ''}>
      <th scope="row">
        {name} {isCheapest && <span class="badge good">cheapest</span>}
        {description && <span class="hint">{description}</span>}
        {flow.model_entries === 0 && totals.logs > 0 && (
          <span class="hint">No entry of this log goes to the model, so it is not named the cheapest.</span>
        )}
      </th>
      <td data-label="Entries to the model" class="number">
        {formatNumber(flow.model_entries)}
      </td>
      <td data-label="Model calls" class="number">
        {formatNumber(totals.inference_calls ?? flow.model_entries)}
      </td>
      <td data-label="These entries" class="number">
        <FineAmount usd={cost.total} />
        {totals.incomplete && <span class="hint">partly without a price</span>}
      </td>
      {hasMonths && (
        <td data-label="A month" class="number">
          <strong>
            <FineAmount usd={month?.total ?? null} />
          </strong>
        </td>
      )}
      <td>{children}</td>
    </tr>
  );
}
