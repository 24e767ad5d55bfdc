import type { Middleware } from 'koa';
import { AppError } from '../../../shared/errors.ts';
import { loadOtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import type { AppState } from '../../http/context.ts';
import { otlpErrors } from './otlp-status.ts';

const signal = '/v1(?:development)?/(?:logs|traces|metrics|profiles)';
/** An address of a signal, with the part before it, and the signals that it repeats. */
const signalAddress = new RegExp(`^(?<base>.*?)(?<signals>(?:${signal})+)/?$`);

/**
 * Corrects the addresses that exporters put together from their settings: repeated slashes are one.
 * An address that ends with a signal twice, or with another signal than logs, gets an error that
 * names the address to set. Exporters show an error in their own format only.
 */
export function otlpAddresses(): Middleware<AppState> {
  const errorFormat = otlpErrors(loadOtlpSchema());
  return (ctx, next) => {
    const path = ctx.path.replace(/\/{2,}/g, '/');
    const { base = '', signals } = signalAddress.exec(path)?.groups ?? {};
    if (ctx.method !== 'POST' || signals === undefined) return next();
    if (signals === '/v1/logs') {
      if (path !== ctx.path) ctx.path = path;
      return next();
    }
    ctx.state.errorFormat = errorFormat;
    const address = `${base}/v1/logs`;
    const isRepeated = signals.indexOf('/v1', 1) !== -1;
    throw new AppError(
      'NOT_FOUND',
      isRepeated
        ? `The address ends with ${signals}: set OTEL_EXPORTER_OTLP_LOGS_ENDPOINT to the address of ${address}, or OTEL_EXPORTER_OTLP_ENDPOINT to what is before /v1/logs, to which the exporter adds it.`
        : `Only logs are accepted, at ${address}: set OTEL_EXPORTER_OTLP_LOGS_ENDPOINT to this address, and the exporters of other signals to none.`,
    );
  };
}
