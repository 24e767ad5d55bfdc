// Sends a flood until it is stopped. It is run by main.ts in a process of its own, and reports
// over IPC how many requests had which outcome.
import { constants, setPriority } from 'node:os';
import { type FloodTarget, floods, sendFlood } from './floods.ts';

// Attackers have machines of their own. Here, they share the cores with the service.
setPriority(constants.priority.PRIORITY_LOW);

process.once('message', ({ name, target }: { name: string; target: FloodTarget }) => {
  const flood = floods().find((candidate) => candidate.name === name);
  if (!flood) throw new Error(`There is no flood ${name}.`);
  const stop = new AbortController();
  const outcomes = sendFlood(flood, target, stop.signal);
  process.send?.('started');
  process.once('message', () => {
    stop.abort();
    void outcomes.then((counts) => process.send?.([...counts]));
  });
});
process.on('disconnect', () => process.exit());
