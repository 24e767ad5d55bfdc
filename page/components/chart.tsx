import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { authorized } from '../client/session.ts';
import { Loaded } from './states.tsx';

type ChartKind = 'cost-over-time' | 'cost-by-service' | 'logs-over-time' | 'pii-by-type';

/** Widths in which charts are drawn, in CSS pixels, so that their text keeps its size. */
const widths = [320, 480, 640, 960] as const;

/** In ms: so long after the last change of the window, charts are drawn again. */
const settleAfter = 150;

interface ChartProps {
  readonly scenarioId: string;
  readonly kind: ChartKind;
  readonly interval?: 'hour' | 'day';
  /** Drawn again when it changes. */
  readonly version: string;
  /** Describes the chart to those who do not see it. */
  readonly description: string;
}

/** A chart, drawn by the service for the width and the theme of the page. */
export function Chart({ scenarioId, kind, interval, version, description }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const theme = useTheme();
  const query = useQuery({
    queryKey: ['scenario', scenarioId, 'chart', kind, interval, theme, width, version],
    enabled: width !== null,
    // The chart that is shown stays until the next one is there.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const path = `/api/v1/scenarios/${scenarioId}/charts/${kind}.svg`;
      const response = await authorized(path, { query: { theme, interval, width: width ?? undefined }, signal });
      return response.blob();
    },
    gcTime: 10_000,
  });
  return (
    <div ref={box} class="chart">
      <Loaded query={query} what="chart">
        {(svg) => <BlobImage blob={svg} alt={description} />}
      </Loaded>
    </div>
  );
}

function BlobImage({ blob, alt }: { readonly blob: Blob; readonly alt: string }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return address === '' ? null : <img src={address} alt={alt} />;
}

/** The widest of `widths` that fits; null before the first layout. */
function useWidth(box: { readonly current: HTMLElement | null }): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const available = entry?.contentRect.width ?? 0;
      clearTimeout(timer);
      timer = setTimeout(() => setWidth(widths.findLast((width) => width <= available) ?? widths[0]), settleAfter);
    });
    observer.observe(box.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [box]);
  return width;
}

function useTheme(): 'light' | 'dark' {
  const [dark] = useState(() => matchMedia('(prefers-color-scheme: dark)'));
  const [isDark, setDark] = useState(dark.matches);
  useEffect(() => {
    const onChange = () => setDark(dark.matches);
    dark.addEventListener('change', onChange);
    return () => dark.removeEventListener('change', onChange);
  }, [dark]);
  return isDark ? 'dark' : 'light';
}
