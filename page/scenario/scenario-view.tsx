import { useEffect, useRef, useState } from 'preact/hooks';
import { View } from '../app/view.tsx';
import type { Scenario } from '../client/answers.ts';
import { ApiError } from '../client/api-error.ts';
import { type LiveState, useLiveMetrics } from '../client/metrics-stream.ts';
import { announce } from '../components/announcer.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { formatNumber, formatUsd } from '../format/amounts.ts';
import { refreshScenarios, useRegions, useScenario } from '../scenarios/scenario-queries.ts';
import { StatusBadge } from '../scenarios/status-badge.tsx';
import { ExplanationPart } from './explanation-part.tsx';
import { OverviewPart } from './overview-part.tsx';
import { ProjectionPart } from './projection-part.tsx';
import { ReportsPart } from './reports-part.tsx';
import { ScenarioActions } from './scenario-actions.tsx';
import { SendPart } from './send-part.tsx';
import { Totals } from './totals.tsx';
import { WhatIfPart } from './what-if-part.tsx';

const parts = {
  overview: { name: 'Overview', Part: OverviewPart },
  send: { name: 'Send entries', Part: SendPart },
  'what-if': { name: 'What if', Part: WhatIfPart },
  projection: { name: 'Projection', Part: ProjectionPart },
  explanation: { name: 'Explanation', Part: ExplanationPart },
  reports: { name: 'Reports', Part: ReportsPart },
} as const;

/** A scenario: its totals, which move while entries arrive, and one of its parts. */
export function ScenarioView({ id, part }: { readonly id: string; readonly part: string }) {
  const query = useScenario(id);
  const live = useLiveMetrics(id);
  useAnnouncedTotals(live);
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
  // The stream knows of a start or a stop by somebody else.
  const scenario = { ...query.data, status: live.metrics?.status ?? query.data.status };
  const { Part } = parts[part as keyof typeof parts] ?? parts.overview;
  return (
    <View
      title={scenario.name}
      heading={
        <>
          <bdi>{scenario.name}</bdi> <StatusBadge status={scenario.status} />
        </>
      }
      lead={<Lead scenario={scenario} />}
      actions={<ScenarioActions scenario={scenario} />}
    >
      <Totals live={live} />
      <PartLinks id={id} current={part} />
      <Part scenario={scenario} live={live} />
    </View>
  );
}

function Lead({ scenario: { region, description } }: { readonly scenario: Scenario }) {
  const name = useRegions().data?.items.find(({ code }) => code === region)?.name;
  return (
    <>
      {name ?? region} {name && <span class="hint">({region})</span>}
      {description !== '' && (
        <>
          {' · '}
          <bdi>{description}</bdi>
        </>
      )}
    </>
  );
}

function PartLinks({ id, current }: { readonly id: string; readonly current: string }) {
  return (
    <nav class="parts" aria-label="Parts of the scenario">
      <ul>
        {Object.entries(parts).map(([path, { name }]) => (
          <li key={path}>
            <a
              href={path === 'overview' ? `#/scenarios/${id}` : `#/scenarios/${id}/${path}`}
              {...(path === current ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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

/** In ms. */
const announceAtMostEvery = 15_000;

/** Says the totals while they move: not each of them, and the last one always. */
function useAnnouncedTotals({ metrics, version }: LiveState): void {
  const [, setAnnounced] = useState('');
  const last = useRef({ at: 0, version: '' });
  useEffect(() => {
    if (!metrics || last.current.version === version) return undefined;
    // The first totals are not a change.
    if (last.current.version === '') {
      last.current = { at: Date.now(), version };
      return undefined;
    }
    const wait = Math.max(1_000, last.current.at + announceAtMostEvery - Date.now());
    const timer = setTimeout(() => {
      last.current = { at: Date.now(), version };
      setAnnounced(version);
      announce(`${formatNumber(metrics.totals.logs)} entries, ${formatUsd(metrics.totals.cost)}.`);
    }, wait);
    return () => clearTimeout(timer);
  }, [metrics, version]);
}
