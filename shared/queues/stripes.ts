import { randomInt, randomUUID } from 'node:crypto';

/**
 * A queue can have several stripes: queues of BullMQ on the masters of a Redis Cluster. Jobs are
 * assigned to them by the last four digits of their ids, which are UUIDs. So whoever knows an id
 * knows the stripe, and the ids of what must be in one stripe have the same last digits.
 */
export interface Stripes {
  /** Stripes that get new jobs. */
  readonly used: number;
  /** Stripes that can have jobs: those of an earlier configuration too. */
  readonly known: number;
}

export const oneStripe: Stripes = { used: 1, known: 1 };

/**
 * The name of a stripe of a queue, which is its hash tag too: the stripes of `ingest-entries` are
 * in turn on the masters of a Cluster whose three masters have equal shares.
 */
export const stripeName = (queue: string, stripe: number) => (stripe === 0 ? queue : `${queue}-stripe${stripe + 1}`);

const digits = 4;

/** The number of the stripe of an id, from 0. */
export const stripeOf = (id: string, { used }: Stripes) =>
  used === 1 ? 0 : Number.parseInt(id.slice(-digits), 16) % used;

/** @returns `id`, changed so that it is in the stripe of `other`. */
export const inStripeOf = (other: string, id: string) => id.slice(0, -digits) + other.slice(-digits);

/**
 * Number of new ids in a row that are in one stripe. A worker takes the next job of its stripe with
 * the command that ends the one before. A worker whose stripe was empty has to be woken for a job,
 * which costs more.
 */
const idsInRow = 16;

/**
 * Creates a function that makes ids, which are in each stripe equally often. Processes begin with
 * different stripes.
 */
export function createIds({ used }: Stripes): () => string {
  if (used === 1) return randomUUID;
  let made = randomInt(used) * idsInRow;
  return () => {
    const stripe = Math.floor(made / idsInRow) % used;
    made += 1;
    const id = randomUUID();
    const last = Number.parseInt(id.slice(-digits), 16);
    const inStripe = last - (last % used) + stripe;
    return id.slice(0, -digits) + (inStripe < 16 ** digits ? inStripe : stripe).toString(16).padStart(digits, '0');
  };
}

/** All stripes, that of the id first: where something is that was stored under the id. */
export function stripesToSearch<Stripe>(id: string, all: readonly Stripe[], stripes: Stripes): readonly Stripe[] {
  const own = all[stripeOf(id, stripes)];
  return own === undefined || all.length === 1 ? all : [own, ...all.filter((stripe) => stripe !== own)];
}

/** @returns the first result that is there. */
export async function searchStripes<Stripe, Result>(
  stripes: readonly Stripe[],
  find: (stripe: Stripe) => Promise<Result | null | undefined>,
): Promise<Result | undefined> {
  for (const stripe of stripes) {
    const found = await find(stripe);
    if (found !== null && found !== undefined) return found;
  }
  return undefined;
}
