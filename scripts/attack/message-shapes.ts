import type { Attack } from './attack.ts';
import { post } from './post.ts';
import { makeHostileBatch, workerShapes } from './worker-shapes.ts';

const names = ['one letter', 'two kinds of spaces', 'digits and hyphens'];

/** Batches of the largest messages, whose texts take a worker the longest to count or to scan. */
export function messageShapes(): Attack[] {
  return workerShapes
    .filter(({ name }) => names.includes(name))
    .map((shape) => {
      const body = Buffer.from(JSON.stringify(makeHostileBatch(shape)));
      return {
        name: `19 messages of 256 KiB: ${shape.name}`,
        response: { status: 202 },
        send: ({ url, scenarioId }) =>
          post(`${url}/ingest`, body, {
            'X-Scenario-ID': scenarioId,
            Prefer: 'respond-async',
          }),
      };
    });
}
