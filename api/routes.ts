// Every resource of the service, one line each.
export { apiKeyRoutes } from './accounts/api-keys.routes.ts'; //              /api/v1/api-keys
export { authRoutes } from './accounts/auth.routes.ts'; //                        /api/v1/auth
export { browserSessionRoutes } from './accounts/browser-session.routes.ts'; //    /api/v1/auth/browser-session
export { userRoutes } from './accounts/users.routes.ts'; //                      /api/v1/users
export { auditRecordRoutes } from './audit/audit-records.routes.ts'; //  /api/v1/audit-records
export { chartRoutes } from './cost/charts.routes.ts'; //                   /api/v1/scenarios/{id}/charts
export { comparisonRoutes } from './cost/comparison.routes.ts'; //      /api/v1/scenarios/compare
export { designRoutes } from './cost/designs.routes.ts'; //                 /api/v1/scenarios/{id}/designs
export { explanationRoutes } from './cost/explanation.routes.ts'; //   /api/v1/scenarios/{id}/metrics/explain
export { levelCountRoutes, metricsRoutes } from './cost/metrics.routes.ts'; //               /api/v1/scenarios/{id}/metrics
export { priceBooksRoutes } from './cost/price-books.routes.ts'; // /api/v1/price-books, /regions, /models
export { priceOverrideRoutes } from './cost/price-overrides.routes.ts'; // /api/v1/price-overrides
export { flushRoutes } from './ingest/flush.routes.ts'; //                     /flush
export { ingestRoutes } from './ingest/ingest.routes.ts'; //                  /ingest
export { ingestJobRoutes } from './ingest/ingest-jobs.routes.ts'; //     /api/v1/ingest-jobs
export { otlpRoutes } from './ingest/otlp/otlp.routes.ts'; //                          /v1/logs, /ingest/{scenario_id}/v1/logs
export { jobRoutes } from './jobs/jobs.routes.ts'; //                        /api/v1/jobs
export { notebookRoutes } from './notebooks/notebooks.routes.ts'; //          /api/v1/notebooks
export { piiKindRoutes } from './pii/pii-kinds.routes.ts'; //           /api/v1/pii-kinds
export { reportScheduleRoutes } from './reports/report-schedules.routes.ts'; // /api/v1/report-schedules
export { reportRoutes } from './reports/reports.routes.ts'; //                /api/v1/reports, /api/v1/scenarios/{id}/reports
export { scenarioRoutes, scenarioV2Routes } from './scenarios/scenarios.routes.ts'; //          /api/v1/scenarios
export { docsRoutes, openApiRoutes } from './service/docs.routes.ts'; //                        /docs
export { healthRoutes } from './service/health.routes.ts'; //                  /health
export { pageRoutes } from './service/page.routes.ts'; //                        /, /page
export { prometheusRoutes } from './service/prometheus.routes.ts'; //      /metrics
