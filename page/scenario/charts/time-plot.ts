// Before uPlot.
import './valid-language.ts';
import uPlot from 'uplot';
import { second } from '../../../shared/durations.ts';
import { isUtc } from '../../format/times.ts';
import { countLabel, timeLabels, usdLabel, wholeDistances } from './axis-labels.ts';
import { type Bars, chosenBars, type PointedBars } from './pointed-bars.ts';
import type { Stack } from './stacks.ts';

export interface PlotShape {
  readonly unit: 'usd' | 'entries';
  /** The custom properties of the colours of the series. */
  readonly colors: readonly string[];
  /** Hours are shown in the chosen zone; days and months are those of UTC. */
  readonly isByHour: boolean;
}

export interface PlotData {
  /** The start of each bar, and the end of the last one, in epoch milliseconds. */
  readonly edges: readonly number[];
  readonly stacks: readonly Stack[];
}

const labelFont = '12px system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif';
const labelWidth = 7;
/** Fits both A4 and Letter, at 96 CSS pixels an inch. */
const printWidth = 660;
const narrowBelow = 480;
/** The share of its step that is left between two bars; gaps of less than a pixel are left out. */
const gap = 0.1;

/** Stacked bars over time on a canvas. Several changes between two frames are drawn once. */
export class TimePlot {
  readonly #box: HTMLElement;
  readonly #shape: PlotShape;
  readonly #plot: uPlot;
  readonly #bands = { pointed: band('pointed-bar'), chosen: band('chosen-bars') };
  #data: PlotData = { edges: [], stacks: [] };
  #pointed: PointedBars = { index: null, anchor: null };
  #frame: number | undefined;

  constructor(box: HTMLElement, shape: PlotShape) {
    this.#box = box;
    this.#shape = shape;
    this.#plot = new uPlot(this.#optionsOf(shape), [[], []], box);
    this.#plot.over.append(this.#bands.chosen, this.#bands.pointed);
    addEventListener('beforeprint', this.#print);
    addEventListener('afterprint', this.#print);
  }

  setData(data: PlotData): void {
    this.#data = data;
    this.#request();
  }

  setPointed(pointed: PointedBars): void {
    this.#pointed = pointed;
    this.#placeBands();
  }

  /** After a change of the width, or of the colours. */
  redraw(): void {
    this.#request();
  }

  /** The bar at a position of the pointer, or the one before it; null without bars. */
  barAt(clientX: number): number | null {
    const count = this.#data.edges.length - 1;
    if (count < 1) return null;
    const time = this.#plot.posToVal(clientX - this.#plot.over.getBoundingClientRect().left, 'x') * second;
    const index = this.#data.edges.findLastIndex((edge) => edge <= time);
    return Math.max(0, Math.min(count - 1, index));
  }

  destroy(): void {
    removeEventListener('beforeprint', this.#print);
    removeEventListener('afterprint', this.#print);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#plot.destroy();
  }

  /** The print has no frame to wait for, and another width than the window. */
  readonly #print = ({ type }: Event): void => this.#draw(type === 'beforeprint' ? printWidth : undefined);

  #draw(width = this.#box.clientWidth): void {
    const { edges, stacks } = this.#data;
    this.#plot.batch(() => {
      this.#plot.setSize(sizeFor(width));
      // The ends of whole bars, from which the scale follows.
      this.#plot.setData([edges.slice(0, -1).map((edge) => edge / second), [...(stacks.at(-1) ?? [])]]);
    });
    this.#placeBands();
  }

  #request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  #placeBands(): void {
    const chosen = chosenBars(this.#pointed);
    const { index } = this.#pointed;
    this.#place(this.#bands.pointed, index === null ? null : { first: index, last: index });
    this.#place(this.#bands.chosen, chosen);
  }

  #place({ style }: HTMLElement, bars: Bars | null): void {
    const start = bars && this.#data.edges[bars.first];
    const end = bars && this.#data.edges[bars.last + 1];
    const isShown = typeof start === 'number' && typeof end === 'number';
    style.display = isShown ? 'block' : 'none';
    if (!isShown) return;
    const left = this.#plot.valToPos(start / second, 'x');
    style.left = `${left}px`;
    style.width = `${Math.max(1, this.#plot.valToPos(end / second, 'x') - left)}px`;
  }

  /** Rectangles at whole pixels: browsers take much longer for a path of a year of bars. */
  readonly #drawBars = (plot: uPlot): void => {
    const { edges, stacks } = this.#data;
    const position = (value: number, scale: 'x' | 'y') => Math.round(plot.valToPos(value, scale, true));
    for (const [part, ends] of stacks.entries()) {
      plot.ctx.fillStyle = this.#color(this.#shape.colors[part] ?? '');
      for (const [bar, end] of ends.entries()) {
        if (end === null) continue;
        const left = position((edges[bar] ?? 0) / second, 'x');
        const step = position((edges[bar + 1] ?? 0) / second, 'x') - left;
        const top = position(end, 'y');
        const bottom = position(stacks[part - 1]?.[bar] ?? 0, 'y');
        plot.ctx.fillRect(left, top, Math.max(1, step - Math.floor(step * gap)), bottom - top);
      }
    }
  };

  #color(name: string): string {
    return getComputedStyle(this.#box).getPropertyValue(name).trim();
  }

  #optionsOf({ unit, isByHour }: PlotShape): uPlot.Options {
    const color = (name: string) => () => this.#color(name);
    const zone = () => (isByHour && !isUtc.value ? undefined : 'Etc/UTC');
    const axis: uPlot.Axis = {
      font: labelFont,
      stroke: color('--muted'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
    };
    return {
      ...sizeFor(this.#box.clientWidth),
      padding: [12, 24, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      tzDate: (time) => (zone() ? uPlot.tzDate(new Date(time * second), 'Etc/UTC') : new Date(time * second)),
      scales: {
        x: { time: true, range: () => this.#timeRange() },
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 70,
          size: 44,
          values: (_plot, splits, _axis, _space, distance) => timeLabels(splits, distance, zone()),
        },
        {
          ...axis,
          ...(unit === 'entries' ? { incrs: wholeDistances } : {}),
          size: (_plot, values) => 14 + labelWidth * Math.max(3, ...(values ?? []).map(({ length }) => length)),
          values: (_plot, splits, _axis, _space, distance) =>
            splits.map((value) => (unit === 'usd' ? usdLabel(value, distance) : countLabel(value))),
        },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: { draw: [this.#drawBars] },
    };
  }

  #timeRange(): [number, number] {
    const { edges } = this.#data;
    return [(edges[0] ?? 0) / second, (edges.at(-1) ?? second) / second];
  }
}

const sizeFor = (width: number) => ({ width: Math.max(200, width), height: width < narrowBelow ? 220 : 280 });

function band(name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  return element;
}
