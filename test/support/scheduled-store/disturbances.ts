import fc, { type Arbitrary } from 'fast-check';
import { createCommand, type ScheduleCommand } from './check-schedules.ts';
import { type ArmedFault, faults, type ScheduledStore } from './scheduled-store.ts';

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
