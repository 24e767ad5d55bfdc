const prefixes: readonly (readonly [string, string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso', 'aws-iso'],
  ['eu-isoe-', 'aws-iso'],
  ['eusc-', 'aws-eusc'],
];

/** The partition of a Region by its code. */
export const partitionOf = (region: string): string =>
  prefixes.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
