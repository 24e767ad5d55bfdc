import type { ObjectSchema } from 'joi';
import type { Config } from '../../shared/config/config.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { Assumptions } from '../../shared/scenarios/assumptions.ts';
import { type ScenarioStatus, scenarioStatuses } from '../../shared/scenarios/scenario.model.ts';
import { Joi, uuid } from '../http/joi.ts';
import { readOnlyFields } from '../http/read-only.ts';
import { assumptionsSchema, maxNameLength } from './assumptions.schemas.ts';
import { regionCode } from './price-book.schemas.ts';
import { scenarioResponse } from './scenarios.presenter.ts';

export interface ScenarioCreate {
  name: string;
  description: string;
  region: string;
  assumptions: Assumptions;
}

export type ScenarioUpdate = Partial<ScenarioCreate>;

const { properties: shown } = scenarioResponse;

/** Fields of a response that an update can repeat, so that a client can PUT what it has read. */
export const readOnlyScenarioFields = readOnlyFields({
  id: shown.id,
  status: shown.status,
  created_by: shown.created_by,
  created_at: shown.created_at,
  updated_at: shown.updated_at,
  started_at: shown.started_at,
  completed_at: shown.completed_at,
  archived_at: shown.archived_at,
});

export const readOnlyHints = { status: 'changes by POST /api/v1/scenarios/{id}/start, /stop and /archive' };

const maxDescriptionLength = 500;

const sortFields = ['name', 'created_at', 'updated_at', 'status'] as const;

export interface ScenarioListQuery {
  status?: ScenarioStatus;
  region?: string;
  search?: string;
  sort_by: (typeof sortFields)[number];
  sort_order: 'asc' | 'desc';
  page: number;
  page_size: number;
  include_archived: boolean;
}

interface ScenarioSchemas {
  create: ObjectSchema<ScenarioCreate>;
  update: ObjectSchema<ScenarioUpdate>;
  list: ObjectSchema<ScenarioListQuery>;
}

export const scenarioPath = Joi.object<{ id: string }>({ id: uuid().required() });

/** The schemas, with the regions and models of a price book and the configured page sizes. */
export function scenarioSchemas(names: KnownNames, pageSize: Config['pageSize']): ScenarioSchemas {
  const region = regionCode(names);
  const assumptions = assumptionsSchema(names);
  const name = Joi.text().trim().characters(1, maxNameLength).visible();
  const description = Joi.text().allow('').characters(0, maxDescriptionLength);
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
      search: Joi.text()
        .trim()
        .characters(1, maxDescriptionLength)
        .visible()
        .description('Literal text, found in name and description without regard to case.'),
      sort_by: Joi.string()
        .valid(...sortFields)
        .default('created_at'),
      sort_order: Joi.string().valid('asc', 'desc').default('desc'),
      page: Joi.number().integer().min(1).max(1_000_000).default(1),
      page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
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
