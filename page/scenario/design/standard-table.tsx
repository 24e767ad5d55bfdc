import type { ComponentChildren } from 'preact';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { announce } from '../../components/announcer.tsx';
import { ListTable } from '../../components/table.tsx';
import { formatNumber } from '../../format/amounts.ts';
import { designOf, tryDesign } from './chosen-design.ts';
import { FineAmount } from './fine-amount.tsx';
import { isSameDesign } from './tried-designs.ts';

/** The standard designs, by their names, in words for people. */
const descriptions: Readonly<Record<string, string>> = {
  simple: 'Each line is a message, an invocation and a model call, without an instruction.',
  'one call a line': 'Each line has its own model call, with an instruction of 800 tokens and 300 output tokens.',
  '50 lines a call': 'Up to 50 lines that arrive within 5 seconds share a call and its instruction.',
  '50 lines a batch job': '50 lines share an instruction in a batch job, at batch prices; results come hours later.',
  'errors only, 50 a call': 'As 50 lines a call, but only lines marked error or fatal go to the model.',
};

interface StandardTableProps {
  readonly designs: Designs;
  readonly own: DesignCost;
  readonly scenario: Scenario;
  readonly isOld: boolean;
}

/** The design that is shown, and the standard ones, which can be taken over. */
export function StandardTable({ designs: { items, cheapest }, own, scenario, isOld }: StandardTableProps) {
  const hasMonths = own.month !== null;
  const design = designOf(scenario);
  return (
    <div aria-busy={isOld} class={`designs ${isOld ? 'old' : ''}`}>
      <ListTable
        caption="The cost of designs"
        columns={[
          'Design',
          { name: 'Lines to the model', isNumber: true },
          { name: 'Model calls', isNumber: true },
          { name: 'These entries', isNumber: true },
          ...(hasMonths ? [{ name: 'A month', isNumber: true }] : []),
          { name: 'Take over', isUnnamed: true },
        ]}
      >
        <DesignRow name="This design" side={own} hasMonths={hasMonths} class="own-design" />
        {items.map((item) => {
          const isUsed = isSameDesign(item.assumptions, design);
          return (
            <DesignRow
              key={item.name}
              name={item.name}
              side={item}
              hasMonths={hasMonths}
              isCheapest={item.name === cheapest}
            >
              <button
                type="button"
                class={isUsed ? 'primary' : ''}
                aria-label={isUsed ? `Shown: ${item.name}` : `Show ${item.name}`}
                onClick={() => {
                  tryDesign(scenario, item.assumptions);
                  announce(`This design is now “${item.name}”.`);
                }}
              >
                {isUsed ? 'Shown' : 'Show'}
              </button>
            </DesignRow>
          );
        })}
      </ListTable>
    </div>
  );
}

interface DesignRowProps {
  readonly name: string;
  readonly side: DesignCost;
  readonly hasMonths: boolean;
  readonly isCheapest?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

function DesignRow({ name, side, hasMonths, isCheapest = false, children, ...props }: DesignRowProps) {
  const { totals, flow, cost, month } = side;
  return (
    <tr class={props.class ?? ''}>
      <th scope="row">
        {name} {isCheapest && <span class="badge good">cheapest</span>}
        {descriptions[name] && <span class="hint">{descriptions[name]}</span>}
        {flow.model_entries === 0 && totals.logs > 0 && (
          <span class="hint">No line of this log goes to the model.</span>
        )}
      </th>
      <td data-label="Lines to the model" class="number">
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
