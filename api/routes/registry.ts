// Every resource of the service, one line each.
export { apiKeyRoutes } from './api-keys/api-keys.routes.ts'; //              /api/v1/api-keys
export { auditRecordRoutes } from './audit-records/audit-records.routes.ts'; //  /api/v1/audit-records
export { authRoutes } from './auth/auth.routes.ts'; //                        /api/v1/auth
export { browserSessionRoutes } from './auth/browser-session.routes.ts'; //    /api/v1/auth/browser-session
export { chartRoutes } from './charts/charts.routes.ts'; //                   /api/v1/scenarios/{id}/charts
export { comparisonRoutes } from './comparison/comparison.routes.ts'; //      /api/v1/scenarios/compare
export { docsRoutes } from './docs/docs.routes.ts'; //                        /docs
export { estimateRoutes } from './estimates/estimates.routes.ts'; //            /api/v1/scenarios/{id}/estimate, …/projection
export { explanationRoutes } from './explanation/explanation.routes.ts'; //   /api/v1/scenarios/{id}/metrics/explain
export { flushRoutes } from './flush/flush.routes.ts'; //                     /flush
export { healthRoutes } from './health/health.routes.ts'; //                  /health
export { ingestRoutes } from './ingest/ingest.routes.ts'; //                  /ingest
export { ingestJobRoutes } from './ingest-jobs/ingest-jobs.routes.ts'; //     /api/v1/ingest-jobs
export { jobRoutes } from './jobs/jobs.routes.ts'; //                        /api/v1/jobs
export { metricsRoutes } from './metrics/metrics.routes.ts'; //               /api/v1/scenarios/{id}/metrics
export { metricsStreamRoutes } from './metrics-stream/metrics-stream.routes.ts'; // /api/v1/scenarios/{id}/metrics/stream
export { notebookRoutes } from './notebooks/notebooks.routes.ts'; //          /api/v1/notebooks
export { openApiRoutes } from './openapi/openapi.routes.ts'; //               /openapi.json
export { otlpRoutes } from './otlp/otlp.routes.ts'; //                          /v1/logs, /ingest/{scenario_id}/v1/logs
export { pageRoutes } from './page/page.routes.ts'; //                        /, /page
export { piiKindRoutes } from './pii-kinds/pii-kinds.routes.ts'; //           /api/v1/pii-kinds
export { priceBookRoutes } from './price-book/price-book.routes.ts'; //        /api/v1/regions, /api/v1/models
export { prometheusRoutes } from './prometheus/prometheus.routes.ts'; //      /metrics
export { reportScheduleRoutes } from './report-schedules/report-schedules.routes.ts'; // /api/v1/report-schedules
export { reportRoutes } from './reports/reports.routes.ts'; //                /api/v1/reports, /api/v1/scenarios/{id}/reports
export { scenarioRoutes } from './scenarios/scenarios.routes.ts'; //          /api/v1/scenarios
export { scenarioV2Routes } from './scenarios/scenarios-v2.routes.ts'; //       /api/v2/scenarios
export { userRoutes } from './users/users.routes.ts'; //                      /api/v1/users
