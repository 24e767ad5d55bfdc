import { type Static, Type } from 'typebox';

export const exportLogsResponse = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        {
          rejectedLogRecords: Type.String({ pattern: '^\\d+$', description: 'A 64-bit integer, in JSON as text.' }),
          errorMessage: Type.String({ description: 'The reasons of the first rejected log records.' }),
        },
        { description: 'Absent if no log record is rejected.' },
      ),
    ),
  },
  { $id: 'ExportLogsServiceResponse' },
);
export type ExportLogsResponse = Static<typeof exportLogsResponse>;
