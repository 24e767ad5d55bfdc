import type { Scenario } from '../../../shared/models/scenario.model.ts';

const time = (date: Date | null) => date?.toISOString() ?? null;

export function presentScenario(scenario: Scenario) {
  return {
    id: scenario._id,
    name: scenario.name,
    description: scenario.description,
    region: scenario.region,
    status: scenario.status,
    assumptions: scenario.assumptions,
    created_at: scenario.createdAt.toISOString(),
    updated_at: scenario.updatedAt.toISOString(),
    started_at: time(scenario.startedAt),
    completed_at: time(scenario.completedAt),
    archived_at: time(scenario.archivedAt),
  };
}

export function presentScenarioList(list: { scenarios: Scenario[]; total: number; page: number; pageSize: number }) {
  return {
    items: list.scenarios.map(presentScenario),
    total: list.total,
    page: list.page,
    page_size: list.pageSize,
  };
}
