import { useEffect, useRef, useState } from 'preact/hooks';
import { formatFineUsd, formatNumber } from '../../shared/amounts.ts';
import { linkTo } from '../app/address.ts';
import { View } from '../app/view.tsx';
import { ApiError } from '../client/api-error.ts';
import { useLiveMetrics } from '../client/live-metrics.ts';
import type { LiveMetrics, Scenario } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { boundsOf, isReversed, unbounded } from '../period/period.ts';
import { chosenPeriod, PeriodBar } from '../period/period-bar.tsx';
import { useRegions, useScenario } from '../scenarios/scenario-queries.ts';
import { StatusBadge } from '../scenarios/status-badge.tsx';
import { DesignPart } from './design/design-part.tsx';
import { OverviewPart } from './overview-part.tsx';
import { ReportsPart } from './reports-part.tsx';
import { ScenarioActions } from './scenario-actions.tsx';
import { SendPart } from './send-part.tsx';
import { stopUpload } from './uploads.ts';

const parts = {
  overview: { name: 'Overview', Part: OverviewPart, needsEntries: true },
  design: { name: 'Design', Part: DesignPart, needsEntries: true },
  send: { name: 'Send', Part: SendPart, needsEntries: false },
  reports: { name: 'Reports', Part: ReportsPart, needsEntries: false },
} as const;

type PartName = keyof typeof parts;

const isPart = (name: string): name is PartName => Object.hasOwn(parts, name);

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** A scenario, with its totals, which move while entries arrive. */
export function ScenarioView({ id, part }: { readonly id: string; readonly part: string }) {
  const query = useScenario(id);
  const totals = useLiveMetrics(id, unbounded);
  const version = totals.data?.version ?? '';
  useAnnouncedTotals(totals.data?.metrics, version);
  // Somebody else may have changed the scenario.
  useEffect(() => {
    if (query.data) void query.refetch();
  }, [version]);
  // The file is not sent on when the person leaves the scenario.
  useEffect(() => stopUpload, [id]);
  if (isMissing(query.error) || isMissing(totals.error)) {
    return (
      <View title="No such scenario">
        <p>This scenario does not exist, or was deleted.</p>
        <p>
          <a href="#/scenarios">Go to the scenarios</a>
        </p>
      </View>
    );
  }
  const scenario = query.data;
  if (!scenario) {
    return (
      <View title="Scenario">
        <Loaded query={query} what="the scenario">
          {() => null}
        </Loaded>
      </View>
    );
  }
  return (
    <View
      title={scenario.name}
      heading={
        <>
          <bdi>{scenario.name}</bdi> <StatusBadge status={scenario.status} />
        </>
      }
      lead={<Lead scenario={scenario} metrics={totals.data?.metrics} />}
      actions={<ScenarioActions scenario={scenario} />}
    >
      <Parts {...{ scenario, totals, current: isPart(part) ? part : 'overview' }} />
    </View>
  );
}

interface PartsProps {
  readonly scenario: Scenario;
  /** The metrics of all entries. */
  readonly totals: ReturnType<typeof useLiveMetrics>;
  readonly current: PartName;
}

/** Links to the parts of a scenario, and one of them, in the chosen period. */
function Parts({ scenario, totals, current }: PartsProps) {
  const { Part, needsEntries } = parts[current];
  const version = useSteadyVersion(totals.data?.version ?? '');
  const all = totals.data?.metrics;
  const entries = all?.period ?? { from: null, to: null };
  // Without its entries, the last day of a log is not known.
  const bounds = boundsOf(chosenPeriod(), entries);
  const period = useLiveMetrics(scenario.id, all ? bounds : unbounded);
  const hasPeriod = !isReversed(bounds);
  return (
    <>
      <nav class="parts" aria-label="Parts of the scenario">
        <ul>
          {Object.entries(parts).map(([path, { name }]) => (
            <li key={path}>
              <a
                href={linkTo(`/scenarios/${scenario.id}${path === 'overview' ? '' : `/${path}`}`)}
                {...(path === current ? { 'aria-current': 'page' as const } : {})}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {current !== 'send' && (entries.from !== null || !hasPeriod) && <PeriodBar bounds={bounds} entries={entries} />}
      {hasPeriod ? (
        <Loaded query={all ? period : totals} what="the totals">
          {({ metrics }) =>
            needsEntries && all?.totals.logs === 0 ? (
              <NoEntries scenario={scenario} />
            ) : (
              <Part {...{ scenario, metrics, bounds, entries, version }} isOld={period.isPlaceholderData} />
            )
          }
        </Loaded>
      ) : (
        <p class="error-note" role="alert">
          This period ends before it begins, so nothing is shown. Change one of its times, or choose All entries.
        </p>
      )}
    </>
  );
}

interface LeadProps {
  readonly scenario: Scenario;
  readonly metrics: LiveMetrics | undefined;
}

/** Where the scenario is, and its totals. */
function Lead({ scenario: { region, description }, metrics }: LeadProps) {
  const name = useRegions().data?.items.find(({ code }) => code === region)?.name;
  return (
    <>
      {name ?? region}
      {metrics && (
        <>
          {' · '}
          <span data-testid="entries">{formatNumber(metrics.totals.logs)}</span> entries{' · '}
          <Amount usd={metrics.totals.cost} testId="exact-total" />
        </>
      )}
      {description !== '' && <bdi class="description">{description}</bdi>}
    </>
  );
}

/** In ms, without a change. */
const announceAfter = 3_000;

/** Lets screen readers say the totals once they have stopped moving. */
function useAnnouncedTotals(metrics: LiveMetrics | undefined, version: string): void {
  const first = useRef('');
  useEffect(() => {
    // The first totals are not a change.
    first.current ||= version;
    if (!metrics || version === first.current) return undefined;
    const { logs, cost } = metrics.totals;
    const timer = setTimeout(() => announce(`${formatNumber(logs)} entries, ${formatFineUsd(cost)}.`), announceAfter);
    return () => clearTimeout(timer);
  }, [version]);
}

/** In place of a part that needs entries. A scenario that has ended takes none any more. */
function NoEntries({ scenario: { id, status } }: { readonly scenario: Scenario }) {
  const hasEnded = status === 'completed' || status === 'archived';
  return (
    <Empty title="No entries yet.">
      {hasEnded ? (
        <p>The scenario takes no more entries.</p>
      ) : (
        <p>
          {status === 'draft' && 'Start the scenario, then '}
          <a href={linkTo(`/scenarios/${id}/send`)}>{status === 'draft' ? 'send it entries' : 'Send it entries'}</a>:
          drop a log file, or let a program forward its log.
        </p>
      )}
    </Empty>
  );
}

/** In ms. */
const changeEvery = 5_000;

/** The version of the numbers, but at most every few seconds another one. */
function useSteadyVersion(version: string): string {
  const [steady, setSteady] = useState(version);
  const changedAt = useRef(0);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        changedAt.current = Date.now();
        setSteady(version);
      },
      Math.max(0, changedAt.current + changeEvery - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [version]);
  // The first one is not waited for.
  return steady === '' ? version : steady;
}
