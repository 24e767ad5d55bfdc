import type { Designs, Scenario } from '../../client/responses.ts';
import { FormErrors } from '../../components/form.tsx';
import { ErrorNote, Loaded } from '../../components/states.tsx';
import { inPageWords } from '../../format/page-words.ts';
import type { Bounds } from '../../period/period.ts';
import { NoEntries } from '../no-entries.tsx';
import type { PartProps } from '../part-props.ts';
import { boxFigures } from './box-figures.ts';
import { designOf, tryDesign } from './chosen-design.ts';
import { DesignActions } from './design-actions.tsx';
import { DesignBars } from './design-bars.tsx';
import { DesignCostLine } from './design-cost-line.tsx';
import { PipelineBoxes } from './pipeline-boxes.tsx';
import { cheapestOfAll } from './savings.ts';
import { SettingField } from './setting-fields.tsx';
import { type BoxName, boxTitles, settings } from './settings.ts';
import { StandardTable } from './standard-table.tsx';
import { settingOf, withSetting } from './tried-designs.ts';
import { settingErrors, useLast, useStandardDesigns, useTriedCost } from './use-designs.ts';

/**
 * The design of the pipeline: what flows through it, its settings, and the cost of other designs.
 */
export function DesignPart({ scenario, metrics, bounds, version }: PartProps) {
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
  return <DesignOf {...{ scenario, version, designs, isOld, error: query.error, bounds }} />;
}

interface DesignOfProps {
  readonly scenario: Scenario;
  readonly version: string;
  readonly designs: Designs;
  readonly isOld: boolean;
  /** The error of the standard designs, such as that of a period. */
  readonly error: unknown;
  readonly bounds: Bounds;
}

function DesignOf({ scenario, version, designs, isOld, error, bounds }: DesignOfProps) {
  const own = useTriedCost(scenario, version, bounds, designs.present);
  const design = designOf(scenario);
  const firstError = error ?? own.error;
  const errors = settingErrors(firstError);
  const cheapest = cheapestOfAll(designs, own.cost);
  const refused = boxesOf(errors.map(({ field }) => field));
  return (
    <>
      <section>
        <h2>Design</h2>
        <DesignCostLine
          own={own.cost}
          isOld={firstError === null && (own.isOld || isOld)}
          design={design}
          designs={designs}
        />
        {firstError !== null && <Refusal error={firstError} refused={refused} />}
        <p class="screen-only">
          Open a part of the pipeline to change its settings. Every change shows its cost at once.
        </p>
        <FormErrors.Provider value={errors}>
          <PipelineBoxes figures={boxFigures(own.cost)} refused={refused}>
            {(box) =>
              box === 'log' ? (
                <p>The period at the top of this view decides which entries flow through the pipeline.</p>
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
        </FormErrors.Provider>
        <DesignActions scenario={scenario} />
      </section>
      <section>
        <h2>Designs to compare</h2>
        <StandardTable {...{ designs, scenario, cheapest }} own={own.cost} isOld={error === null && isOld} />
        <h3>As bars</h3>
        <DesignBars {...{ designs, cheapest }} own={own.cost} />
        <details>
          <summary>What these figures leave out</summary>
          <ul class="notes">
            {designs.notes.map((note) => (
              <li key={note}>{inPageWords(note)}</li>
            ))}
          </ul>
        </details>
      </section>
    </>
  );
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
  return new Set(names.includes('from') || names.includes('to') ? ['log', ...ofSettings] : ofSettings);
}
