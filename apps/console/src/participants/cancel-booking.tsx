import type { Participant } from '../api';
import { Confirm, Facts } from '../pieces';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';

/** Says what belongs to the booking before all of it is cancelled. */
export function CancelBooking({ entry, onClose }: { entry: Participant; onClose(): void }) {
  const { participants } = useTexts();
  const { api } = useSession();
  const path = { id: entry.bookingId };
  const booking = useGet(['booking', entry.bookingId], '/v0/bookings/{id}', { path });
  const cancel = useChange(() => api.delete('/v0/bookings/{id}', { params: { path } }), [], onClose);
  const { data } = booking;
  return (
    <Confirm
      title={participants.cancelTitle}
      action={participants.cancelBooking}
      keep={participants.cancelKeep}
      danger
      pending={cancel.isPending}
      disabled={!data}
      error={cancel.error ?? booking.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <Facts
        facts={[
          [participants.booker, entry.booker.email],
          [participants.externalBookingId, entry.externalBookingId ?? undefined],
        ]}
      />
      <p>{data ? participants.cancelWhole(data.applicationIds.length) : '\u200b'}</p>
      <p>{participants.cancelFrees}</p>
      <p>{participants.cancelPayment}</p>
    </Confirm>
  );
}
