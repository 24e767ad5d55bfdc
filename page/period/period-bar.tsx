import { fullAddress } from '../app/address.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { choosePeriod, chosenPeriod } from './chosen-period.ts';
import { OwnBounds } from './own-bounds.tsx';
import { type Bounds, type EntrySpan, type LastLength, type Period, spanWithin } from './period.ts';

const lastNames: Readonly<Record<LastLength, string>> = { hour: 'Hour', day: 'Day', week: '7 days', month: '30 days' };

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
        <fieldset class="switch">
          <legend class="visually-hidden">Period of everything below, up to the last entry</legend>
          {(Object.keys(lastNames) as LastLength[]).map((length) => (
            <Choice
              key={length}
              name={lastNames[length]}
              label={`Last ${lastNames[length].toLowerCase()}`}
              isChosen={period.kind === 'last' && period.length === length}
              choose={() => choosePeriod({ kind: 'last', length })}
            />
          ))}
          <Choice name="All" isChosen={period.kind === 'all'} choose={() => choosePeriod({ kind: 'all' })} />
          <Choice name="Own" label="Own period" isChosen={period.kind === 'own'} choose={() => choosePeriod(own)} />
        </fieldset>
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

interface ChoiceProps {
  readonly name: string;
  /** Said by screen readers; default: the name. */
  readonly label?: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Choice({ name, label = name, isChosen, choose }: ChoiceProps) {
  return (
    <label title={label}>
      <input type="radio" name="period" aria-label={label} checked={isChosen} onChange={choose} />
      <span>{name}</span>
    </label>
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
