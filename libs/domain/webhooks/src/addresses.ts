import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** A public address that virtual switches of clouds answer. */
const AZURE = '168.63.129.16';

/**
 * Whether a webhook may be sent to an address: public addresses, and networks that the operator permits. IPv6 addresses
 * that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) are refused.
 */
export function isAllowed(address: string, networks: readonly Network[] = []): boolean {
  if (!isIP(address)) return false;
  const parsed = ipaddr.parse(address);
  const allowed = networks.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
  if (allowed) return true;
  if (parsed.range() !== 'unicast' || address === AZURE) return false;
  // Only 2000::/3 is global unicast.
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
 * Resolves a host when a socket connects, and returns only permitted addresses. The socket connects to a returned address,
 * so a later change of the DNS record has no effect.
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
