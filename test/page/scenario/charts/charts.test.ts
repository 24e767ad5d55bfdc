import { expect } from 'chai';
import { addDecimals } from '../../../../page/format/decimals.ts';
import { axisValues, timeLabels, usdLabel } from '../../../../page/scenario/charts/axis-labels.ts';
import { chosenBars, moveByKey, nothingPointed, presentBars } from '../../../../page/scenario/charts/pointed-bars.ts';
import { placeBars } from '../../../../page/scenario/charts/stacked-bars.tsx';
import { sumMonths, type TimeRow } from '../../../../page/scenario/charts/sum-months.ts';
import { endOfStep, stepFor, stepsFor } from '../../../../page/scenario/charts/time-steps.ts';
import { day, hour } from '../../../../shared/durations.ts';

describe('the steps of a chart', () => {
  it('steps are hours, days or months by what fits the length of the period', () => {
    expect(stepFor(hour, null)).to.equal('hour');
    expect(stepFor(14 * day, null)).to.equal('hour');
    expect(stepFor(15 * day, null)).to.equal('day');
    expect(stepFor(366 * day, null)).to.equal('day');
    expect(stepFor(10 * 366 * day, null)).to.equal('month');
  });

  it('steps can be chosen where all of them fit one response', () => {
    expect(stepsFor(day)).to.deep.equal(['hour', 'day']);
    expect(stepsFor(80 * day)).to.deep.equal(['hour', 'day', 'month']);
    expect(stepsFor(366 * day)).to.deep.equal(['day', 'month']);
    expect(stepsFor(3_000 * day)).to.deep.equal(['month']);
    expect(stepFor(15 * day, 'hour')).to.equal('hour');
    expect(stepFor(366 * day, 'hour')).to.equal('day');
    expect(stepFor(day, 'constructor')).to.equal('hour');
  });

  it('a step ends where the next one begins', () => {
    expect(endOfStep(Date.UTC(2026, 1, 1), 'month')).to.equal(Date.UTC(2026, 2, 1));
    expect(endOfStep(Date.UTC(2026, 11, 1), 'month')).to.equal(Date.UTC(2027, 0, 1));
    expect(endOfStep(Date.UTC(2026, 1, 1), 'day')).to.equal(Date.UTC(2026, 1, 2));
  });
});

describe('the place of bars', () => {
  it('bars are as wide as their step, and a share of the width is one of them', () => {
    const months = [0, 1, 2].map((month) => ({ start: Date.UTC(2026, month) }));
    const { ofBars, barAt } = placeBars(months, 'month');
    expect(ofBars(0, 2)).to.deep.equal({ left: 0, width: 100 });
    expect(ofBars(1, 1).left).to.be.closeTo((31 / 90) * 100, 1e-9);
    expect([0, 34, 35, 66, 100].map(barAt)).to.deep.equal([0, 0, 1, 2, 2]);
  });
});

describe('the months of a chart', () => {
  const row = (start: number, total: string | null): TimeRow => ({
    start,
    logs: 1,
    size_bytes: 10,
    pii_logs: 0,
    cost: { queue: '0.1', function: null, inference: total, total },
  });

  it('months are exact sums of their days', () => {
    const days = [
      row(Date.UTC(2026, 0, 30), '0.10'),
      row(Date.UTC(2026, 0, 31), '0.205'),
      row(Date.UTC(2026, 1, 1), '1'),
    ];
    expect(sumMonths(days)).to.deep.equal([
      {
        start: Date.UTC(2026, 0, 1),
        logs: 2,
        size_bytes: 20,
        pii_logs: 0,
        cost: { queue: '0.2', function: null, inference: '0.305', total: '0.305' },
      },
      row(Date.UTC(2026, 1, 1), '1'),
    ]);
  });

  it('months have the entries of each level', () => {
    const days = [
      { ...row(Date.UTC(2026, 0, 1), '1'), levels: { info: 2, warn: 1 } },
      { ...row(Date.UTC(2026, 0, 2), '1'), levels: { info: 3, error: 4 } },
    ];
    expect(sumMonths(days)[0]?.levels).to.deep.equal({ info: 5, warn: 1, error: 4 });
  });

  it('months are added beyond the exactness of floating-point numbers', () => {
    expect(addDecimals('9007199254740993.000000000001', '0.000000000002')).to.equal('9007199254740993.000000000003');
    expect(addDecimals('999', '1')).to.equal('1000');
    expect(addDecimals('0.95', '0.05')).to.equal('1.00');
  });
});

