import { createHash } from 'node:crypto';
import type { S3Target } from '../config/report-store.ts';

/**
 * Sends signed requests to a bucket. @throws S3Error; any other error if the store does not
 * respond.
 */
export type S3Client = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  key: string,
  options?: S3Request,
) => Promise<S3Reply>;

interface S3Request {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer<ArrayBuffer> | string;
  signal?: AbortSignal;
}

interface S3Reply {
  headers: Headers;
  body: Buffer;
}

/** A refusal. The code is that of the S3 API, such as `NoSuchKey`. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: string) {
    const code = readElement(body, 'Code') ?? String(status);
    super(`The store responds ${status} ${code}: ${readElement(body, 'Message') ?? 'no message'}`);
    this.status = status;
    this.code = code;
  }
}

/** Each request is sent up to twice. */
const attempts = 2;

/** @param timeoutMs the longest time of an attempt. */
export async function createS3Client(target: S3Target, timeoutMs: number): Promise<S3Client> {
  // Only services that use it load it.
  const { AwsClient } = await import('aws4fetch');
  const { region, credentials } = target;
  const signer = new AwsClient({ ...credentials, region, service: 's3', retries: 0 });
  const address = addressOf(target);

  const sendOnce = async (url: URL, method: string, { headers = {}, body, signal }: S3Request): Promise<S3Reply> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await signer.fetch(url, {
      method,
      headers: {
        ...headers,
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      ...(body === undefined ? {} : { body }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const content = Buffer.from(await response.arrayBuffer());
    const text = () => content.toString();
    if (!response.ok) throw new S3Error(response.status, text());
    // The end of an upload can fail after the status was sent.
    if (method === 'POST' && text().includes('<Error>')) throw new S3Error(500, text());
    return { headers: response.headers, body: content };
  };

  return async (method, key, options = {}) => {
    const url = new URL(address + key);
    url.search = new URLSearchParams(options.query).toString();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(url, method, options);
      } catch (error) {
        const isFinal = error instanceof S3Error && error.status < 500 && error.status !== 429;
        if (isFinal || options.signal?.aborted || attempt === attempts) throw error;
      }
    }
  };
}

/** The address before the key. */
function addressOf({ endpoint, region, bucket, hasPathStyle }: S3Target): string {
  const base = endpoint ?? `https://s3.${region}.amazonaws.com`;
  const address = base.endsWith('/') ? base : `${base}/`;
  return hasPathStyle ? `${address}${bucket}/` : address.replace('://', `://${bucket}.`);
}

/** @returns the text of the first element of that name. */
export const readElement = (xml: string, name: string): string | undefined => readElements(xml, name)[0];

/** The texts of all elements of that name; those that are read contain no entities. */
export function readElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
}
