import type { DataSource, DeepPartial } from 'typeorm';
import { Credit, DiscountCode } from '#platform/database';
import { type Given, insert } from './catalogue';
import { next } from './organizations';

export const discountCode = (dataSource: DataSource, given: Given<DiscountCode>) =>
  insert(dataSource, DiscountCode, {
    code: `CODE-${next()}`,
    discount: { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false },
    ...given,
  } as DeepPartial<DiscountCode>);

export const credit = (dataSource: DataSource, given: Given<Credit>) => {
  const n = next();
  return insert(dataSource, Credit, {
    externalCreditId: `CREDIT-${n}`,
    email: `credit-${n}@example.com`,
    emailNormalized: `credit-${n}@example.com`,
    amountValue: '1000',
    currencyCode: 'GBP',
    ...given,
  } as DeepPartial<Credit>);
};
