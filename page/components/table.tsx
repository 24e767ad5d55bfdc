import type { ComponentChildren } from 'preact';

export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Named for screen readers only, such as a column of buttons. */
  readonly isUnnamed?: boolean;
}

export const numberColumn = (name: string): Column => ({ name, isNumber: true });

/** The heading of the column of buttons. */
export const actionsColumn: Column = { name: 'Actions', isUnnamed: true };

interface ListTableProps {
  /** Said by screen readers; a heading above the table shows it. */
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly class?: string;
  /**
   * The rows. A cell names its column in `data-label`, for narrow screens, where a row is a card.
   */
  readonly children: ComponentChildren;
  /** The row of totals. */
  readonly foot?: ComponentChildren;
}

export function ListTable({ caption, columns, children, foot, ...props }: ListTableProps) {
  return (
    <table class={`cards ${props.class ?? ''}`}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => {
            const { name, isNumber, isUnnamed } = typeof column === 'string' ? { name: column } : column;
            return (
              <th key={name} scope="col" class={isNumber ? 'number' : ''}>
                {isUnnamed ? <span class="visually-hidden">{name}</span> : name}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}
