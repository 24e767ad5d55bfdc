/**
 * Requests of tools in the format of another service, each with two log entries and an address in
 * them.
 */
export const envelopes = {
  otlp: {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] },
        scopeLogs: [
          {
            scope: {},
            logRecords: [
              { timeUnixNano: '1777636800000000000', body: { stringValue: 'from ada@example.com' } },
              { severityText: 'WARN', body: { stringValue: 'second' } },
            ],
          },
        ],
      },
    ],
  },
  loki: {
    streams: [
      {
        stream: { job: 'app' },
        values: [
          ['1777636800000000000', 'from ada@example.com', { trace_id: 'a' }],
          ['1777636800000000001', 'second'],
        ],
      },
    ],
  },
  cloudWatch: {
    messageType: 'DATA_MESSAGE',
    owner: '123456789012',
    logGroup: '/aws/lambda/app',
    logStream: '2026/05/01/[$LATEST]a',
    subscriptionFilters: ['all'],
    logEvents: [
      { id: '1', timestamp: 1777636800000, message: 'from ada@example.com' },
      { id: '2', timestamp: 1777636800001, message: 'second' },
    ],
  },
  firehose: {
    requestId: 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
    timestamp: 1777636800000,
    records: [{ data: 'ZnJvbSBhZGFAZXhhbXBsZS5jb20=' }, { data: 'c2Vjb25k' }],
  },
  azure: {
    records: [
      {
        time: '2026-05-01T12:00:00Z',
        resourceId: '/SUBSCRIPTIONS/1/RESOURCEGROUPS/A/PROVIDERS/MICROSOFT.WEB/SITES/APP',
        category: 'AppServiceHTTPLogs',
        operationName: 'Get',
        properties: { CsUsername: 'ada@example.com' },
      },
      { time: '2026-05-01T12:00:01Z', resourceId: '/A', category: 'AppServiceHTTPLogs' },
    ],
  },
} as const;

/** The lines of a bulk request to Elasticsearch. */
export const bulkLines: readonly object[] = [
  { create: { _index: 'logs' } },
  { '@timestamp': '2026-05-01T12:00:00Z', log: 'from ada@example.com' },
  { index: { _index: 'logs', _id: '1' } },
  { message: 'second' },
];
