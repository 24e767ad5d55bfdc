import type { Static } from 'typebox';
import type { ScenarioResponse, scenarioListResponse } from './scenarios.presenter.ts';

export const exampleScenarioId = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';

/** The response to the example of `createScenario`. */
export const draftExample: ScenarioResponse = {
  id: exampleScenarioId,
  name: 'Peak season',
  description: '',
  region: 'eu-west-1',
  status: 'draft',
  assumptions: { function: { memory_mb: 512 } },
  created_by: '1d8f6c52-7e0b-4a39-b6c4-58a2f9e3d071',
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
  started_at: null,
  completed_at: null,
  archived_at: null,
};

const started: ScenarioResponse = {
  ...draftExample,
  status: 'running',
  updated_at: '2026-05-01T13:00:00.000Z',
  started_at: '2026-05-01T13:00:00.000Z',
};
const completed: ScenarioResponse = {
  ...started,
  status: 'completed',
  updated_at: '2026-05-02T13:00:00.000Z',
  completed_at: '2026-05-02T13:00:00.000Z',
};

/** The scenario after each transition. */
export const transitionExamples = {
  start: started,
  stop: completed,
  archive: {
    ...completed,
    status: 'archived',
    updated_at: '2026-06-01T08:30:00.000Z',
    archived_at: '2026-06-01T08:30:00.000Z',
  },
} satisfies Record<string, ScenarioResponse>;

export const scenarioListExample: Static<typeof scenarioListResponse> = {
  items: [started],
  total: 1,
  page: 1,
  page_size: 20,
};
