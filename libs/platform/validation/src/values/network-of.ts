import ipaddr from 'ipaddr.js';

/** Whom an address counts for: an IPv4 address for itself, of an IPv6 address the first 64 bits, because each customer has as many addresses as they want. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
