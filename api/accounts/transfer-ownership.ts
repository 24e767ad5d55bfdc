import type { QueryFilter } from 'mongoose';
import type { AuditEvent } from '../../shared/audit/audit-record.model.ts';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { type Scenario, type ScenarioModel, textKeyOf } from '../../shared/scenarios/scenario.model.ts';
import type { OwnedModels } from '../app-deps.ts';
import { createEvent, type ScenarioWriter, write } from '../scenarios/scenario-writer.ts';
import { maxNameLength } from '../scenarios/scenarios.schemas.ts';

/**
 * Makes another account the owner of what an account owns. It can be repeated after an
 * interruption.
 * @param writer an admin's, which reaches all scenarios.
 */
export async function transferOwnership(
  { notebook, report, reportSchedule }: Omit<OwnedModels, 'scenario'>,
  writer: ScenarioWriter,
  from: string,
  to: string,
): Promise<void> {
  await notebook.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await report.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await reportSchedule.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await write(writer, () => transferScenarios(writer, from, to));
}

async function transferScenarios(writer: ScenarioWriter, from: string, to: string): Promise<void> {
  const scenario = writer.scenarios.model;
  const event = createEvent(writer, 'SCENARIO_UPDATED', { fields: ['created_by'] });
  try {
    await scenario.updateMany(
      { createdBy: from },
      { $set: { createdBy: to }, $inc: { revision: 1 }, $push: { pendingAudit: event } },
    );
    return;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // The new owner has scenarios of the same names, so transferred ones get a number.
  for await (const { _id, name } of scenario.find({ createdBy: from }, { name: 1 }).lean<Scenario[]>().cursor()) {
    const change = { createdBy: to };
    let transferred = await updateUnlessTaken(scenario, { _id, createdBy: from }, change, event);
    for (let number = 2; !transferred; number += 1) {
      const newName = numbered(name, number);
      const renamed = { ...change, name: newName, nameKey: textKeyOf(newName) };
      const renaming = createEvent(writer, 'SCENARIO_UPDATED', { fields: ['created_by', 'name'] });
      transferred = await updateUnlessTaken(scenario, { _id, createdBy: from, deletedAt: null }, renamed, renaming);
    }
  }
}

/** @returns false if the new owner has another scenario of the name. */
async function updateUnlessTaken(
  scenario: ScenarioModel,
  which: QueryFilter<Scenario>,
  change: Partial<Scenario>,
  event: AuditEvent,
): Promise<boolean> {
  try {
    await scenario.updateOne(which, { $set: change, $inc: { revision: 1 }, $push: { pendingAudit: event } });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** `Peak season (2)`, cut to the longest name. */
function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  const start = Array.from(name).slice(0, maxNameLength - suffix.length);
  return start.join('').trimEnd() + suffix;
}
