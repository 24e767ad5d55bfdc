import { formatBytes } from '../../shared/amounts.ts';
import { queryClient, read, write } from '../client/api.ts';
import type { Report, ReportList } from '../client/responses.ts';
import { accountId, authorized } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Question } from '../components/dialog.tsx';
import { Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Empty, ErrorNote } from '../components/states.tsx';
import { actionsColumn, numberColumn } from '../components/table.tsx';
import { useAction } from '../components/use-action.ts';
import { inPageWords } from '../format/page-words.ts';
import { formatSpan, formatStart } from '../format/times.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';
import type { PartProps } from './part-props.ts';

const reportsPerPage = 10;
/** In ms: how often reports in progress are polled. */
const pollEvery = 1_000;

const formatChoices = [
  { value: 'pdf', text: 'PDF: tables and charts, for reading' },
  { value: 'csv', text: 'CSV: one row per hour and service' },
  { value: 'csv-entries', text: 'CSV: one row per entry' },
];

const stateNames: Readonly<Record<Report['status'], string>> = {
  queued: 'Waiting',
  rendering: 'Being made',
  ready: 'Ready',
  failed: 'Failed',
  expired: 'Deleted after its time',
};

/** PDF and CSV reports of a scenario, in the chosen period. */
export function ReportsPart({ scenario, bounds }: PartProps) {
  // The form stays while the person is asked to sign in again.
  if (accountId.value === '') {
    return (
      <Empty title="Reports need an account.">
        <p>
          <a href="#/sign-in">Sign in</a> or <a href="#/register">register</a>.
        </p>
      </Empty>
    );
  }
  return (
    <section>
      <h2>New report</h2>
      <p class="hint">It has the period at the top of this view, and the prices of the scenario.</p>
      <Form
        action="Create the report"
        submit={async (fields) => {
          const [format, detail] = textOf(fields, 'format').split('-');
          const title = textOf(fields, 'title').trim();
          await write<Report>('POST', `${scenariosPath}/${scenario.id}/reports`, {
            format,
            ...(detail ? { detail } : {}),
            ...(title === '' ? {} : { title }),
            ...(bounds.from === '' ? {} : { from: bounds.from }),
            ...(bounds.to === '' ? {} : { to: bounds.to }),
          });
          announce('The report is being made.');
          await refreshReports();
        }}
      >
        <div class="columns">
          <SelectField label="Format" name="format" choices={formatChoices} value="pdf" />
          <TextField
            label="Title (optional)"
            name="title"
            placeholder={scenario.name}
            hint="Without one, the name of the scenario."
          />
        </div>
      </Form>
      <h2>Reports</h2>
      <ReportTable scenarioId={scenario.id} />
    </section>
  );
}

const refreshReports = () => queryClient.invalidateQueries({ queryKey: ['reports'] });

const isInProgress = ({ status }: Report) => status === 'queued' || status === 'rendering';

const ReportTable = ({ scenarioId }: { readonly scenarioId: string }) => (
  <PagedList
    what="reports"
    caption="Reports of this scenario"
    queryKey={['reports', scenarioId]}
    pageSize={reportsPerPage}
    readPage={(page, signal) =>
      read<ReportList>('/api/v1/reports', { scenario_id: scenarioId, page, page_size: reportsPerPage }, signal)
    }
    columns={['Title', 'Format', 'State', numberColumn('Size'), 'Created', 'Kept until', actionsColumn]}
    row={(report) => <ReportRow key={report.id} report={report} />}
    pollEvery={(reports) => (reports.some(isInProgress) ? pollEvery : false)}
  />
);

function ReportRow({ report }: { readonly report: Report }) {
  const { start: download, isBusy, error } = useAction(() => saveReport(report));

  return (
    <tr>
      <th scope="row">
        <bdi>{report.title}</bdi>
        <span class="hint">{periodOf(report)}</span>
      </th>
      <td data-label="Format">
        {report.format.toUpperCase()}
        {report.detail && ` by ${report.detail === 'hours' ? 'hour' : 'entry'}`}
      </td>
      <td data-label="State">
        <span role="status">
          {isInProgress(report) && (
            <progress max={100} value={report.progress} aria-label={`Progress of ${report.title}`} />
          )}{' '}
          {stateNames[report.status]}
        </span>
        {report.error && <p class="field-error">{inPageWords(report.error.message)}</p>}
      </td>
      <td data-label="Size" class="number">
        {report.size_bytes === null ? '–' : formatBytes(report.size_bytes)}
      </td>
      <td data-label="Created">
        <Time iso={report.created_at} />
      </td>
      <td data-label="Kept until">
        <Time iso={report.expires_at} />
      </td>
      <td>
        <div class="buttons">
          {report.status === 'ready' && (
            <button
              type="button"
              class="primary"
              aria-disabled={isBusy}
              aria-label={`Download ${report.title} as ${report.format.toUpperCase()}`}
              onClick={() => download()}
            >
              Download
            </button>
          )}
          <Menu
            of={report.title}
            items={[
              {
                name: 'Delete',
                dialog: (close) => (
                  <Question
                    title="Delete this report?"
                    action="Delete"
                    act={async () => {
                      await write('DELETE', `/api/v1/reports/${report.id}`);
                      await refreshReports();
                    }}
                    close={close}
                  >
                    <p>
                      <bdi>{report.title}</bdi> and its file are deleted. The scenario stays.
                    </p>
                  </Question>
                ),
              },
            ]}
          />
        </div>
        {error !== null && <ErrorNote error={error} />}
      </td>
    </tr>
  );
}

function periodOf({ from, to }: Report): string {
  if (from !== null && to !== null) return formatSpan(from, to);
  if (from !== null) return `From ${formatStart(Date.parse(from), 'hour')} UTC`;
  return to === null ? 'All entries' : `To ${formatStart(Date.parse(to), 'hour')} UTC`;
}

/**
 * A link cannot send `Authorization`, so the file is read first. The browser keeps large ones on
 * disk.
 */
async function saveReport({ id, format, title }: Report): Promise<void> {
  const response = await authorized(`/api/v1/reports/${id}/download`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${fileNameOf(title)}.${format}`;
  link.click();
  // The download holds the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const fileNameOf = (title: string) => title.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, '_').slice(0, 100);