describe('the keys of a chart', () => {
  const press = (key: string, from = nothingPointed, shiftKey = false) => moveByKey(from, { key, shiftKey }, 50);

  it('keys enter the chart at its ends, move by one and by ten, and stay within it', () => {
    expect(press('ArrowRight')?.index).to.equal(0);
    expect(press('ArrowLeft')?.index).to.equal(49);
    expect(press('End')?.index).to.equal(49);
    expect(press('Home', { index: 7, anchor: null })?.index).to.equal(0);
    expect(press('ArrowRight', { index: 49, anchor: null })?.index).to.equal(49);
    expect(press('PageUp', { index: 7, anchor: null })?.index).to.equal(17);
    expect(press('PageDown', { index: 7, anchor: null })?.index).to.equal(0);
  });

  it('Shift chooses a period, which Escape and plain arrows end', () => {
    const first = press('ArrowRight', { index: 7, anchor: null }, true);
    const second = press('ArrowRight', first, true);
    expect(second).to.deep.equal({ index: 9, anchor: 7 });
    expect(second && chosenBars(second)).to.deep.equal({ first: 7, last: 9 });
    expect(press('Escape', second)).to.deep.equal({ index: 9, anchor: null });
    expect(press('ArrowLeft', second)).to.deep.equal({ index: 8, anchor: null });
    const backward = press('Home', { index: 7, anchor: null }, true);
    expect(backward && chosenBars(backward)).to.deep.equal({ first: 0, last: 7 });
  });

  it('keys that a chart does not know are left to the browser', () => {
    for (const key of ['Tab', 'a', 'Escape', 'constructor']) expect(press(key), key).to.equal(undefined);
    expect(moveByKey(nothingPointed, { key: 'End', shiftKey: false }, 0)).to.equal(undefined);
  });
});

describe('the bars that are pointed at', () => {
  it('the bars that are pointed at are dropped once the chart has fewer bars', () => {
    const pointed = { index: 2, anchor: 7 };
    expect(presentBars(pointed, 8)).to.equal(pointed);
    expect(presentBars(pointed, 7)).to.deep.equal({ index: 2, anchor: null });
    expect(presentBars(pointed, 2)).to.equal(nothingPointed);
    expect(presentBars(nothingPointed, 0)).to.equal(nothingPointed);
  });
});

describe('the labels of an axis', () => {
  it('labels name a new day or year once', () => {
    const start = Date.UTC(2026, 4, 1, 20);
    expect(timeLabels([start, start + 3 * hour, start + 6 * hour], 'hour', 'UTC')).to.deep.equal([
      '20:00\n1 May',
      '23:00',
      '02:00\n2 May',
    ]);
    const days = [Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1)];
    expect(timeLabels(days, 'day', 'UTC')).to.deep.equal(['31 Dec\n2025', '1 Jan\n2026']);
  });

  it('values are round, and the last one is at least the largest bar', () => {
    expect(axisValues(4, true)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(axisValues(0.23, false).map((value) => Number(value.toFixed(6)))).to.deep.equal([
      0, 0.05, 0.1, 0.15, 0.2, 0.25,
    ]);
    for (const max of [1e-9, 0.7, 1, 99, 12_345])
      expect(axisValues(max, false).at(-1)).to.be.at.least(max * (1 - 1e-9));
  });

  it('labels have as many decimals of a dollar as tell them apart', () => {
    expect([usdLabel(0, 1), usdLabel(3, 1), usdLabel(0.5, 0.5), usdLabel(0.002, 0.001)]).to.deep.equal([
      '$0',
      '$3',
      '$0.50',
      '$0.002',
    ]);
    expect(usdLabel(2e-9, 1e-9)).to.equal('$2e-9');
    expect(usdLabel(20_000, 10_000)).to.equal('$20K');
  });
});
