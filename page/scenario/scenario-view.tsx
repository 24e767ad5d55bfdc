import { useEffect, useRef } from 'preact/hooks';
import { formatFineUsd, formatNumber } from '../../shared/amounts.ts';
import { linkTo } from '../app/address.ts';
import { View } from '../app/view.tsx';
import { ApiError } from '../client/api-error.ts';
import { type LiveState, useLiveMetrics } from '../client/live-metrics.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { PartLinks } from '../components/part-links.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { chosenPeriod } from '../period/chosen-period.ts';
import { boundsOf, isReversed } from '../period/period.ts';
import { PeriodBar } from '../period/period-bar.tsx';
import { refreshScenarios, useRegions, useScenario } from '../scenarios/scenario-queries.ts';
import { StatusBadge } from '../scenarios/status-badge.tsx';
import { DesignPart } from './design/design-part.tsx';
import { OverviewPart } from './overview-part.tsx';
import { usePeriodMetrics } from './period-metrics.ts';
import { ReportsPart } from './reports-part.tsx';
import { ScenarioActions } from './scenario-actions.tsx';
import { SendPart } from './send-part.tsx';
import { useSteadyVersion } from './steady-version.ts';
import { stopUpload } from './uploads.ts';

const parts = {
  overview: { name: 'Overview', Part: OverviewPart },
  design: { name: 'Design', Part: DesignPart },
  send: { name: 'Send', Part: SendPart },
  reports: { name: 'Reports', Part: ReportsPart },
} as const;

type PartName = keyof typeof parts;

const isPart = (name: string): name is PartName => Object.hasOwn(parts, name);

/** A scenario, with the totals of the chosen period, which move while entries arrive. */
export function ScenarioView({ id, part }: { readonly id: string; readonly part: string }) {
  const query = useScenario(id);
  const live = useLiveMetrics(id);
  const version = useSteadyVersion(live.version);
  useAnnouncedTotals(live);
  useStatusOf(live, query);
  // The file is not sent on when the person leaves the scenario.
  useEffect(() => () => stopUpload(id), [id]);
  const isGone = live.isDeleted || (query.error instanceof ApiError && query.error.status === 404);
  if (isGone) return <Gone />;
  if (!query.data) {
    return (
      <View title="Scenario">
        {query.error ? (
          <ErrorNote error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading what="the scenario" />
        )}
      </View>
    );
  }
  const scenario = query.data;
  const current = isPart(part) ? part : 'overview';
  return (
    <View
      title={scenario.name}
      heading={
        <>
          <bdi>{scenario.name}</bdi> <StatusBadge status={scenario.status} />
        </>
      }
      lead={<Lead scenario={scenario} live={live} />}
      actions={<ScenarioActions scenario={scenario} />}
    >
      <Shown {...{ scenario, live, version, current }} />
    </View>
  );
}

interface ShownProps {
  readonly scenario: Scenario;
  readonly live: LiveState;
  readonly version: string;
  readonly current: PartName;
}

/** One of the parts of a scenario, in the chosen period. */
function Shown({ scenario, live, version, current }: ShownProps) {
  const { Part } = parts[current];
  const period = chosenPeriod();
  const entries = live.metrics?.period ?? noEntries;
  const bounds = boundsOf(period, entries);
  const hasPeriod = !isReversed(bounds);
  const { shown, isOld } = usePeriodMetrics(scenario.id, live, bounds, version);
  // A last hour or day ends with the last entry, which no poll has found yet.
  const isKnown = period.kind !== 'last' || live.metrics !== null;
  return (
    <>
      <PartLinks
        of="scenario"
        parts={Object.entries(parts).map(([path, { name }]) => ({
          href: linkTo(path === 'overview' ? `/scenarios/${scenario.id}` : `/scenarios/${scenario.id}/${path}`),
          name,
          isCurrent: path === current,
        }))}
      />
      {current !== 'send' && (entries.from !== null || !hasPeriod) && <PeriodBar bounds={bounds} entries={entries} />}
      {!hasPeriod && (
        <p class="error-note" role="alert">
          This period ends before it begins, so nothing is shown. Change one of its times, or choose All.
        </p>
      )}
      {hasPeriod && isKnown && <Part {...{ scenario, metrics: live.metrics, shown, isOld, bounds, version }} />}
    </>
  );
}

const noEntries = { from: null, to: null };

interface LeadProps {
  readonly scenario: Scenario;
  readonly live: LiveState;
}

/** Where the scenario is, and its totals, which move while entries arrive. */
function Lead({ scenario: { region, description, status }, live: { metrics, isConnected } }: LeadProps) {
  const name = useRegions().data?.items.find(({ code }) => code === region)?.name;
  return (
    <>
      {name ?? region}
      {metrics && (
        <>
          {' · '}
          <span data-testid="entries">{formatNumber(metrics.totals.logs)}</span> entries{' · '}
          <data value={metrics.totals.cost ?? ''} data-testid="exact-total">
            {formatFineUsd(metrics.totals.cost)}
          </data>
        </>
      )}
      {status === 'running' && (
        <span class={`live-state ${isConnected ? 'on' : ''}`}>{isConnected ? 'Live' : 'Connecting…'}</span>
      )}
      {description !== '' && <bdi class="description">{description}</bdi>}
    </>
  );
}

function Gone() {
  const isRefreshed = useRef(false);
  useEffect(() => {
    if (isRefreshed.current) return;
    isRefreshed.current = true;
    void refreshScenarios();
  }, []);
  return (
    <View title="No such scenario">
      <p>This scenario does not exist, or was deleted.</p>
      <p>
        <a href="#/scenarios">Go to the scenarios</a>
      </p>
    </View>
  );
}

/** Reads the scenario again when the tag changes: somebody else may have changed it. */
function useStatusOf({ tag }: LiveState, { data, refetch }: ReturnType<typeof useScenario>): void {
  useEffect(() => {
    if (data) void refetch();
  }, [tag]);
}

/** In ms. */
const announceAtMostEvery = 15_000;

/** Says the totals while they move: not each of them, and the last one always. */
function useAnnouncedTotals({ metrics, version }: LiveState): void {
  const last = useRef({ at: 0, version: '' });
  useEffect(() => {
    if (!metrics || last.current.version === version) return undefined;
    // The first totals are not a change.
    if (last.current.version === '') {
      last.current = { at: Date.now(), version };
      return undefined;
    }
    const wait = Math.max(0, last.current.at + announceAtMostEvery - Date.now());
    const timer = setTimeout(() => {
      last.current = { at: Date.now(), version };
      const which = chosenPeriod().kind === 'all' ? 'entries' : 'entries in all periods';
      announce(`${formatNumber(metrics.totals.logs)} ${which}, ${formatFineUsd(metrics.totals.cost)}.`);
    }, wait);
    return () => clearTimeout(timer);
  }, [metrics, version]);
}
