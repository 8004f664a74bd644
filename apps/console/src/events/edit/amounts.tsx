import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useTexts } from '../../texts';
import { isObject } from './paths';
import { type InputProps, useTyped } from './use-typed';

export const CURRENCIES = ['EUR', 'GBP', 'USD', 'AUD', 'CAD', 'DKK', 'INR', 'MXN', 'PHP'];
const FREE = 'ZERO';

/** `currency`: the usual one. */
type Of = InputProps & { currency: string; value: unknown; onChange(value: unknown): void };

/** An amount as people type it, in whole units; what cannot be read stays a text, which the API refuses. */
const readUnits = (text: string): unknown => {
  const [, whole, cents = ''] = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.replace(/\s/g, '')) ?? [];
  return whole === undefined ? text : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
};

/** A price, or free. */
export function AmountField({ value, onChange, currency, ...props }: Of) {
  const { eventForm: words, locale, events } = useTexts();
  const price = isObject(value) ? value : { currencyCode: currency };
  const code = String(price.currencyCode ?? currency);
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false });
  const amount = useTyped(
    price.value,
    (stored) => (typeof stored === 'number' ? format.format(stored / 100) : ''),
    readUnits,
    (next) => onChange({ ...price, value: next, currencyCode: code === FREE ? currency : code }),
  );
  return (
    <Group gap={8} wrap="nowrap" align="start">
      <TextInput
        {...props}
        flex={1}
        {...amount}
        inputMode="decimal"
        maxLength={20}
        disabled={code === FREE}
      />
      <Select
        w={110}
        mt={24}
        aria-label={words.currencyOf(props.label)}
        data={[
          ...CURRENCIES.map((each) => ({ value: each, label: each })),
          { value: FREE, label: events.free },
        ]}
        value={code}
        onChange={(next) =>
          onChange(next === FREE ? { value: 0, currencyCode: FREE } : { ...price, currencyCode: next })
        }
      />
    </Group>
  );
}

/** A discount: an amount, a percentage, or none where it is not required. */
export function DiscountField({ value, onChange, currency, ...props }: Of) {
  const { eventForm: words, locale } = useTexts();
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const discount = isObject(value) ? value : undefined;
  const percentage = useTyped(
    discount?.amount,
    (stored) => (typeof stored === 'number' ? format.format(stored) : ''),
    (text) => (/^\d{1,3}(?:[.,]\d{1,4})?$/.test(text) ? Number(text.replace(',', '.')) : text),
    (amount) => onChange({ ...discount, amount }),
  );
  return (
    <div className="tiles">
      <Select
        label={props.label}
        description={props.description}
        data={Object.entries(words.discounts)
          .filter(([type]) => type !== 'NONE' || !props.required)
          .map(([type, label]) => ({ value: type, label }))}
        value={String(discount?.type ?? 'NONE')}
        onChange={(type) =>
          onChange(
            type === 'FLAT_RATE'
              ? { type }
              : type === 'PERCENTAGE'
                ? { type, isAppliedToBookingFee: false }
                : undefined,
          )
        }
      />
      {discount?.type === 'FLAT_RATE' && (
        <AmountField
          currency={currency}
          label={words.discounts.FLAT_RATE}
          required
          error={props.error}
          value={discount.price}
          onChange={(price) => onChange({ type: 'FLAT_RATE', price })}
        />
      )}
      {discount?.type === 'PERCENTAGE' && (
        <>
          <TextInput {...percentage} label={words.percent} required error={props.error} inputMode="decimal" />
          <Checkbox
            label={words.appliedToFee}
            checked={discount.isAppliedToBookingFee === true}
            onChange={({ target }) => onChange({ ...discount, isAppliedToBookingFee: target.checked })}
          />
        </>
      )}
    </div>
  );
}
