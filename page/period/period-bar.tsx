import { fullAddress } from '../app/address.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Switch } from '../components/switch.tsx';
import { choosePeriod, chosenPeriod } from './chosen-period.ts';
import { OwnBounds } from './own-bounds.tsx';
import { type Bounds, type EntrySpan, type LastLength, type Period, spanWithin } from './period.ts';

const choices: readonly { value: LastLength | 'all' | 'own'; text: string; label?: string }[] = [
  { value: 'hour', text: 'Hour', label: 'Last hour' },
  { value: 'day', text: 'Day', label: 'Last day' },
  { value: 'week', text: '7 days', label: 'Last 7 days' },
  { value: 'month', text: '30 days', label: 'Last 30 days' },
  { value: 'all', text: 'All' },
  { value: 'own', text: 'Own', label: 'Own period' },
];

interface PeriodBarProps {
  readonly bounds: Bounds;
  readonly entries: EntrySpan;
}

/** Chooses the period of everything that is shown of a scenario. */
export function PeriodBar({ bounds, entries }: PeriodBarProps) {
  const period = chosenPeriod();
  const own: Period = { kind: 'own', from: bounds.from || (entries.from ?? ''), to: bounds.to || (entries.to ?? '') };
  return (
    <section class="period" aria-label="Period">
      <div class="period-line">
        <Switch
          legend="Period of everything below, up to the last entry"
          name="period"
          choices={choices}
          value={period.kind === 'last' ? period.length : period.kind}
          choose={(value) =>
            choosePeriod(value === 'own' ? own : value === 'all' ? { kind: 'all' } : { kind: 'last', length: value })
          }
        />
        {period.kind === 'own' && <OwnBounds bounds={period} />}
        <div class={period.kind === 'own' ? 'print-only' : 'period-span'}>
          <Span bounds={bounds} entries={entries} />
        </div>
        <CopyLink />
      </div>
    </section>
  );
}

function Span({ bounds, entries }: PeriodBarProps) {
  const span = spanWithin(bounds, entries);
  return (
    <p class="hint" data-testid="period">
      {span && (
        <>
          <Time iso={new Date(span.start).toISOString()} /> to <Time iso={new Date(span.end).toISOString()} />, in whole
          hours
        </>
      )}
    </p>
  );
}

/** The clipboard exists in secure contexts only; elsewhere, the address itself can be copied. */
function CopyLink() {
  if (!navigator.clipboard) return null;
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(fullAddress());
      announce('The link is copied. It opens this view with the same period and settings.');
    } catch {
      announce('The browser does not allow this page to copy. Copy the address of the page.');
    }
  }
  return (
    <button type="button" title="Copies a link to this view, with its period and settings" onClick={() => void copy()}>
      Copy link
    </button>
  );
}
