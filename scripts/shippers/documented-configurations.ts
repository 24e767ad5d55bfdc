import { readFile } from 'node:fs/promises';

const document = new URL('../../docs/log-shippers.md', import.meta.url);

/**
 * The blocks of code of docs/log-shippers.md by the heading that they follow: the configuration of
 * a tool and, where there is a second one, a program that it runs. So what is run is what is shown.
 */
export async function readConfigurations(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(document, 'utf8');
  const sections = text.split(/^#{2,3} /m).slice(1);
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')).trim(),
      [...section.matchAll(/^```[a-z]*\n(.*?)^```$/gms)].map(([, code = '']) => code),
    ]),
  );
}

/** The placeholders of the document for a reader's own values. */
interface RealValues {
  port: number;
  scenarioId: string;
  key: string;
  logFile: string;
  stateDirectory: string;
}

export function adaptConfiguration(configuration: string, real: RealValues): string {
  return configuration
    .replaceAll('localhost', '127.0.0.1')
    .replaceAll(/\b3000\b/g, String(real.port))
    .replaceAll('SCENARIO_ID', real.scenarioId)
    .replaceAll('API_KEY', real.key)
    .replaceAll('/var/log/app.log', real.logFile)
    .replaceAll(/\/var\/lib\/[\w-]+|\/usr\/local\/bin/g, real.stateDirectory);
}
