import type { Price } from '#libs/resources';

export const exactlyOne = <Row>(
  row: Row,
  first: keyof Row & string,
  second: keyof Row & string,
): string | undefined =>
  (row[first] == null) === (row[second] == null)
    ? `: give ${first} or ${second}, and only one of them`
    : undefined;

export const firstProblem = (problems: (string | undefined)[]): string | undefined => problems.find(Boolean);

export const problemOfZero = (path: string, price: Price | null | undefined): string | undefined =>
  price?.currencyCode === 'ZERO' && price.value !== 0
    ? `${path}.value must be 0 where currencyCode is ZERO`
    : undefined;

export const problemOfPrice = (path: string, price: Price | null | undefined): string | undefined =>
  price && price.value < 0 ? `${path}.value must not be negative` : problemOfZero(path, price);
