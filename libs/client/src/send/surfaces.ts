import { IMPORT_SHAPES } from '../import-shapes';
import { IMPORT_TABLE } from '../import-table';
import type { ImportPath } from '../imports';
import type { ImportField } from '../rows/shapes';
import { SendRefused } from './refused';

export interface Surface {
  path: ImportPath;
  name: string;
  collection: string;
  fields: ImportField[];
  /** The fields that identify a row; case is ignored for codes. */
  identity: string[];
}

const IDENTITIES: Record<ImportPath, string[]> = {
  '/v0/bookings/import': ['externalBookingId'],
  '/v0/bookings/line-items/import': ['externalLineItemId'],
  '/v0/add-ons/import': ['externalAllocationId'],
  '/v0/credits/import': ['externalCreditId'],
  '/v0/discount-codes/import': ['code'],
  '/v0/referrals/import': [
    'referralProgramId',
    'generatedReferralCode',
    'referredBookingId',
    'referredExternalBookingId',
  ],
  '/v0/reserved-entries/participants/import': ['externalAssignmentId'],
};

/** Names as people type them: `bookings` or `bookingsImport`. */
export const SURFACE_NAMES: string[] = Object.values(IMPORT_TABLE).map(({ surface }) =>
  surface.replace(/Import$/, ''),
);

/** @throws SendRefused if there is no such surface */
export function surfaceOf(name: string): Surface {
  const paths = Object.keys(IMPORT_TABLE) as ImportPath[];
  const path = paths.find((each) => [name, `${name}Import`].includes(IMPORT_TABLE[each].surface));
  if (!path) {
    throw new SendRefused(
      'INVALID_COMMAND',
      `There is no surface "${name}". Use one of: ${SURFACE_NAMES.join(', ')}.`,
    );
  }
  const { surface, collection } = IMPORT_TABLE[path];
  const fields = IMPORT_SHAPES[path]?.fields ?? [];
  return { path, name: surface, collection, fields, identity: IDENTITIES[path] };
}

/** @returns the same text for two rows with the same identity; undefined if a part of the identity is missing */
export function identityOf(surface: Surface, body: Record<string, unknown>): string | undefined {
  const parts = surface.identity.map((name) => {
    const text = typeof body[name] === 'string' ? (body[name] as string).trim() : '';
    return /code$/i.test(name) ? text.toLowerCase() : text;
  });
  return parts[0] ? parts.join('\n') : undefined;
}
