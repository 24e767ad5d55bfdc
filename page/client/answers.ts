// The types of the API's answers, from the definitions that the service checks its answers against.
// Only types: nothing of the service is in the bundle.
import type { Static } from 'typebox';
import type { apiKeyAnswer, apiKeyListAnswer, newApiKeyAnswer } from '../../api/accounts/api-keys.presenter.ts';
import type { userAnswer } from '../../api/accounts/auth.presenter.ts';
import type { comparisonAnswer } from '../../api/cost/comparison.presenter.ts';
import type { estimateAnswer, projectionAnswer } from '../../api/cost/estimates.answers.ts';
import type { explanationAnswer } from '../../api/cost/explanation.presenter.ts';
import type { metricsAnswer, metricsLine } from '../../api/cost/metrics.answers.ts';
import type { modelListAnswer, regionListAnswer } from '../../api/cost/price-book.presenter.ts';
import type { ingestSummary } from '../../api/ingest/ingest.answers.ts';
import type { notebookAnswer, notebookListAnswer } from '../../api/notebooks/notebooks.presenter.ts';
import type { reportAnswer, reportListAnswer } from '../../api/reports/reports.presenter.ts';
import type { scenarioAnswer, scenarioListAnswer } from '../../api/scenarios/scenarios.presenter.ts';

export type User = Static<typeof userAnswer>;
export type ApiKey = Static<typeof apiKeyAnswer>;
export type ApiKeyList = Static<typeof apiKeyListAnswer>;
export type NewApiKey = Static<typeof newApiKeyAnswer>;
export type Scenario = Static<typeof scenarioAnswer>;
export type ScenarioList = Static<typeof scenarioListAnswer>;
export type ScenarioStatus = Scenario['status'];
export type Metrics = Static<typeof metricsAnswer>;
export type MetricsLine = Static<typeof metricsLine>;
/** The data of an event of the stream of metrics. */
export type LiveMetrics = Omit<Metrics, 'interval' | 'timeseries' | 'next'> & {
  /** Absent where the metrics were read without a stream. */
  status?: ScenarioStatus;
};
export type Estimate = Static<typeof estimateAnswer>;
export type Projection = Static<typeof projectionAnswer>;
export type Explanation = Static<typeof explanationAnswer>;
export type Comparison = Static<typeof comparisonAnswer>;
export type IngestSummary = Static<typeof ingestSummary>;
type NotebookAnswer = Static<typeof notebookAnswer>;
export type Notebook = NotebookAnswer['data'];
export type NotebookList = Static<typeof notebookListAnswer>['data'];
export type Region = Static<typeof regionListAnswer>['items'][number];
export type RegionList = Static<typeof regionListAnswer>;
export type Model = Static<typeof modelListAnswer>['items'][number];
export type ModelList = Static<typeof modelListAnswer>;
export type Report = Static<typeof reportAnswer>;
export type ReportList = Static<typeof reportListAnswer>;
export type Service = MetricsLine['service'];
