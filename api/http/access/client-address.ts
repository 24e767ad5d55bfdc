import ipaddr from 'ipaddr.js';
import type { AppContext } from '../context.ts';

interface ClientAddress {
  address: string;
  /**
   * The unit that counts as one caller: the IPv4 address, or the /64 of an IPv6 address, because a
   * host has all of its /64.
   */
  network: string;
}

/**
 * The address that Koa determines by the number of trusted proxies; the socket's address if that is
 * not an IP address.
 */
export function clientAddress(ctx: AppContext): ClientAddress {
  const parsed = parseAddress(ctx.ip) ?? parseAddress(ctx.req.socket.remoteAddress ?? '');
  if (!parsed) return { address: 'unknown', network: 'unknown' };
  const address = parsed.toString();
  if (parsed.kind() === 'ipv4') return { address, network: address };
  return { address, network: `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64` };
}

/** Some proxies write an address with its port: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withPort = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const { v6, v4 } = withPort.exec(text)?.groups ?? {};
  const address = v6 ?? v4 ?? text;
  // A listener for IPv4 and IPv6 reports IPv4 addresses in the form of IPv6; `process` converts
  // them to IPv4.
  return ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address) ? ipaddr.process(address) : null;
}
