import { linkTo } from '../app/address.ts';
import type { Scenario } from '../client/responses.ts';
import { Empty } from '../components/states.tsx';

/** In place of a part that needs entries. A scenario that has ended takes none any more. */
export function NoEntries({ scenario: { id, status } }: { readonly scenario: Scenario }) {
  const hasEnded = status === 'completed' || status === 'archived';
  return (
    <Empty title="No entries yet.">
      {hasEnded ? (
        <p>The scenario takes no more entries.</p>
      ) : (
        <p>
          {status === 'draft' && 'Start the scenario, then '}
          <a href={linkTo(`/scenarios/${id}/send`)}>{status === 'draft' ? 'send it entries' : 'Send it entries'}</a>:
          drop a log file, or let a program forward its log.
        </p>
      )}
    </Empty>
  );
}
