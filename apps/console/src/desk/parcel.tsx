import { Button, Group, TextInput, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../texts';
import { type NewChange, PARCEL_STATES, type ParcelState } from './queue';

interface ParcelProps {
  state: ParcelState | null;
  /** The tracking number that is recorded. */
  tracked: string | null;
  onChange(change: Pick<NewChange, 'parcel' | 'carrier' | 'trackingNumber'>): void;
}

const LONGEST = 255;
/** Parcels of one pile have one carrier. */
let lastCarrier = '';

/** What became of a parcel, and the number by which the carrier finds it. */
export function Parcel({ state, tracked, onChange }: ParcelProps) {
  const { desk } = useTexts();
  const [carrier, setCarrier] = useState(lastCarrier);
  const [trackingNumber, setTrackingNumber] = useState('');
  const number = trackingNumber.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!number) return;
    lastCarrier = carrier.trim();
    onChange({ parcel: state ?? 'SHIPPED', carrier: lastCarrier || undefined, trackingNumber: number });
    setTrackingNumber('');
  };
  return (
    <Group component="fieldset" className="form-wide" gap={8}>
      <VisuallyHidden component="legend">{desk.parcel}</VisuallyHidden>
      <span className="dim" aria-hidden="true">
        {desk.parcel}
      </span>
      {PARCEL_STATES.map((each) => (
        <Button
          key={each}
          variant={state === each ? 'filled' : 'default'}
          aria-pressed={state === each}
          onClick={() => state !== each && onChange({ parcel: each })}
        >
          {desk.parcelStates[each]}
        </Button>
      ))}
      {tracked && (
        <span className="dim">
          {desk.trackingNumber}: {tracked}
        </span>
      )}
      <Group component="form" gap={8} w="100%" onSubmit={submit}>
        <TextInput
          flex="1 1 130px"
          aria-label={desk.carrier}
          placeholder={desk.carrier}
          maxLength={LONGEST}
          value={carrier}
          onChange={({ target }) => setCarrier(target.value)}
        />
        <TextInput
          flex="1 1 130px"
          aria-label={desk.trackingNumber}
          placeholder={desk.trackingNumber}
          maxLength={LONGEST}
          value={trackingNumber}
          onChange={({ target }) => setTrackingNumber(target.value)}
        />
        <Button flex="1 0 auto" type="submit" variant="default" disabled={!number}>
          {desk.recordParcel}
        </Button>
      </Group>
    </Group>
  );
}
