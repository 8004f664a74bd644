import { type Problem, problem } from '#platform/import-rows';
import { defineErrors, normalizeEmail } from '#platform/validation';

/** @param domain `acme.example`, with or without `@`, without subdomains; null: all domains */
export const domainProblem = (email: string, domain: string | null, path: string): Problem | undefined =>
  domain && !normalizeEmail(email).endsWith(`@${normalizeEmail(domain).replace(/^@/, '')}`)
    ? problem(path, 'DOMAIN_NOT_ALLOWED', `must be an address at ${domain}`)
    : undefined;

export const alreadyUsed = (path: string): Problem =>
  problem(path, 'ALREADY_USED', 'has a place of this group, which may be used once');

export const groupErrors = defineErrors({
  deadlinePassed: () => [
    403,
    'The deadline of the reserved entry group has passed. Only the organizer can change its places now.',
  ],
});
