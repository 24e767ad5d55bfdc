/** Settings of the service, which it writes into the page (`api/service/page-files.ts`). */
interface Settings {
  readonly auth_mode: 'documented' | 'strict';
  readonly registration: 'open' | 'closed';
  readonly notebooks: '0.1.0' | '0.2.0';
}

export const settings: Settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="meterbook"]')?.content || '{}',
);

/** The address of the service, with the path prefix of a proxy, and with a slash at its end. */
export const serviceUrl = new URL('.', document.baseURI).href;
