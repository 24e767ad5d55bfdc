import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { EventStream, formatEvent } from '../../../api/cost/event-stream.ts';

describe('an event stream', () => {
  const create = () => new EventStream(() => {});
  const preamble = 'retry: 3000\n\n';
  const eventOf = (data: number) => formatEvent('metrics', String(data), `v${data}`);

  it('formats events with and without an id', () => {
    expect(eventOf(1)).to.equal('event: metrics\nid: v1\ndata: 1\n\n');
    expect(formatEvent('end', '{}')).to.equal('event: end\ndata: {}\n\n');
  });

  it('begins with the time to reconnect', async () => {
    const stream = create();
    const [part] = await once(stream, 'data');
    expect(String(part)).to.equal(preamble);
  });

  it('keeps, for a client that does not read, the newest event only', async () => {
    const stream = create();
    stream.read(0);
    for (let data = 1; data <= 1000; data += 1) stream.send(eventOf(data));
    expect(stream.readableLength).to.equal(preamble.length);
    stream.sendComment();
    stream.finish(formatEvent('end', '{}'));
    stream.send(eventOf(0));
    stream.sendComment();
    expect(await text(stream)).to.equal(`${preamble}${formatEvent('end', '{}')}`);
  });

  it('sends a comment if no event waits', async () => {
    const stream = create();
    stream.sendComment();
    stream.send(eventOf(1));
    stream.sendComment();
    const [part] = await once(stream, 'data');
    expect(String(part)).to.equal(preamble + eventOf(1));
    stream.sendComment();
    const [comment] = await once(stream, 'data');
    expect(String(comment)).to.equal(':\n\n');
  });

  it('disconnects a client that does not read the last event', async () => {
    await new Promise<void>((resolve) => {
      new EventStream(resolve).finish(formatEvent('end', '{}'));
    });
  });
});
