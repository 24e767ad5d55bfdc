import { useEffect, useState } from 'preact/hooks';
import type { DesignCost, Designs } from '../../client/responses.ts';
import { differenceText } from '../../compare/difference-text.ts';
import { Amount } from '../../components/amount.tsx';
import { FormErrors } from '../../components/form.tsx';
import { ErrorNote, Loaded, MarkOld } from '../../components/states.tsx';
import { incompleteNote } from '../../format/names.ts';
import { inPageWords } from '../../format/page-words.ts';
import type { PartProps } from '../part-props.ts';
import { useSentenceInput, wantedTopic } from '../sentence.tsx';
import { DesignActions } from './design-actions.tsx';
import { settingOf, withSetting } from './design-fields.ts';
import { DesignTable } from './design-table.tsx';
import { PipelineBoxes } from './pipeline-boxes.tsx';
import { NumberField, SettingField } from './setting-fields.tsx';
import { type BoxName, boxTitles, settings } from './settings.ts';
import { changeVolume, designOf, triedVolume, tryDesign } from './tried-designs.ts';
import { settingErrors, useLast, useStandardDesigns, useTriedCost } from './use-designs.ts';
import { WhatIf } from './what-if.tsx';

/** The pipeline with what flows through it, its settings, and the cost of other designs. */
export function DesignPart(props: PartProps) {
  const query = useStandardDesigns(props.scenario, props.version, props.bounds);
  // After a refusal, the designs stay.
  const designs = useLast(query.data);
  return (
    <Loaded query={designs ? { ...query, data: designs, error: null } : query} what="the designs">
      {(shown) => (
        <DesignOf {...props} designs={shown} isOld={query.isPlaceholderData || !query.data} error={query.error} />
      )}
    </Loaded>
  );
}

interface DesignOfProps extends PartProps {
  readonly designs: Designs;
  /** The error of the standard designs, such as that of a volume. */
  readonly error: unknown;
}

function DesignOf({ scenario, metrics, version, designs, isOld, error, bounds }: DesignOfProps) {
  const own = useTriedCost(scenario, version, bounds, designs.present);
  const input = useSentenceInput({ scenario, bounds, version }, metrics);
  const design = designOf(scenario);
  const firstError = error ?? own.error;
  const errors = settingErrors(firstError);
  const refused = boxesOf(errors.map(({ field }) => field));
  const topic = useWantedTopic();
  return (
    <FormErrors.Provider value={errors}>
      <section>
        <h2>Pipeline</h2>
        <MarkOld isOld={firstError === null && (own.isOld || isOld)}>
          <OwnCost own={own.cost} designs={designs} />
        </MarkOld>
        {firstError !== null && <Refusal error={firstError} refused={refused} />}
        <PipelineBoxes cost={own.cost} refused={refused} first={topic === 'month' ? 'log' : null}>
          {(box) =>
            box === 'log' ? (
              <div data-topic="month">
                <NumberField
                  name="entries_per_month"
                  label="Entries per month"
                  hint="Empty: at the rate of the entries of the period."
                  unit="entries"
                  isOptional
                  value={triedVolume()}
                  change={(value) => changeVolume(value)}
                />
              </div>
            ) : (
              <div class="columns">
                {settings[box].map((setting) => (
                  <SettingField
                    key={setting.name}
                    setting={setting}
                    value={settingOf(design, setting.name)}
                    change={(value) => tryDesign(withSetting(design, setting.name, value))}
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
          <ul>
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

/** Brings the place that the sentence has led to into view. @returns its topic. */
function useWantedTopic() {
  const [topic] = useState(wantedTopic.value);
  useEffect(() => {
    wantedTopic.value = null;
    const place = topic === 'part' ? 'assumption' : topic;
    const section = document.querySelector<HTMLElement>(`[data-topic="${place}"]`);
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>('h2, input')?.focus({ preventScroll: true });
  }, []);
  return topic;
}

interface RefusalProps {
  readonly error: unknown;
  readonly refused: ReadonlySet<BoxName>;
}

/** The errors of settings are beside them, in their part. */
function Refusal({ error, refused }: RefusalProps) {
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
  const hasName = (box: BoxName, name: string) =>
    box === 'log' ? name === 'entries_per_month' : settings[box].some((setting) => setting.name === name);
  return new Set(boxes.filter((box) => names.some((name) => hasName(box, name))));
}
