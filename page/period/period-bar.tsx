import { useState } from 'preact/hooks';
import { fullAddress } from '../app/address.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { isUtc, localZone } from '../format/times.ts';
import { choosePeriod, chosenPeriod } from './chosen-period.ts';
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
          <Choice name="Own" isChosen={period.kind === 'own'} choose={() => choosePeriod(own)} />
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
          <Time iso={new Date(span.start).toISOString()} /> to <Time iso={new Date(span.end).toISOString()} />
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

/** Typed times that are not in order are shown with an error, and are not the period yet. */
function OwnBounds({ bounds }: { readonly bounds: Bounds }) {
  const [refused, setRefused] = useState<Bounds | null>(null);
  const shown = refused ?? bounds;
  const zone = isUtc.value ? 'UTC' : localZone;
  const change = (changed: Bounds) => {
    const isInOrder = changed.from === '' || changed.to === '' || changed.from < changed.to;
    setRefused(isInOrder ? null : changed);
    if (isInOrder) choosePeriod({ ...changed, kind: 'own' });
  };
  const field = (name: keyof Bounds, label: string, ofEntries: string) => (
    <label>
      <span class="hint">{label}</span>
      <input
        type="datetime-local"
        name={name}
        aria-label={`${label} (${zone})`}
        title={`In ${zone}, in whole hours. Empty: ${ofEntries}.`}
        step={3_600}
        value={localOf(shown[name])}
        aria-invalid={refused !== null}
        onChange={(event) => change({ ...shown, [name]: isoOf(event.currentTarget.value) })}
      />
    </label>
  );
  return (
    <div class="own-bounds">
      {field('from', 'From', 'from the first entry')}
      {field('to', 'to', 'to the last entry')}
      {refused && (
        <p class="field-error" role="alert">
          The first time must be before the second.
        </p>
      )}
    </div>
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

const isoOf = (local: string): string =>
  local === '' ? '' : new Date(isUtc.value ? `${local}Z` : local).toISOString();

/** A time in the form of the field, in the chosen zone. */
function localOf(iso: string): string {
  if (iso === '') return '';
  const time = new Date(iso);
  const shift = isUtc.value ? 0 : time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - shift).toISOString().slice(0, 16);
}
