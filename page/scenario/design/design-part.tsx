import { useEffect } from 'preact/hooks';
import type { DesignCost, Designs, LiveMetrics, Scenario } from '../../client/responses.ts';
import { differenceText } from '../../compare/difference-text.ts';
import { Amount } from '../../components/amount.tsx';
import { FormErrors } from '../../components/form.tsx';
import { ErrorNote, Loaded, MarkOld } from '../../components/states.tsx';
import { incompleteNote } from '../../format/names.ts';
import { inPageWords } from '../../format/page-words.ts';
import type { Bounds } from '../../period/period.ts';
import { NoEntries } from '../no-entries.tsx';
import type { PartProps } from '../part-props.ts';
import { useSentenceInput, wantedTopic } from '../sentence.tsx';
import { boxFigures } from './box-figures.ts';
import { designOf, tryDesign } from './chosen-design.ts';
import { DesignActions } from './design-actions.tsx';
import { DesignTable } from './design-table.tsx';
import { PipelineBoxes } from './pipeline-boxes.tsx';
import { NumberField, SettingField } from './setting-fields.tsx';
import { type BoxName, boxTitles, settings } from './settings.ts';
import { settingOf, withSetting } from './tried-designs.ts';
import { changeVolume, settingErrors, useLast, useStandardDesigns, useTriedCost, volumeOf } from './use-designs.ts';
import { WhatIf } from './what-if.tsx';

/**
 * The design of the pipeline: what flows through it, its settings, and the cost of other designs.
 */
export function DesignPart({ scenario, metrics, shown, bounds, version }: PartProps) {
  const query = useStandardDesigns(scenario, version, bounds);
  const designs = useLast(query.data);
  if (metrics?.totals.logs === 0) {
    return (
      <NoEntries scenario={scenario} title="Nothing flows through the pipeline yet.">
        , and see what they cost with other designs.
      </NoEntries>
    );
  }
  if (!designs) {
    return (
      <Loaded query={query} what="the designs">
        {() => null}
      </Loaded>
    );
  }
  const isOld = query.isPlaceholderData || query.data === undefined;
  return <DesignOf {...{ scenario, version, designs, isOld, error: query.error, bounds }} metrics={shown} />;
}

interface DesignOfProps {
  readonly scenario: Scenario;
  /** Those of the period. */
  readonly metrics: LiveMetrics | null;
  readonly version: string;
  readonly designs: Designs;
  readonly isOld: boolean;
  /** The error of the standard designs, such as that of a period. */
  readonly error: unknown;
  readonly bounds: Bounds;
}

function DesignOf({ scenario, metrics, version, designs, isOld, error, bounds }: DesignOfProps) {
  const own = useTriedCost(scenario, version, bounds, designs.present);
  const input = useSentenceInput({ scenario, bounds, version }, metrics);
  const design = designOf(scenario);
  const firstError = error ?? own.error;
  const errors = settingErrors(firstError);
  const refused = boxesOf(errors.map(({ field }) => field));
  useWantedTopic();
  return (
    <FormErrors.Provider value={errors}>
      <section>
        <h2>Pipeline</h2>
        <MarkOld isOld={firstError === null && (own.isOld || isOld)}>
          <OwnCost own={own.cost} designs={designs} />
        </MarkOld>
        {firstError !== null && <Refusal error={firstError} refused={refused} />}
        <PipelineBoxes figures={boxFigures(own.cost)} refused={refused}>
          {(box) =>
            box === 'log' ? (
              <div data-topic="month">
                <NumberField
                  setting={{
                    kind: 'number',
                    name: 'entries_per_month',
                    label: 'Entries per month',
                    hint: 'Empty: at the rate of the entries of the period.',
                    unit: 'entries',
                    isOptional: true,
                  }}
                  value={volumeOf() ?? undefined}
                  change={(value) => changeVolume(value === undefined ? undefined : Number(value))}
                />
              </div>
            ) : (
              <div class="columns">
                {settings[box].map((setting) => (
                  <SettingField
                    key={setting.name}
                    setting={setting}
                    value={settingOf(design, setting.name)}
                    change={(value) => tryDesign(scenario, withSetting(design, setting.name, value))}
                  />
                ))}
              </div>
            )
          }
        </PipelineBoxes>
        <DesignActions scenario={scenario} />
      </section>
      <section data-topic="assumption">
        <h2 tabIndex={-1}>What decides the cost</h2>
        <WhatIf scenario={scenario} input={input} />
      </section>
      <section data-topic="design">
        <h2 tabIndex={-1}>Designs</h2>
        <MarkOld isOld={error === null && isOld}>
          <DesignTable {...{ designs, scenario }} own={own.cost} />
        </MarkOld>
        <details>
          <summary>What these figures leave out</summary>
          <ul class="notes">
            {designs.notes.map((note) => (
              <li key={note}>{inPageWords(note)}</li>
            ))}
          </ul>
        </details>
      </section>
    </FormErrors.Provider>
  );
}

/** The cost of the shown design, which screen readers announce when it changes. */
function OwnCost({ own, designs: { present, basis } }: { readonly own: DesignCost; readonly designs: Designs }) {
  const difference = 'difference' in own ? (own as Designs['items'][number]) : null;
  const change = difference?.month_difference?.total ?? difference?.difference.total ?? null;
  return (
    <>
      <p class="big-line" role="status">
        <Amount usd={(own.month ?? own.cost).total} /> {own.month ? 'per month' : 'for these entries'}
        <span class="hint">
          {own.month && (
            <>
              <Amount usd={own.cost.total} /> for these entries
            </>
          )}
          {own.totals.incomplete && `, ${incompleteNote}`}
          {difference && present.cost.total !== null && `, ${differenceText(change)} than the scenario as it is`}
        </span>
      </p>
      <p class="hint">{inPageWords(basis)}</p>
    </>
  );
}

/** Brings the place that the sentence has led to into view. */
function useWantedTopic(): void {
  useEffect(() => {
    const topic = wantedTopic.value;
    wantedTopic.value = null;
    if (topic === null || topic === 'cost') return;
    if (topic === 'month') document.querySelector<HTMLElement>('[data-box="log"]')?.click();
    const place = topic === 'part' ? 'assumption' : topic;
    const section = document.querySelector<HTMLElement>(`[data-topic="${place}"]`);
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>('h2, input')?.focus({ preventScroll: true });
  }, []);
}

/** The errors of settings are beside them, in their part. */
function Refusal({ error, refused }: { readonly error: unknown; readonly refused: ReadonlySet<BoxName> }) {
  if (refused.size === 0) return <ErrorNote error={error} />;
  const names = [...refused].map((box) => boxTitles[box]).join(' and ');
  return (
    <div class="error-note" role="alert">
      <p>This is not possible: open {names} to see why. The figures still use the last valid settings.</p>
    </div>
  );
}

/** The parts that these settings belong to. */
function boxesOf(names: readonly string[]): ReadonlySet<BoxName> {
  const boxes = Object.keys(settings) as BoxName[];
  const ofSettings = boxes.filter((box) => settings[box].some(({ name }) => names.includes(name)));
  return new Set(
    ['from', 'to', 'entries_per_month'].some((name) => names.includes(name)) ? ['log', ...ofSettings] : ofSettings,
  );
}
