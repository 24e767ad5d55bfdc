import { expect } from 'chai';

export interface ServerEvent {
  event: string;
  id: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- assertions check the shape
  data: any;
}

export interface EventSource {
  response: Response;
  /** The events that have arrived so far. */
  text(): string;
  /** The next event; undefined after the last one. */
  next(): Promise<ServerEvent | undefined>;
  /** Reads events until one is accepted. */
  until(accepts: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  /** Disconnects. */
  close(): void;
}

/** Opens a stream of server-sent events. */
export async function openEventSource(url: string, headers: Record<string, string> = {}): Promise<EventSource> {
  const connection = new AbortController();
  const response = await fetch(url, { headers, signal: connection.signal });
  expect(response.status, response.status === 200 ? '' : await response.text()).to.equal(200);
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let position = 0;
  const next = async (): Promise<ServerEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n', position);
      if (end === -1) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const block = text.slice(position, end);
      position = end + 2;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const event = field('event');
      if (event !== undefined) return { event, id: field('id'), data: JSON.parse(field('data') ?? 'null') };
    }
  };
  return {
    response,
    text: () => text,
    next,
    until: async (accepts) => {
      for (;;) {
        const event = await next();
        if (!event) throw new Error(`The stream has ended: ${text}`);
        if (accepts(event)) return event;
      }
    },
    close: () => connection.abort(),
  };
}
