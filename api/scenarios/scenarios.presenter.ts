import { type Static, Type } from 'typebox';
import type { Assumptions } from '../../shared/scenarios/assumptions.ts';
import { type Scenario, scenarioStatuses } from '../../shared/scenarios/scenario.model.ts';
import { nullable, oneOf, pageOf, timestamp, uuid } from '../http/response-types.ts';

export const scenarioResponse = Type.Object(
  {
    id: uuid(),
    name: Type.String(),
    description: Type.String(),
    region: Type.String(),
    status: oneOf(scenarioStatuses),
    assumptions: Type.Unsafe<Assumptions>({ type: 'object' }),
    created_by: nullable(uuid(), { description: 'The account that owns it; null without an owner.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    started_at: nullable(timestamp()),
    completed_at: nullable(timestamp()),
    archived_at: nullable(timestamp()),
  },
  { $id: 'Scenario' },
);

export type ScenarioResponse = Static<typeof scenarioResponse>;

export const scenarioListResponse = pageOf(scenarioResponse, { $id: 'ScenarioList' });

export function presentScenario(scenario: Scenario): ScenarioResponse {
  return {
    id: scenario._id,
    name: scenario.name,
    description: scenario.description,
    region: scenario.region,
    status: scenario.status,
    assumptions: scenario.assumptions,
    created_by: scenario.createdBy ?? null,
    created_at: scenario.createdAt.toISOString(),
    updated_at: scenario.updatedAt.toISOString(),
    started_at: timeOrNull(scenario.startedAt),
    completed_at: timeOrNull(scenario.completedAt),
    archived_at: timeOrNull(scenario.archivedAt),
  };
}

const timeOrNull = (date: Date | null) => date?.toISOString() ?? null;
