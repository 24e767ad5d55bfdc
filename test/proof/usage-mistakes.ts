import type { Models } from '../../shared/models.ts';
import type { Sums } from '../../shared/usage/stored-hour.ts';
import { firstPlan } from '../../shared/usage/usage.model.ts';
import { createUsageStore, type UncountedBatch, type UsageStore } from '../../shared/usage/usage-store.ts';
import type { StaleReads } from '../support/scheduled-store/scheduled-store.ts';

/** A wrong protocol: the right one on a store that does something else, or at another time. */
export interface Mistake {
  readonly name: string;
  readonly stale?: StaleReads;
  plant(models: Models, scenarioId: string): UsageStore;
}

type Plant = (store: UsageStore, models: Models, scenarioId: string) => Partial<UsageStore>;

function plantedBy(plant: Plant): Mistake['plant'] {
  return (models, scenarioId) => {
    const store = createUsageStore(models, scenarioId);
    return { ...store, ...plant(store, models, scenarioId) };
  };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* listed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const unchanged = plantedBy(() => ({}));

export const mistakes: readonly Mistake[] = [
  {
    name: 'a plan that is removed when it ends, so that its number is used again',
    plant: plantedBy((store, { usagePlan: { collection } }, id) => ({
      readPlan: async () => {
        const plan = await store.readPlan();
        if (plan) return plan;
        await collection.insertOne(firstPlan(id) as never).catch(() => {});
        return store.readPlan();
      },
      endPlan: async (seq) => {
        await collection.deleteOne({ _id: id as never, seq, open: true });
      },
    })),
  },
  {
    name: 'batches that are listed before the plan is read',
    plant: plantedBy((store) => {
      let batches: UncountedBatch[] = [];
      return {
        readPlan: async () => {
          batches = await collect(store.findStored());
          return store.readPlan();
        },
        findStored: () => listed(batches),
      };
    }),
  },
  {
    name: 'a plan that ends before its batches are marked',
    plant: plantedBy((store) => {
      let marked: readonly string[] = [];
      return {
        markCounted: async (ids) => {
          marked = ids;
        },
        endPlan: async (seq) => {
          await store.endPlan(seq);
          await store.markCounted(marked);
        },
      };
    }),
  },
  {
    name: 'batches that are marked before all hours are written',
    plant: plantedBy((store) => {
      let planned: readonly string[] = [];
      return {
        openPlan: (before, ids) => {
          planned = ids;
          return store.openPlan(before, ids);
        },
        writeSums: async (kind, writes) => {
          const isFirstWritten = await store.writeSums(kind, writes.slice(0, 1));
          await store.markCounted(planned);
          return (await store.writeSums(kind, writes.slice(1))) && isFirstWritten;
        },
      };
    }),
  },
  {
    name: 'one refused hour that is taken for the whole plan',
    plant: plantedBy((store) => {
      let isRefused = false;
      return {
        readPlan: () => {
          isRefused = false;
          return store.readPlan();
        },
        findSums: (kind, ids, options) =>
          isRefused ? listed(ids.map((_id) => ({ _id, seq: Infinity }) as never)) : store.findSums(kind, ids, options),
        writeSums: async (kind, writes) => {
          if (!(await store.writeSums(kind, writes))) isRefused = true;
          return true;
        },
      };
    }),
  },
  {
    name: 'hours that are read before the batches',
    plant: plantedBy((store, _, id) => {
      const early = new Map<keyof Sums, unknown[]>();
      const all = { from: id, to: `${id}~` };
      return {
        findUncounted: async function* (options) {
          for (const kind of ['hours', 'days'] as const)
            early.set(kind, await collect(store.listSums(kind, all, options)));
          yield* store.findUncounted(options);
        },
        listSums: (kind) => listed((early.get(kind) ?? []) as never[]),
      };
    }),
  },
  {
    name: 'a read that does not notice the sums of a later plan',
    plant: plantedBy((store) => {
      let last = 0;
      let isRead = false;
      const cut = <Sum extends { seq: number }>(sum: Sum): Sum =>
        isRead ? { ...sum, seq: Math.min(sum.seq, last) } : sum;
      return {
        readPlan: async () => {
          isRead = false;
          const plan = await store.readPlan();
          last = plan?.seq ?? 0;
          return plan;
        },
        findUncounted: (options) => {
          isRead = true;
          return store.findUncounted(options);
        },
        findSums: async function* (kind, ids, options) {
          for await (const sum of store.findSums(kind, ids, options)) yield cut(sum);
        },
        listSums: async function* (kind, range, options) {
          for await (const sum of store.listSums(kind, range, options)) yield cut(sum);
        },
      };
    }),
  },
  {
    name: 'a plan that is ended without its number',
    plant: plantedBy((_, { usagePlan: { collection } }, id) => ({
      endPlan: async () => {
        await collection.updateOne({ _id: id as never }, { $set: { open: false, ids: [] } });
      },
    })),
  },
  {
    name: 'batches that a member reads which is behind',
    stale: { collection: 'log_batches', changes: 6 },
    plant: unchanged,
  },
  {
    name: 'reads of what no majority has',
    plant: (models, id) => {
      const local = new Proxy(models, {
        get: (target, name: keyof Models) => ({
          ...target[name],
          collection: withoutMajority(target[name].collection),
        }),
      });
      return createUsageStore(local, id);
    },
  },
];

function withoutMajority<Collection extends object>(collection: Collection): Collection {
  return new Proxy(collection, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (name !== 'find' && name !== 'findOne') return method.bind(target);
      return (filter: object, options: object) => method.call(target, filter, { ...options, readConcern: undefined });
    },
  });
}
