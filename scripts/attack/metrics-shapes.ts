import { setTimeout as delay } from 'node:timers/promises';
import { day, hour, second } from '../../shared/durations.ts';
import type { Attack, AttackSizes, AttackTarget } from './attack.ts';
import { post } from './post.ts';

const firstHour = Date.UTC(2010, 0, 1);
/** An earlier time is that of a clock that was not set. */
const firstDay = Date.UTC(1990, 0, 1);
const batchSize = 1000;
const retryMs = 1 * second;

/**
 * Metrics of a scenario whose entries are as far apart as possible, or in as many hours as
 * possible.
 */
export function metricsShapes({ days, hours }: Pick<AttackSizes, 'days' | 'hours'>): Attack[] {
  const farApart = [firstDay, Date.now()];
  const manyHours = Array.from({ length: hours }, (_, index) => firstHour + index * hour);
  const manyDays = Array.from({ length: days }, (_, index) => firstDay + index * day + (index % 24) * hour);
  return [
    shape('metrics of the first and the last possible entry', farApart, 'interval=hour'),
    shape('daily metrics of the first and the last possible entry', farApart, 'interval=day'),
    shape(`metrics of ${hours.toLocaleString('en')} hours`, manyHours, 'interval=hour'),
    shape('metrics of as many days as there are', manyDays, ''),
  ];
}

function shape(name: string, timestamps: readonly number[], query: string): Attack {
  return {
    name,
    response: { status: 200 },
    prepare: async (target) => {
      await ingest(target, timestamps);
      // Metrics are refused while more usage is pending than one request may read.
      while ((await readMetrics(target, query)) === 503) await delay(retryMs);
    },
    send: async (target) => ({ status: await readMetrics(target, query), code: undefined, sentBytes: 0 }),
  };
}

async function readMetrics({ url, scenarioId }: AttackTarget, query: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/scenarios/${scenarioId}/metrics?${query}`);
  await response.arrayBuffer();
  return response.status;
}

async function ingest({ url, scenarioId }: AttackTarget, timestamps: readonly number[]): Promise<void> {
  for (let start = 0; start < timestamps.length; start += batchSize) {
    const entries = timestamps
      .slice(start, start + batchSize)
      .map((timestamp) => ({ message: 'a', timestamp: new Date(timestamp) }));
    const body = Buffer.from(JSON.stringify(entries));
    const send = async () => (await post(`${url}/ingest`, body, { 'X-Scenario-ID': scenarioId })).status;
    let status = await send();
    // A caller is paused after entries of many days.
    for (; status === 429; status = await send()) await delay(retryMs);
    if (status !== 200 && status !== 202) throw new Error(`The entries got ${status}.`);
  }
}
