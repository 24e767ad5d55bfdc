import type { Models } from '../../shared/models.ts';
import type { Sums } from '../../shared/usage/stored-hour.ts';
import { firstPlan } from '../../shared/usage/usage.model.ts';
import { createUsageStore, type UncountedBatch, type UsageStore } from '../../shared/usage/usage-store.ts';

/** What a store does otherwise, or at another time. */
export type Plant = (store: UsageStore, models: Models, scenarioId: string) => Partial<UsageStore>;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* listed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Wrong protocols: the right one on another store. */
export const mistakes: Readonly<Record<string, Plant>> = {
  'a plan that is removed when it ends, so that its number is used again': (
    store,
    { usagePlan: { collection } },
    id,
  ) => ({
    readPlan: async () => {
      const plan = await store.readPlan();
      if (plan) return plan;
      await collection.insertOne(firstPlan(id) as never).catch(() => {});
      return store.readPlan();
    },
    endPlan: async (seq) => {
      await collection.deleteOne({ _id: id as never, seq, open: true });
    },
  }),
  'batches that are listed before the plan is read': (store) => {
    let batches: UncountedBatch[] = [];
    return {
      readPlan: async () => {
        batches = await collect(store.findStored());
        return store.readPlan();
      },
      findStored: () => listed(batches),
    };
  },
  'a plan that ends before its batches are marked': (store) => {
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
  },
  'batches that are marked before all hours are written': (store) => {
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
  },
  'one refused hour that is taken for the whole plan': (store) => {
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
  },
  'hours that are read before the batches': (store, _, id) => {
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
  },
  'a read that does not notice the sums of a later plan': (store) => {
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
  },
  'a plan that is ended without its number': (_, { usagePlan: { collection } }, id) => ({
    endPlan: async () => {
      await collection.updateOne({ _id: id as never }, { $set: { open: false, ids: [] } });
    },
  }),
  'reads of what no majority has': (_, models, id) => {
    const local = new Proxy(models, {
      get: (target, name: keyof Models) => ({
        ...target[name],
        collection: withoutMajority(target[name].collection),
      }),
    });
    return createUsageStore(local, id);
  },
};

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
