import { serviceVersion } from '../../shared/service-version.ts';
import { createKey, keyWith } from '../client/new-keys.ts';
import type { Scenario } from '../client/responses.ts';
import { isOpenToAll, isSignedIn } from '../client/session.ts';
import { serviceUrl } from '../client/settings.ts';
import { Copyable } from '../components/copyable.tsx';
import { ErrorNote } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { FileDrop } from './file-drop.tsx';
import type { PartProps } from './part-props.ts';

/** How entries get into the scenario: a file, or commands to copy. */
export function SendPart({ scenario }: PartProps) {
  return (
    <>
      <FileDrop scenario={scenario} />
      <section>
        <h2>From a program</h2>
        <Commands scenario={scenario} />
        <h3>Without a server</h3>
        <p>
          A command says the same about a log on your machine. Its name is not published yet: pack it from the
          repository (<code>npm pack -w packages/command</code>), and run the file.
        </p>
        <Copyable label="Command without a server" text={`npx ./meterbook-${serviceVersion}.tgz estimate app.log`} />
      </section>
    </>
  );
}

function Commands({ scenario: { id, name } }: { readonly scenario: Scenario }) {
  const key = keyWith('ingest')?.key;
  const header = key || !isOpenToAll ? ` -H "X-API-Key: ${key ?? '$METERBOOK_KEY'}"` : '';
  const address = `${serviceUrl}ingest/${id}`;

  const creation = useAction(async () => {
    await createKey({ name: `Entries of ${name}`.slice(0, 100), scopes: ['ingest'] });
  });

  return (
    <>
      {key && (
        <p>The commands have the API key that you have created. It is shown until you close or reload this page.</p>
      )}
      {!key && isSignedIn() && (
        <>
          <p>
            A program sends an API key{isOpenToAll ? ', so that its entries count as yours' : ''}. A key that can only
            send entries suits a program that forwards logs:
          </p>
          <div class="buttons">
            <button type="button" aria-disabled={creation.isBusy} onClick={() => creation.start()}>
              Create a key for sending
            </button>
          </div>
        </>
      )}
      {!key && !isSignedIn() && !isOpenToAll && (
        <p>
          <a href="#/account">Sign in</a> to create an API key for the commands.
        </p>
      )}
      {creation.error !== null && <ErrorNote error={creation.error} />}
      <h3>A log file</h3>
      <Copyable
        label="Command that sends a log file"
        text={`curl${header} -H 'Content-Type: text/plain' --data-binary @app.log \\\n  ${address}`}
      />
      <h3>JSON objects</h3>
      <Copyable
        label="Command that sends JSON"
        text={`curl${header} -H 'Content-Type: application/json' \\\n  -d '{"message": "order 1043 paid", "source": "web-1", "level": "info"}' \\\n  ${address}`}
      />
      <h3>OpenTelemetry</h3>
      <Copyable
        label="Environment of an OpenTelemetry SDK"
        text={`OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${address}/v1/logs${header ? `\nOTEL_EXPORTER_OTLP_LOGS_HEADERS=x-api-key=${key ?? '$METERBOOK_KEY'}` : ''}`}
      />
    </>
  );
}
