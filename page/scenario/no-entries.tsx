import type { ComponentChildren } from 'preact';
import { linkTo } from '../app/address.ts';
import type { Scenario } from '../client/responses.ts';
import { Empty } from '../components/states.tsx';

interface NoEntriesProps {
  readonly scenario: Scenario;
  readonly title: string;
  /** The rest of a sentence that begins with “Send entries to the scenario”. */
  readonly children: ComponentChildren;
}

/** The look of a part of a scenario that needs entries. One that has ended takes none any more. */
export function NoEntries({ scenario: { id, status }, title, children }: NoEntriesProps) {
  return (
    <Empty title={title}>
      {status === 'completed' || status === 'archived' ? (
        <p>The scenario takes no more entries.</p>
      ) : (
        <p>
          {status === 'draft' && 'Start the scenario, then '}
          <a href={linkTo(`/scenarios/${id}/send`)}>
            {status === 'draft' ? 'send it entries' : 'Send entries to the scenario'}
          </a>
          {children}
        </p>
      )}
    </Empty>
  );
}
