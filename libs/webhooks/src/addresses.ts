import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Answered by a cloud's virtual switch, though its address is a public one. */
const AZURE = '168.63.129.16';

/**
 * Whether a webhook may be sent to an address: to any on the public internet, and to the networks that the operator
 * allows. Addresses that stand for an IPv4 address (mapped, NAT64, 6to4, Teredo) are refused as such.
 */
export function isAllowed(address: string, networks: readonly Network[] = []): boolean {
  if (!isIP(address)) return false;
  const parsed = ipaddr.parse(address);
  const allowed = networks.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
  if (allowed) return true;
  if (parsed.range() !== 'unicast' || address === AZURE) return false;
  // Global unicast is 2000::/3 alone.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] as number) >> 13 === 1;
}

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor(host: string) {
    super(`webhooks may not be sent to ${host}`);
  }
}

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host as a socket connects, and gives the socket only addresses that are allowed. The socket connects to
 * what it is given, so a name that resolves to something else later changes nothing.
 */
export const guardedLookup = (networks: readonly Network[], resolve: Lookup = systemLookup): LookupFunction =>
  ((hostname: string, options: LookupOptions, callback: (...answer: unknown[]) => void) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error);
      const allowed = addresses.filter(({ address }) => isAllowed(address, networks));
      const [first] = allowed;
      if (!first) return callback(new AddressRefused(hostname));
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  }) as LookupFunction;
