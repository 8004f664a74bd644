import { boolean, dateTime, integer, oneOf, readParameters } from './parameters';

const DECLARED = {
  size: integer('Items per page.', { min: 1, max: 500 }),
  after: dateTime('Only later items.'),
  drafts: boolean('Whether to include drafts.'),
  kind: { ...oneOf('The kind.', ['race', 'ticket']), required: true },
};
const refusal = (query: Record<string, unknown>) => {
  try {
    readParameters(DECLARED, query);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

const filter = dateTime('A filter.');
const LISTED = {
  ...{
    'sort[createdAt]': filter,
    'sort[updatedAt]': filter,
    'updatedAt[after]': filter,
    'updatedAt[before]': filter,
  },
  ...{ 'startDate[gte]': filter, 'startDate[lte]': filter },
};
describe('an unknown parameter', () => {
  it.each([
    [{ updatedAt: 'x' }, 'updatedAt[after]'],
    [{ 'updatedAt[gte]': 'x' }, 'updatedAt[after]'],
    [{ 'updatedAt[gt]': 'x' }, 'updatedAt[after]'],
    [{ 'updatedAt[lte]': 'x' }, 'updatedAt[before]'],
    [{ 'startDate[after]': 'x' }, 'startDate[gte]'],
    [{ 'startDate[to]': 'x' }, 'startDate[lte]'],
    [{ startDate: 'x' }, 'startDate[gte]'],
    [{ sort: '-updatedAt' }, 'sort[updatedAt]=-1'],
    [{ sort: 'createdAt' }, 'sort[createdAt]=1'],
    [{ orderBy: 'updatedAt desc' }, 'sort[updatedAt]=-1'],
    [{ sort_by: 'updatedAt:asc' }, 'sort[updatedAt]=1'],
  ])('%j is told %s', (query, meant) => {
    expect(() => readParameters(LISTED, query)).toThrow(`did you mean ${meant}? The known parameters`);
  });
});

describe('readParameters', () => {
  it('returns the values of the declared parameters', () => {
    const query = { size: '500', after: '2026-05-04', drafts: 'true', kind: 'race' };
    expect(refusal(query)).toMatch(/^after must be an ISO 8601 date-time/);
    expect(readParameters(DECLARED, { ...query, after: '2026-05-04T09:30:00Z' })).toEqual({
      size: 500,
      after: '2026-05-04T09:30:00.000000Z',
      drafts: true,
      kind: 'race',
    });
  });

  it.each([
    [{ size: '0' }, 'size must be a whole number between 1 and 500'],
    [{ size: '01' }, 'size must be a whole number between 1 and 500'],
    [{ size: '1e2' }, 'size must be a whole number between 1 and 500'],
    [{ size: ['1', '2'] }, 'size must not be repeated'],
    [{ drafts: 'yes' }, 'drafts must be true or false'],
    [{ kind: 'wave' }, 'kind must be one of race, ticket'],
    [
      { constructor: '1' },
      '"constructor" is not a known query parameter: known parameters are size, after, drafts, kind',
    ],
    [{}, 'kind is required'],
  ])('refuses %j', (query, message) => {
    expect(refusal(query)).toBe(message);
  });
});
