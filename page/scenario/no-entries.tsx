import type { ComponentChildren } from 'preact';
import { linkTo } from '../app/address.ts';
import type { Scenario } from '../client/responses.ts';
import { Empty } from '../components/states.tsx';

interface NoEntriesProps {
  readonly scenario: Scenario;
  readonly title: string;
  /** The rest of a sentence that begins with “Send it entries”. */
  readonly children: ComponentChildren;
}

/** The look of a part of a scenario that needs entries. */
export function NoEntries({ scenario: { id, status }, title, children }: NoEntriesProps) {
  return (
    <Empty title={title}>
      <p>
        {status === 'draft' && 'Start the scenario, then '}
        <a href={linkTo(`/scenarios/${id}/send`)}>{status === 'draft' ? 'send' : 'Send'} it entries</a>
        {children}
      </p>
    </Empty>
  );
}
