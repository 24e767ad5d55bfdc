import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

const bucket = 'files';

/** s3rver, a server of the S3 API for tests, behind a proxy that can fail. */
export interface S3Server {
  /** The variables of a service that stores its files in it. */
  readonly environment: Record<string, string>;
  /** Receives the requests to the server. */
  readonly proxy: FaultyProxy;
  close(): Promise<void>;
}

/** Starts a server with the bucket `files`. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    // The proxy has another address than the one that is signed.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const proxy = await startFaultyProxy(`http://127.0.0.1:${port}`);
  return {
    proxy,
    environment: {
      REPORT_STORE: `s3://${bucket}/meterbook`,
      AWS_ENDPOINT_URL_S3: proxy.url,
      // Those that s3rver accepts.
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: async () => {
      await proxy.close();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
