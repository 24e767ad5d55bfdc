import { startMongoCommandProxy } from './mongo-command-proxy.ts';

/**
 * A proxy for MongoDB. It forwards a write, and closes the connection instead of sending the reply.
 */
export interface ReplyDroppingProxy {
  url: string;
  /**
   * Drops the reply of the write with this number, counted from now on. Undefined drops no reply.
   */
  dropReplyOf(number: number | undefined): void;
  /** Write commands since the last call of `dropReplyOf`, by name. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export const writeCommands: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);

export async function startReplyDroppingProxy(mongodbUrl: string): Promise<ReplyDroppingProxy> {
  let dropped: number | undefined;
  let writes: string[] = [];
  const proxy = await startMongoCommandProxy(mongodbUrl);
  proxy.intercept = ({ name }) => {
    if (!writeCommands.has(name)) return undefined;
    writes.push(name);
    return writes.length - 1 === dropped ? 'drop reply' : undefined;
  };
  return {
    url: proxy.url,
    dropReplyOf: (number) => {
      dropped = number;
      writes = [];
    },
    writes: () => writes,
    close: proxy.stop,
  };
}
