import { useEffect, useRef, useState } from 'preact/hooks';

/** In ms. */
const changeEvery = 5_000;

/** The version of the numbers, but at most every few seconds another one. */
export function useSteadyVersion(version: string): string {
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
