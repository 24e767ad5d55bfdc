import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { allQueues } from '../../../shared/all-queues.ts';
import * as queues from '../../../shared/queues.ts';
import { allProcessors } from '../../../workers/all-processors.ts';
import * as processors from '../../../workers/processors.ts';

describe('the registries of queues and processors', () => {
  const filesBelow = (folder: string, suffix: string) =>
    readdirSync(new URL(`../../../${folder}`, import.meta.url), { recursive: true })
      .map(String)
      .flatMap((file) => (file.endsWith(suffix) ? [file.slice(file.lastIndexOf('/') + 1, -suffix.length)] : []));

  it('have the queues and processors of every file, each under a name of its own', () => {
    for (const [all, registry, stems] of [
      [allQueues, queues, filesBelow('shared', '.queue.ts')],
      [allProcessors, processors, filesBelow('workers', '.processor.ts')],
    ] as const) {
      expect(Object.keys(all)).to.include.members(stems);
      expect(Object.keys(all)).to.have.length(Object.keys(registry).length);
    }
    expect(Object.keys(allProcessors)).to.have.members(Object.keys(allQueues));
  });
});
