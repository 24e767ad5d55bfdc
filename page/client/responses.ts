// The types of the API's responses, from the definitions that the service checks them against.
// Only types: nothing of the service is in the bundle.
import type { Static } from 'typebox';
import type {
  accountListResponse,
  accountResponse,
  newAccountResponse,
  passwordLinkResponse,
  userResponse,
} from '../../api/accounts/accounts.schema.ts';
import type { apiKeyListResponse, apiKeyResponse, newApiKeyResponse } from '../../api/accounts/api-keys.schema.ts';
import type { comparisonResponse } from '../../api/cost/comparison.routes.ts';
import type { Designs } from '../../api/cost/designs.schema.ts';
import type { explanationResponse } from '../../api/cost/explanation.routes.ts';
import type { levelCountsResponse } from '../../api/cost/metrics.routes.ts';
import type { metricsLine, metricsResponse } from '../../api/cost/metrics.schema.ts';
import type { modelListResponse, regionListResponse } from '../../api/cost/price-books.routes.ts';
import type { ingestSummary } from '../../api/ingest/ingest.schema.ts';
import type { notebookListResponse, notebookResponse } from '../../api/notebooks/notebooks.routes.ts';
import type { reportListResponse, reportResponse } from '../../api/reports/reports.schema.ts';
import type { scenarioListResponse, scenarioResponse } from '../../api/scenarios/scenarios.schema.ts';

export type User = Static<typeof userResponse>;
export type ApiKey = Static<typeof apiKeyResponse>;
export type ApiKeyList = Static<typeof apiKeyListResponse>;
export type NewApiKey = Static<typeof newApiKeyResponse>;
export type Scenario = Static<typeof scenarioResponse>;
export type ScenarioList = Static<typeof scenarioListResponse>;
export type ScenarioStatus = Scenario['status'];
export type Metrics = Static<typeof metricsResponse>;
export type LevelCounts = Static<typeof levelCountsResponse>;
type MetricsLine = Static<typeof metricsLine>;
/** The metrics without rows. */
export type LiveMetrics = Omit<Metrics, 'interval' | 'timeseries' | 'next'>;
export type { Designs };
/** A design with its usage and cost. */
export type DesignCost = Designs['present'];
export type Explanation = Static<typeof explanationResponse>;
export type Comparison = Static<typeof comparisonResponse>;
export type IngestSummary = Static<typeof ingestSummary>;
type NotebookResponse = Static<typeof notebookResponse>;
export type Notebook = NotebookResponse['data'];
export type NotebookList = Static<typeof notebookListResponse>['data'];
export type Region = Static<typeof regionListResponse>['items'][number];
export type RegionList = Static<typeof regionListResponse>;
export type Model = Static<typeof modelListResponse>['items'][number];
export type ModelList = Static<typeof modelListResponse>;
export type Report = Static<typeof reportResponse>;
export type ReportList = Static<typeof reportListResponse>;
export type Service = MetricsLine['service'];
export type Account = Static<typeof accountResponse>;
export type AccountList = Static<typeof accountListResponse>;
export type NewAccount = Static<typeof newAccountResponse>;
export type PasswordLink = Static<typeof passwordLinkResponse>;
