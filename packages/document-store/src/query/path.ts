/** One name of a dotted path. */
export interface PathPart {
  /** In UTF-8, to be compared with the bytes of documents. */
  name: Buffer;
  /** The position in an array, if the name is a number. */
  index: number | undefined;
}

export type Path = readonly PathPart[];

export function parsePath(path: string): Path {
  return path
    .split('.')
    .map((name) => ({ name: Buffer.from(name), index: /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined }));
}

/** The top-level field of a dotted path. */
export function firstPart(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}
