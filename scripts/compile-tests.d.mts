// Types of compile-tests.mjs, which is JavaScript because it compiles the TypeScript.
export const notBundled: string[];
