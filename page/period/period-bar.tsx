import { formatSpan } from '../format/times.ts';
import { choosePeriod, chosenPeriod } from './chosen-period.ts';
import { OwnBounds } from './own-bounds.tsx';
import { type Bounds, type EntrySpan, isLastLength, type Period, spanWithin } from './period.ts';

/** The values of the choice, which are lengths up to the last entry. */
const choices = {
  all: 'All entries',
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last 7 days',
  month: 'Last 30 days',
  own: 'Custom',
} as const;

interface PeriodBarProps {
  readonly bounds: Bounds;
  readonly entries: EntrySpan;
}

/** Chooses the period of everything that is shown of a scenario. */
export function PeriodBar({ bounds, entries }: PeriodBarProps) {
  const period = chosenPeriod();
  const own: Period = { kind: 'own', from: bounds.from || (entries.from ?? ''), to: bounds.to || (entries.to ?? '') };
  const value = period.kind === 'last' ? period.length : period.kind;
  const span = spanWithin(bounds, entries);
  return (
    <div class="period" role="group" aria-label="Period">
      <select
        aria-label="Period"
        onChange={({ currentTarget: { value: chosen } }) =>
          choosePeriod(
            chosen === 'own' ? own : isLastLength(chosen) ? { kind: 'last', length: chosen } : { kind: 'all' },
          )
        }
      >
        {Object.entries(choices).map(([name, text]) => (
          <option key={name} value={name} selected={name === value}>
            {text}
          </option>
        ))}
      </select>
      {period.kind === 'own' && <OwnBounds bounds={period} />}
      <span class={`hint ${period.kind === 'own' ? 'print-only' : ''}`} data-testid="period">
        {span && formatSpan(new Date(span.start).toISOString(), new Date(span.end).toISOString())}
      </span>
    </div>
  );
}
