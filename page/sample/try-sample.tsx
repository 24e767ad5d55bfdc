import { useLocation } from 'wouter-preact';
import { announce } from '../components/announcer.tsx';
import { ErrorNote } from '../components/states.tsx';
import { createSample, sample } from './create-sample.ts';

/** Shows what the service does to somebody who has no log at hand. */
export function TrySample({ isPrimary = false }: { readonly isPrimary?: boolean }) {
  const [, go] = useLocation();
  const { isBusy, error } = sample.value ?? { isBusy: false, error: null };
  async function start(): Promise<void> {
    if (isBusy) return;
    announce('Sending sample lines.');
    const startedAt = location.hash;
    const id = await createSample();
    // Not if the person has gone elsewhere.
    if (id !== null && location.hash === startedAt) go(`/scenarios/${id}`);
  }
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'primary' : ''}
        aria-disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => void start()}
      >
        {isBusy ? 'Sending sample lines…' : 'Try it with sample lines'}
      </button>
      {Boolean(error) && <ErrorNote error={error} />}
    </>
  );
}
