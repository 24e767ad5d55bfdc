import { useState } from 'preact/hooks';
import { formatNumber } from '../../../shared/amounts.ts';
import { read } from '../../client/api.ts';
import type { AuditVerification } from '../../client/responses.ts';
import { announce } from '../../components/announcer.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useAction } from '../../components/use-action.ts';
import { outcomeOf } from './record-text.ts';

interface Checked {
  readonly count: number;
  readonly last: AuditVerification;
}

/** Verifies the chain of all records, portion by portion. */
export function ChainCheck() {
  const [checked, setChecked] = useState<Checked | null>(null);
  const { start, isBusy, error } = useAction(async () => {
    setChecked(null);
    let count = 0;
    for (let from: number | null = 1; from !== null; ) {
      const last: AuditVerification = await read('/api/v1/audit-records/verify', { from_seq: from, limit: 2_000 });
      count += last.checked;
      setChecked({ count, last });
      from = last.next_seq;
      if (from === null) announce(outcomeOf(last, count));
    }
  });
  return (
    <section>
      <h2>Were records changed?</h2>
      <p>
        Each record has the fingerprint (SHA-256) of the one before it, so a record that was changed, removed or
        inserted breaks the chain. Records that are missing at the end show only beside a note of the last record, which
        is stored apart from them in Redis.
      </p>
      <div class="buttons">
        <button type="button" aria-disabled={isBusy} aria-busy={isBusy} onClick={() => start()}>
          Verify all records
        </button>
        {isBusy && checked && <span class="hint">{formatNumber(checked.count)} verified…</span>}
      </div>
      {error !== null && <ErrorNote error={error} />}
      {!isBusy && checked && <Outcome {...checked} />}
    </section>
  );
}

function Outcome({ count, last }: Checked) {
  const { valid, head, end_checked: isEndChecked } = last;
  return (
    <div class={valid ? 'new-key' : 'error-note'} data-testid="chain-outcome">
      <p>{outcomeOf(last, count)}</p>
      {valid && !isEndChecked && (
        <p>
          Records that are missing at the end, or a chain that was computed anew, would not show: the note of the last
          record in Redis is missing.
        </p>
      )}
      {head.seq > 0 && (
        <p class="hint">
          Last intact record: {formatNumber(head.seq)}, fingerprint <code>{head.hash}</code>. Keep it elsewhere to
          compare it later.
        </p>
      )}
    </div>
  );
}
