import { Readable } from 'node:stream';
import { second } from '../../shared/durations.ts';

/** An event in the form of `text/event-stream`. @param data one line. */
export function formatEvent(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Time after which a client reconnects. */
const retryMs = 3 * second;
/** Time for the last event to be sent. */
const lastEventMs = 1 * second;

/**
 * Server-sent events for one client. Each event says everything, so it replaces the one before if
 * that has not been sent: memory holds the event that the client is reading and the next one.
 */
export class EventStream extends Readable {
  readonly #disconnect: () => void;
  #preamble = `retry: ${retryMs}\n\n`;
  #next = '';
  #isWanted = false;
  #isEnding = false;

  /** @param disconnect closes the connection of the client, unless the response is complete. */
  constructor(disconnect: () => void) {
    super({ highWaterMark: 1 });
    this.#disconnect = disconnect;
  }

  send(event: string): void {
    if (this.#isEnding) return;
    this.#next = event;
    this.#pushNext();
  }

  /** Keeps the connection from being idle, unless an event waits. */
  sendComment(): void {
    if (this.#next === '') this.send(':\n\n');
  }

  /** Sends a last event. A client that does not read it is disconnected. */
  finish(event: string): void {
    if (this.#isEnding) return;
    this.#next = event;
    this.#isEnding = true;
    this.#pushNext();
    setTimeout(this.#disconnect, lastEventMs).unref();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pushNext();
  }

  #pushNext(): void {
    if (!this.#isWanted) return;
    const text = this.#preamble + this.#next;
    if (text === '' && !this.#isEnding) return;
    this.#isWanted = false;
    this.#preamble = '';
    this.#next = '';
    this.push(text === '' ? null : text);
  }
}
