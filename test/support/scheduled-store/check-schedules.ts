import { setImmediate as turn } from 'node:timers/promises';
import fc, { type Arbitrary, type AsyncCommand, type Scheduler } from 'fast-check';
import { second } from '../../../shared/durations.ts';
import { isLongForm } from '../long-form.ts';
import { type ArmedFault, faults, type ScheduledStore } from './scheduled-store.ts';

const schedules = isLongForm ? 10_000 : 60;
/** The steps of the commands of a phase are mixed. A phase begins when the one before has ended. */
const phases = 3;
const commandsOfPhase = 4;
/** For `it`: beside many other tests, a schedule of some milliseconds can take long. */
export const scheduleTimeout = schedules * second;

/** A command of a schedule; it starts something, or disturbs it. */
export type ScheduleCommand<Real> = AsyncCommand<object, Real, true>;

export function createCommand<Real>(name: string, run: (real: Real) => void | Promise<void>): ScheduleCommand<Real> {
  return { check: async () => true, run: async (_model, real) => run(real), toString: () => name };
}

/**
 * Runs commands in random schedules: 60, or 10,000 in the long form. `FC_SEED` and `FC_PATH`
 * repeat a schedule; a failure names them.
 * @param run makes a system for one schedule, executes the commands on it, and checks the end.
 * @param limits how many schedules, and whether the shortest one that fails is looked for.
 */
export async function checkSchedules<Real>(
  commands: readonly Arbitrary<ScheduleCommand<Real>>[],
  run: (scheduler: Scheduler, execute: (real: Real) => Promise<void>) => Promise<void>,
  { numRuns, endOnFailure }: { numRuns: number; endOnFailure: boolean } = { numRuns: schedules, endOnFailure: false },
): Promise<void> {
  // Every continuation of a step runs, so that the next step is chosen among all that wait.
  const act = async (step: () => Promise<void>) => {
    await step();
    await turn();
  };
  const phase = fc.commands<object, Real, true>([...commands], { maxCommands: commandsOfPhase, size: 'max' });
  const property = fc.asyncProperty(
    fc.scheduler({ act }),
    fc.array(phase, { minLength: phases, maxLength: phases }),
    (scheduler, lists) =>
      run(scheduler, async (real) => {
        for (const list of lists) await fc.scheduledModelRun(scheduler, () => ({ model: {}, real }), list);
      }),
  );
  const { FC_SEED: seed, FC_PATH: path } = process.env;
  const replay = { ...(seed ? { seed: Number(seed) } : {}), ...(path ? { path } : {}) };
  const details = await fc.check(property, { numRuns, endOnFailure, ...replay });
  if (!details.failed) return;
  const [first] = details.counterexamplePath?.split(':') ?? [];
  throw new Error(
    `${fc.defaultReportMessage(details)}\n\nFC_SEED=${details.seed} FC_PATH=${first} repeats this schedule.`,
    { cause: details.errorInstance },
  );
}

/** Commands that disturb a store: a fault of a later operation, or a failover. */
export function disturbances<Real extends { store: ScheduledStore }>(): Arbitrary<ScheduleCommand<Real>>[] {
  const armed = fc.record<ArmedFault>({ fault: fc.constantFrom(...faults), skipped: fc.nat({ max: 6 }) });
  return [
    armed.map((fault) => createCommand(JSON.stringify(fault), ({ store }) => store.arm(fault))),
    fc.nat({ max: 1 }).map((kept) => createCommand(`fail over, ${kept} kept`, ({ store }) => store.failOver(kept))),
  ];
}

/** At which operation a process pauses, if it does. */
export const pauses = fc.option(fc.nat({ max: 9 }), { nil: undefined });
