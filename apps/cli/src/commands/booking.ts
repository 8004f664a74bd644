import { cancelByOrganizer } from '#domain/bookings';
import { Booking, isId } from '#platform/database';
import { CommandError } from '../errors';
import type { CommandGroup } from './command-group';

export const bookingCommands: CommandGroup = (program, context) => {
  program
    .command('booking')
    .description('bookings')
    .command('cancel <id>')
    .description(
      'cancel a booking of any source; it stays readable, and its places, bibs and external ids are free',
    )
    .action(async (id: string) => {
      const dataSource = await context.dataSourceHolding(Booking, id);
      const booking = isId(id) ? await dataSource.manager.findOneBy(Booking, { id }) : null;
      if (!booking) throw new CommandError('NOT_FOUND', `There is no booking ${id}.`);
      const { organizationId, externalBookingId } = booking;
      const outcome = await dataSource.transaction((manager) =>
        cancelByOrganizer(manager, { organizationId, id }, context.actor),
      );
      const { cancelledAt } = await dataSource.manager.findOneByOrFail(Booking, { organizationId, id });
      if (outcome === 'ALREADY_CANCELLED') {
        throw new CommandError(
          'CANCELLED',
          `Booking ${id} was already cancelled at ${cancelledAt?.toISOString()}. Nothing was changed.`,
        );
      }
      context.answer(
        { id, organizationId, externalBookingId, status: 'CANCELLED', cancelledAt },
        `Booking ${id} is cancelled.`,
      );
    });
};
