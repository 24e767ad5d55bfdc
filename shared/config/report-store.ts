/** A bucket behind an S3 API. */
export interface S3Target {
  readonly kind: 's3';
  readonly bucket: string;
  /** Begins every key; ends with `/` or is empty. */
  readonly folder: string;
  readonly region: string;
  /** Absent: that of AWS. */
  readonly endpoint?: string;
  /** Whether the bucket is a part of the path, not of the host. */
  readonly hasPathStyle: boolean;
  readonly credentials: S3Credentials;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where files are: in MongoDB, or in a bucket. */
export type FileConfig = { readonly kind: 'gridfs' } | S3Target;

const storeUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** @returns the end of a sentence after the variable's name; undefined if the value is valid. */
export function findReportStoreError(value: string): string | undefined {
  return value === 'gridfs' || storeUrl.test(value) ? undefined : 'must be gridfs or s3://bucket/prefix';
}

/** The validated variables of a bucket. */
interface Variables {
  REPORT_STORE: string;
  REPORT_STORE_PATH_STYLE: boolean;
  AWS_REGION: string;
  AWS_ENDPOINT_URL_S3?: string;
  AWS_ACCESS_KEY_ID?: string;
  AWS_SECRET_ACCESS_KEY?: string;
  AWS_SESSION_TOKEN?: string;
}

export function readFileConfig(variables: Variables): FileConfig {
  if (variables.REPORT_STORE === 'gridfs') return { kind: 'gridfs' };
  const [, bucket = '', path = ''] = storeUrl.exec(variables.REPORT_STORE) ?? [];
  return {
    kind: 's3',
    bucket,
    folder: path === '' ? '' : `${path.slice(1)}/`,
    region: variables.AWS_REGION,
    ...(variables.AWS_ENDPOINT_URL_S3 ? { endpoint: variables.AWS_ENDPOINT_URL_S3 } : {}),
    hasPathStyle: variables.REPORT_STORE_PATH_STYLE,
    credentials: readCredentials(variables),
  };
}

function readCredentials(variables: Variables): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = variables;
  const { AWS_SESSION_TOKEN: sessionToken } = variables;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
