// Arrivals in the shapes of real logs. Times are whole seconds, as in most logs.
import { seededRandom } from '../../../../../shared/seeded-random.ts';
import { randomInteger } from '../../../../support/random-choices.ts';
import type { Arrival } from './simulate-pipeline.ts';

type Random = () => number;
/** Adds `count` entries at a second. */
type Add = (second: number, count?: number) => void;

export interface ArrivalShape {
  name: string;
  hours: number;
  description: string;
  /** Whether the shape was chosen because the formulas cannot follow it. */
  isExtreme?: boolean;
  /** Bytes of an entry. Default: 100 to 300. */
  sizes?: readonly [number, number];
  /** Percent of the entries that are errors. */
  errors: number;
  generate: (random: Random, add: Add) => void;
}

const hour = 3_600;

export const arrivalShapes: readonly ArrivalShape[] = [
  {
    name: 'one a minute',
    hours: 12,
    description: 'one entry at second 7 of each minute',
    errors: 2,
    generate(_random, add) {
      for (let second = 7; second < 12 * hour; second += 60) add(second);
    },
  },
  {
    name: '1,000 a second',
    hours: 1,
    description: '1,000 entries in each of 30 seconds',
    errors: 1,
    generate(_random, add) {
      for (let second = 600; second < 630; second += 1) add(second, 1_000);
    },
  },
  {
    name: 'day and night',
    hours: 24,
    description: 'a mean of 0.02 entries a second at midnight and of 0.5 at noon, at random',
    errors: 3,
    generate(random, add) {
      for (let second = 0; second < 24 * hour; second += 1) {
        const daylight = (1 - Math.cos((2 * Math.PI * second) / (24 * hour))) / 2;
        add(second, poisson(random, 0.02 + 0.48 * daylight));
      }
    },
  },
  {
    name: 'bursts',
    hours: 6,
    description: '20 to 400 entries within 1 to 20 seconds, every 2 to 15 minutes',
    errors: 20,
    generate(random, add) {
      for (let start = 100; start < 6 * hour - 20; start += randomInteger(random, 120, 900)) {
        addCluster(random, add, {
          start,
          seconds: randomInteger(random, 1, 20),
          count: randomInteger(random, 20, 400),
        });
      }
    },
  },
  {
    name: 'even hour with a burst',
    hours: 1,
    description: 'one entry a second, and 3,000 more within a minute',
    isExtreme: true,
    errors: 5,
    generate(random, add) {
      for (let second = 0; second < hour; second += 1) add(second);
      addCluster(random, add, { start: 1_800, seconds: 60, count: 3_000 });
    },
  },
  {
    name: 'brute force',
    hours: 4,
    description:
      'sessions of attempts, each of 3 to 6 lines within 2 seconds: one of 12 minutes, the others of up to 60 seconds every 2 to 20 minutes',
    errors: 30,
    generate(random, add) {
      const attack = (start: number, end: number) => {
        for (let at = start; at < end; at += randomInteger(random, 2, 5)) {
          addCluster(random, add, { start: at, seconds: 2, count: randomInteger(random, 3, 6) });
        }
      };
      attack(4_000, 4_720);
      for (let start = 40; start < 4 * hour - 70; start += randomInteger(random, 120, 1_200)) {
        attack(start, start + randomInteger(random, 1, 60));
      }
    },
  },
  {
    name: 'system log',
    hours: 48,
    description: '2 to 23 lines within 1 to 16 seconds, with pauses of half a minute to eight hours',
    errors: 40,
    generate(random, add) {
      for (let start = 50; start < 48 * hour - 16; start += Math.ceil(30 * 960 ** random())) {
        addCluster(random, add, { start, seconds: randomInteger(random, 1, 16), count: randomInteger(random, 2, 23) });
      }
    },
  },
  {
    name: 'errors of a web server',
    hours: 16,
    description: '1 to 14 lines within 1 to 3 seconds, with pauses of 2 seconds to 80 minutes',
    errors: 35,
    generate(random, add) {
      for (let start = 20; start < 16 * hour - 3; start += Math.ceil(2 * 2_400 ** (random() ** 2))) {
        const count = Math.ceil(14 * random() ** 3);
        addCluster(random, add, { start, seconds: randomInteger(random, 1, 3), count });
      }
    },
  },
  {
    name: 'a node and its peers',
    hours: 24,
    description:
      '1 to 4 lines a minute to half an hour apart, and a quarter of an hour with a line every 1 to 3 seconds',
    errors: 60,
    generate(random, add) {
      for (let second = 10; second < 24 * hour; second += 60 * Math.ceil(30 ** random())) {
        add(second, randomInteger(random, 1, 4));
      }
      for (let second = 50_000; second < 51_000; second += randomInteger(random, 1, 3)) add(second);
    },
  },
  {
    name: 'stack traces',
    hours: 2,
    description: '0 to 4 entries of 5 to 60 KB in each second',
    isExtreme: true,
    sizes: [5_000, 60_000],
    errors: 50,
    generate(random, add) {
      for (let second = 0; second < 2 * hour; second += 1) add(second, randomInteger(random, 0, 4));
    },
  },
];

interface Cluster {
  start: number;
  seconds: number;
  count: number;
}

/** Adds entries at random seconds of a cluster. */
function addCluster(random: Random, add: Add, { start, seconds, count }: Cluster): void {
  for (let index = 0; index < count; index += 1) add(start + randomInteger(random, 0, seconds - 1));
}

/** The arrivals of a shape, ascending by time. The same seed generates the same arrivals. */
export function generateArrivals(shape: ArrivalShape, seed: number): Arrival[] {
  const random = seededRandom(seed);
  const [smallest, largest] = shape.sizes ?? [100, 300];
  const arrivals: Arrival[] = [];
  shape.generate(random, (second, count = 1) => {
    for (let index = 0; index < count; index += 1) {
      const sizeBytes = randomInteger(random, smallest, largest);
      arrivals.push({ at: second * 1_000, sizeBytes, level: random() * 100 < shape.errors ? 'error' : 'info' });
    }
  });
  return arrivals.sort((a, b) => a.at - b.at);
}

/** Moves each entry to a random millisecond of its second. */
export function scatterArrivals(arrivals: readonly Arrival[], seed: number): Arrival[] {
  const random = seededRandom(seed);
  return arrivals
    .map((arrival) => ({ ...arrival, at: arrival.at + randomInteger(random, 0, 999) }))
    .sort((a, b) => a.at - b.at);
}

/** Distributes the entries of each hour evenly over the seconds of the hour that have entries. */
export function evenOutArrivals(arrivals: readonly Arrival[]): Arrival[] {
  return splitHours(arrivals).flatMap((all) => {
    const seconds = [...new Set(all.map(({ at }) => at))];
    return all.map((arrival, index) => ({
      ...arrival,
      at: seconds[Math.floor((index * seconds.length) / all.length)]!,
    }));
  });
}

export function splitHours(arrivals: readonly Arrival[]): Arrival[][] {
  const hours: Arrival[][] = [];
  for (const arrival of arrivals) {
    const index = Math.floor(arrival.at / (hour * 1_000));
    while (hours.length <= index) hours.push([]);
    hours[index]!.push(arrival);
  }
  return hours;
}

/** A number of independent events (Knuth's method). */
function poisson(random: Random, mean: number): number {
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}
