import { expect } from 'chai';
import { isSameDesign, parseDesign, settingOf, withSetting } from '../../../page/scenario/design/design-fields.ts';
import { settings } from '../../../page/scenario/design/settings.ts';
import { applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { completePipeline } from '../../../shared/scenarios/pipeline.ts';

const simple = applyDefaults({});
const namesOf = (fields: object, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value) ? namesOf(value, `${name}.`) : [`${prefix}${name}`],
  );

describe('the settings of a design', () => {
  it('settings are all fields of a pipeline, each once', () => {
    const all = Object.values(settings).flatMap((ofBox) => ofBox.map(({ name }) => name));
    const complete = completePipeline({ inference: { output_tokens_per_call: 1 } });
    expect(all.toSorted()).to.deep.equal(namesOf(complete).toSorted());
  });

  it('a design of an address is read if all of its fields have their types', () => {
    const design = applyDefaults({ pipeline: { levels: ['error'], inference: { output_tokens_per_call: 9 } } });
    expect(parseDesign(JSON.stringify(design))).to.deep.equal(design);
    expect(parseDesign('{"free_tier":true}')).to.deep.equal(applyDefaults({ free_tier: true }));
    const malformed = ['', '1', 'null', '{"queue":7}', '{"inference":{"model":{}}}', '{"pipeline":{"levels":8}}'];
    for (const text of malformed) expect(parseDesign(text), text).to.equal(undefined);
  });

  it('settings that a design lacks are the defaults of a pipeline', () => {
    expect(settingOf(simple, 'queue.pollers')).to.equal(5);
    expect(settingOf(simple, 'inference.output_tokens_per_call')).to.equal(undefined);
  });

  it('settings change one by one, and back again', () => {
    const changed = withSetting(withSetting(simple, 'levels', ['error']), 'inference.output_tokens_per_call', 300);
    expect(changed.pipeline).to.deep.equal(
      completePipeline({ levels: ['error'], inference: { output_tokens_per_call: 300 } }),
    );
    const back = withSetting(changed, 'inference.output_tokens_per_call', undefined);
    expect(isSameDesign(back, applyDefaults({ pipeline: { levels: ['error'] } }))).to.equal(true);
    expect(isSameDesign(back, changed)).to.equal(false);
    expect(simple.pipeline).to.equal(undefined);
  });
});
