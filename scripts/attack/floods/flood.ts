/** A service on loopback, with an account for the attacker and one for an honest caller. */
export interface FloodTarget {
  readonly url: string;
  readonly attacker: FloodAccount;
  readonly honest: FloodAccount;
}

export interface FloodAccount {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly key: string;
  /** A running scenario. */
  readonly scenarioId: string;
}

/** Hostile requests that are sent without pause, while honest callers use the service. */
export interface Flood {
  /** Unique; names the row of the table. */
  readonly name: string;
  /** Requests in flight. Each is followed by the next one as soon as it has ended. */
  readonly lanes: number;
  /** Milliseconds that a lane waits before its next request; 0 if not set. */
  readonly pauseMs?: number;
  /** The longest time of an honest login, in milliseconds; a second if not set. */
  readonly loginMs?: number;
  /** Whether the honest caller also orders CSV reports. */
  readonly delaysReports?: boolean;
  /**
   * Sends one request. @returns its outcome: the status of the response, or the code of a lost
   * connection.
   */
  send(target: FloodTarget, lane: number): Promise<string>;
}

/** Every address of 127.0.0.0/8 is a network of its own. Honest callers have 127.0.0.1. */
export const addressOf = (number: number) => `127.66.${Math.floor(number / 250)}.${(number % 250) + 1}`;

/** Sends the requests of a flood until the signal aborts. @returns the number of each outcome. */
export async function sendFlood(flood: Flood, target: FloodTarget, signal: AbortSignal): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const sendLane = async (lane: number) => {
    while (!signal.aborted) {
      const outcome = await Promise.race([flood.send(target, lane), aborted]);
      if (outcome === undefined) return;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (flood.pauseMs) await Promise.race([pause(flood.pauseMs), aborted]);
    }
  };
  await Promise.all(Array.from({ length: flood.lanes }, (_, lane) => sendLane(lane)));
  return outcomes;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
