// Types of build-page.mjs, which is JavaScript because `npm start` runs it before TypeScript can be loaded.
export function buildPage(output?: string): Promise<void>;
