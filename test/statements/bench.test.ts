import { newId } from '#platform/database';
import {
  foundStatement,
  listStatement,
  marketplaceStatement,
  readStatement,
  registrationStatement,
} from '../../bench/baselines/statements';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** The baselines of the benchmark run what the product ran with a database that only records. */
describe('the statements of the benchmark', () => {
  it.each([
    ['list', () => listStatement(newId(), { 'page[size]': 100 })],
    ['list by change', () => listStatement(newId(), { 'page[size]': 100, 'sort[updatedAt]': '1' })],
    ['participant', () => readStatement(newId())],
    ['registration check', () => registrationStatement(newId(), newId())],
    ['marketplace', () => marketplaceStatement(newId())],
    ['marketplace search', () => foundStatement(api.dataSource, newId(), 'trail')],
  ])('%s is one that PostgreSQL runs', async (_, recorded) => {
    const { text, values } = await recorded();
    await expect(api.dataSource.query(text, values)).resolves.toBeInstanceOf(Array);
  });
});
