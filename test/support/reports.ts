import { expect } from 'chai';
import { extractText, getDocumentProxy } from 'unpdf';
import { formatMoney, moneyDecimals, parseDecimal } from '../../shared/cost/money.ts';
import type { Sender } from './members.ts';
import { successOf } from './requests.ts';
import { waitUntil } from './wait-until.ts';

export interface ReportResponse {
  id: string;
  status: string;
  progress: number;
  size_bytes: number | null;
  sha256: string | null;
}

/** Requests a report. */
export async function requestReport(
  { send }: Pick<Sender, 'send'>,
  scenarioId: string,
  body: object = { format: 'csv' },
): Promise<ReportResponse & Record<string, unknown>> {
  return (await successOf(send('POST', `/api/v1/scenarios/${scenarioId}/reports`, { body }))).body;
}

/** Waits until a report is no longer queued or rendered. */
export async function finishedReport({ send }: Pick<Sender, 'send'>, id: string): Promise<ReportResponse> {
  return waitUntil('the report to be finished', async () => {
    const { body } = await successOf(send('GET', `/api/v1/reports/${id}`));
    return ['queued', 'rendering'].includes(body.status) ? undefined : body;
  });
}

/** Requests a report and waits until it is ready. */
export async function readyReport(
  sender: Pick<Sender, 'send'>,
  scenarioId: string,
  body?: object,
): Promise<ReportResponse> {
  const { id } = await requestReport(sender, scenarioId, body);
  const report = await finishedReport(sender, id);
  expect(report, JSON.stringify(report)).to.deep.include({ status: 'ready', progress: 100 });
  return report;
}

/** Reads CSV as RFC 4180 describes it: the rows as objects, by the names of the header. */
export function parseCsv(text: string): Record<string, string>[] {
  expect(text.endsWith('\r\n')).to.equal(true);
  const rows: string[][] = [[]];
  let cell = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        cell += text[at];
        if (text[at] === '"') at += 1;
      }
    } else if (text[at] === ',' || text.startsWith('\r\n', at)) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (text[at] === '\r') {
        rows.push([]);
        at += 1;
      }
    } else cell += text[at];
  }
  const [head = [], ...body] = rows.slice(0, -1);
  return body.map((row) => {
    expect(row.length).to.equal(head.length);
    return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
  });
}

/** The exact sum of a column, with 12 decimals. */
export function sumColumn(rows: readonly Record<string, string>[], name: string): string {
  return formatMoney(rows.reduce((sum, row) => sum + parseDecimal(row[name] || '0', moneyDecimals), 0n));
}

/** The text of a PDF, in the order of its pages. */
export async function readPdfText(file: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(file);
  try {
    return (await extractText(document)).text.join('\n');
  } finally {
    await document.destroy();
  }
}
