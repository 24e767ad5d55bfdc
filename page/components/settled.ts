import { useEffect, useState } from 'preact/hooks';

/** In ms: so long after the last move of a slider, the request is sent. */
const settleAfter = 200;

/** A value once it has stopped changing. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleAfter);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
