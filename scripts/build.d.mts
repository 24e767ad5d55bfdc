// Types of build.mjs, which is JavaScript because it compiles the TypeScript.
export function build(output?: string): Promise<void>;
