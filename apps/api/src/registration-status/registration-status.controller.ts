import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  RegistrationStatus,
  RegistrationStatusRequest,
  RegistrationStatusService,
} from '#domain/participants';
import type { Caller } from '#platform/access';
import { Call, NOTHING, Operation } from '#platform/http';
import { operationsOf } from '../operations-of';

@Controller('v0/event-occurrences')
export class RegistrationStatusController {
  constructor(private readonly registrationStatus: RegistrationStatusService) {}

  @Post(':id/registration-status')
  @Operation({
    ...operationsOf('EventOccurrences', 'registrations:read'),
    name: 'registrationStatus',
    writes: NOTHING,
    summary: 'Check whether an email is registered',
    description:
      'Compares the email of each participant, or of the booker if the participant has none. Entries that are pending, rejected, withdrawn, cancelled or redacted do not count. Emails are compared after trimming, Unicode normalization (NFC) and conversion to lower case. For an email that is not registered, the response is `registered: false`, not an error.',
    forPartners: true,
    scoped: 'occurrence',
    rate: 'registrationStatus',
    readOnly: true,
    answers: RegistrationStatus,
    body: RegistrationStatusRequest,
  })
  check(@Call() caller: Caller, @Param('id') id: string, @Body() { email }: RegistrationStatusRequest) {
    return this.registrationStatus.of(caller, id, email);
  }
}
