/** A service on loopback with a running scenario. */
export interface AttackTarget {
  url: string;
  scenarioId: string;
}

/**
 * One kind of expensive request. `send` is called many times concurrently, so its body is prepared
 * once.
 */
export interface Attack {
  /** Unique; names the row of the table. */
  name: string;
  /**
   * The expected status, and the error code if the request is refused. A refused request must
   * leave nothing behind.
   */
  response: { status: number; code?: string };
  /** Puts data in place that the requests need, once before them. */
  prepare?(target: AttackTarget): Promise<void>;
  send(target: AttackTarget): Promise<AttackResponse>;
}

export interface AttackResponse {
  status: number;
  /** Code of the error envelope; undefined for an accepted request. */
  code: string | undefined;
  /** Bytes of the body as sent. */
  sentBytes: number;
}

/** How large the largest requests are. */
export interface AttackSizes {
  /** Days of a scenario. 47,000 are nearly all that timestamps can have. */
  days: number;
  /** Hours of a scenario. */
  hours: number;
  /** Lines or records of a request. 80,000 are nearly all that its 5 MiB can have. */
  lines: number;
}
