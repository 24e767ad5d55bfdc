import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { allQueues } from '../../../shared/all-queues.ts';
import { queuesByName } from '../../../shared/queues/define-queue.ts';
import * as registry from '../../../shared/queues.ts';

describe('the registry of queues', () => {
  it('contains the queue of every file, under its name', () => {
    const files = readdirSync(new URL('../../../shared', import.meta.url), { recursive: true }).map(String);
    const stems = files.flatMap((file) => /([^/\\]+)\.queue\.ts$/.exec(file)?.[1] ?? []);
    expect(Object.keys(allQueues)).to.have.members(stems);
    for (const [name, definition] of Object.entries(allQueues)) expect(definition.name).to.equal(name);
  });

  it('refuses two definitions with the same name, at compile time and at start', () => {
    const twice = { ...registry, again: registry.rollUpUsageQueue };
    // @ts-expect-error -- two definitions name their queue roll-up-usage
    expect(() => queuesByName(twice)).to.throw(TypeError, 'Two definitions name their queue roll-up-usage.');
  });
});
