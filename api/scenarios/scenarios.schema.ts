import { type Static, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { Assumptions } from '../../shared/scenarios/assumptions.ts';
import { type Scenario, type ScenarioStatus, scenarioStatuses } from '../../shared/scenarios/scenario.model.ts';
import { Joi, text } from '../http/input.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { readOnlyFields } from '../http/read-only-fields.ts';
import {
  exampleScenarioId,
  nullable,
  oneOf,
  pageOf,
  present,
  timestamp,
  uuid as uuidText,
} from '../http/response-types.ts';
import { assumptionsSchema, maxNameLength, regionCode } from './assumptions.schema.ts';

export const scenarioResponse = Type.Object(
  {
    id: uuidText(),
    name: Type.String(),
    description: Type.String(),
    region: Type.String(),
    status: oneOf(scenarioStatuses),
    assumptions: Type.Unsafe<Assumptions>({ type: 'object' }),
    created_by: nullable(uuidText(), { description: 'The account that owns it; null without an owner.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    started_at: nullable(timestamp()),
    completed_at: nullable(timestamp()),
    archived_at: nullable(timestamp()),
  },
  { $id: 'Scenario' },
);

type ScenarioResponse = Static<typeof scenarioResponse>;

export const scenarioListResponse = pageOf(scenarioResponse, { $id: 'ScenarioList' });

export const presentScenario = (scenario: Scenario): ScenarioResponse => present(scenarioResponse, scenario);

export interface ScenarioCreate {
  name: string;
  description: string;
  region: string;
  assumptions: Assumptions;
}

export type ScenarioUpdate = Partial<ScenarioCreate>;

/** Fields of a response that an update can repeat, so that a client can PUT what it has read. */
export const readOnlyScenarioFields = readOnlyFields(scenarioResponse, [
  'id',
  'status',
  'created_by',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'archived_at',
]);

export const readOnlyHints = { status: 'changes by POST /api/v1/scenarios/{id}/start, /stop and /archive' };

const maxDescriptionLength = 500;

const sortFields = ['name', 'created_at', 'updated_at', 'status'] as const;

export interface ScenarioListQuery extends PageQuery {
  status?: ScenarioStatus;
  region?: string;
  search?: string;
  sort_by: (typeof sortFields)[number];
  sort_order: 'asc' | 'desc';
  include_archived: boolean;
}

/** The schemas, with the regions and models of a price book and the configured page sizes. */
export function scenarioSchemas(names: KnownNames, pageSize: Config['pageSize']) {
  const region = regionCode(names);
  const assumptions = assumptionsSchema(names);
  const name = text(1, maxNameLength).trim();
  const description = text(0, maxDescriptionLength).allow('');
  return {
    create: Joi.object<ScenarioCreate>({
      name: name.required(),
      description: description.default(''),
      region: region.required(),
      assumptions: assumptions.default(() => ({})),
    }),
    update: Joi.object<ScenarioUpdate>({ name, description, region, assumptions, ...readOnlyScenarioFields }).min(1),
    list: Joi.object<ScenarioListQuery>({
      status: Joi.string().valid(...scenarioStatuses),
      region,
      search: text(1, maxDescriptionLength)
        .trim()
        .description('Literal text, found in name and description without regard to case.'),
      sort_by: Joi.string()
        .valid(...sortFields)
        .default('created_at'),
      sort_order: Joi.string().valid('asc', 'desc').default('desc'),
      ...pageFields(pageSize),
      include_archived: Joi.boolean().default(false),
    }),
  };
}

export const repeatedFields =
  'Read-only fields are ignored if they have the present value, so that a scenario can be sent as it was read. A changed one is an error.';

/** Errors of the routes of both versions, with their causes. */
export const nameTaken = 'Another scenario has this name.';
export const unknownScenario = { NOT_FOUND: 'The scenario does not exist.' };
export const updateErrors = {
  ...unknownScenario,
  CONFLICT: nameTaken,
  INVALID_STATE:
    'The scenario is archived, or a sent field can only be changed in draft. Of the assumptions, `pipeline` and `inference.output_tokens_per_entry` can change at any time; all others must then be sent as they are.',
  PRECONDITION_FAILED: 'The scenario has changed since the version in `If-Match`.',
};

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
