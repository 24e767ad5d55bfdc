import { expect } from 'chai';
import { axisValues, timeLabels, usdLabel } from '../../../../page/scenario/charts/axis-labels.ts';
import { chosenBars, moveByKey, nothingPointed, presentBars } from '../../../../page/scenario/charts/pointed-bars.ts';
import { placeBars } from '../../../../page/scenario/charts/stacked-bars.tsx';
import { stepFor, stepsFor } from '../../../../page/scenario/charts/time-steps.ts';
import { day, hour } from '../../../../shared/durations.ts';

describe('a chart over time', () => {
  it('has steps of hours or days by what fits the length of the period', () => {
    for (const [length, wanted, step] of [
      [hour, null, 'hour'],
      [14 * day, null, 'hour'],
      [15 * day, null, 'day'],
      [3_000 * day, null, 'day'],
      [15 * day, 'hour', 'hour'],
      [366 * day, 'hour', 'day'],
      [day, 'constructor', 'hour'],
    ] as const) {
      expect(stepFor(length, wanted), `${length / day} days, ${wanted}`).to.equal(step);
    }
    expect([day, 366 * day].map(stepsFor)).to.deep.equal([['hour', 'day'], ['day']]);
  });

  it('has bars as wide as their step, also beside a gap, and a share of the width is one of them', () => {
    const days = [1, 2, 4].map((date) => ({ start: Date.UTC(2026, 0, date) }));
    const { ofBars, barAt } = placeBars(days, 'day');
    expect(ofBars(0, 2)).to.deep.equal({ left: 0, width: 100 });
    expect(ofBars(1, 1)).to.deep.equal({ left: 25, width: 25 });
    expect([0, 24, 25, 74, 76, 100].map(barAt)).to.deep.equal([0, 0, 1, 1, 2, 2]);
  });

  it('has labels that name a new day or year once', () => {
    const start = Date.UTC(2026, 4, 1, 20);
    expect(timeLabels([start, start + 3 * hour, start + 6 * hour], 'hour')).to.deep.equal([
      '20:00\n1 May',
      '23:00',
      '02:00\n2 May',
    ]);
    const days = [Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1)];
    expect(timeLabels(days, 'day')).to.deep.equal(['31 Dec\n2025', '1 Jan\n2026']);
  });

  it('has round values, the last one at least the largest bar, with decimals that tell them apart', () => {
    expect(axisValues(4, true)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(axisValues(0.23, false).map((value) => value.toFixed(2))).to.deep.equal([
      '0.00',
      '0.05',
      '0.10',
      '0.15',
      '0.20',
      '0.25',
    ]);
    for (const max of [1e-9, 0.7, 1, 99, 12_345])
      expect(axisValues(max, false).at(-1)).to.be.at.least(max * (1 - 1e-9));
    for (const [usd, distance, label] of [
      [0, 1, '$0'],
      [3, 1, '$3'],
      [0.5, 0.5, '$0.50'],
      [0.002, 0.001, '$0.002'],
      [2e-9, 1e-9, '$2e-9'],
      [20_000, 10_000, '$20K'],
    ] as const) {
      expect(usdLabel(usd, distance)).to.equal(label);
    }
  });
});

describe('the keys of a chart', () => {
  const press = (key: string, from = nothingPointed, shiftKey = false) => moveByKey(from, { key, shiftKey }, 50);

  it('enter it at its ends, move by one and by ten, and stay within it', () => {
    for (const [key, index, next] of [
      ['ArrowRight', null, 0],
      ['ArrowLeft', null, 49],
      ['End', null, 49],
      ['Home', 7, 0],
      ['ArrowRight', 49, 49],
      ['PageUp', 7, 17],
      ['PageDown', 7, 0],
    ] as const) {
      expect(press(key, { index, anchor: null })?.index, `${key} at ${index}`).to.equal(next);
    }
  });

  it('choose a period with Shift, which Escape and plain arrows end', () => {
    const first = press('ArrowRight', { index: 7, anchor: null }, true);
    const second = press('ArrowRight', first, true);
    expect(second).to.deep.equal({ index: 9, anchor: 7 });
    expect(second && chosenBars(second)).to.deep.equal({ first: 7, last: 9 });
    expect(press('Escape', second)).to.deep.equal({ index: 9, anchor: null });
    expect(press('ArrowLeft', second)).to.deep.equal({ index: 8, anchor: null });
    const backward = press('Home', { index: 7, anchor: null }, true);
    expect(backward && chosenBars(backward)).to.deep.equal({ first: 0, last: 7 });
  });

  it('are left to the browser where a chart does not know them', () => {
    for (const key of ['Tab', 'a', 'Escape', 'constructor']) expect(press(key), key).to.equal(undefined);
    expect(moveByKey(nothingPointed, { key: 'End', shiftKey: false }, 0)).to.equal(undefined);
  });

  it('start anew where the chart has fewer bars than were pointed at', () => {
    const pointed = { index: 2, anchor: 7 };
    expect(presentBars(pointed, 8)).to.equal(pointed);
    expect(presentBars(pointed, 7)).to.deep.equal({ index: 2, anchor: null });
    expect(presentBars(pointed, 2)).to.equal(nothingPointed);
  });
});
