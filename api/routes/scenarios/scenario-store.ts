import type { QueryFilter, SortOrder } from 'mongoose';
import { AppError } from '../../../shared/errors.ts';
import { type Scenario, textKeyOf } from '../../../shared/models/scenario.model.ts';
import type { OwnedScenarios } from '../../request/ownership.ts';
import type { ScenarioListQuery } from './scenarios.schemas.ts';

/** The reads of the scenario routes. Writes are in `scenario-writes.ts`. */

export function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Scenario ${id} does not exist.`);
}

export async function findScenario({ model, visible }: OwnedScenarios, id: string): Promise<Scenario> {
  // By the driver, because every request with log entries asks.
  const found = await model.collection.findOne<Scenario>({ _id: id as never, deletedAt: null, ...visible });
  if (!found) throw notFound(id);
  return found;
}

export async function listScenarios({ model, visible }: OwnedScenarios, query: ScenarioListQuery) {
  const { page, page_size: pageSize } = query;
  const filter = { ...visible, ...listFilter(query) };
  const [scenarios, total] = await Promise.all([
    model
      .find(filter)
      .sort(listSort(query))
      .skip((page - 1) * pageSize)
      .limit(pageSize)
      .lean(),
    model.countDocuments(filter),
  ]);
  return { scenarios, total };
}

function listFilter({ status, region, search, include_archived: includeArchived }: ScenarioListQuery) {
  const conditions: QueryFilter<Scenario>[] = [{ deletedAt: null }];
  if (status) conditions.push({ status });
  if (!includeArchived) conditions.push({ status: { $ne: 'archived' } });
  if (region) conditions.push({ region });
  if (search) {
    const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const inKey = { $regex: literal(textKeyOf(search)) };
    const withoutKey = { descriptionKey: null, description: { $regex: literal(search), $options: 'i' } };
    conditions.push({ $or: [{ nameKey: inKey }, { descriptionKey: inKey }, withoutKey] });
  }
  return { $and: conditions };
}

const sortKeys = { name: 'nameKey', created_at: 'createdAt', updated_at: 'updatedAt', status: 'status' } as const;

function listSort({ sort_by: sortBy, sort_order: order }: ScenarioListQuery): Record<string, SortOrder> {
  return { [sortKeys[sortBy]]: order, _id: order };
}
