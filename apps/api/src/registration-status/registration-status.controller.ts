import { Body, Controller, Param, Post } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation } from '#libs/http';
import { RegistrationStatus, RegistrationStatusRequest, RegistrationStatusService } from '#libs/start-list';

@Controller('v0/event-occurrences')
export class RegistrationStatusController {
  constructor(private readonly registrationStatus: RegistrationStatusService) {}

  @Post(':id/registration-status')
  @Operation({
    name: 'registrationStatus',
    group: 'EventOccurrences',
    summary: 'Check whether an email is registered',
    description:
      'Looks at the participants’ emails, and at the booker’s where a participant has none. Entries that are pending, rejected, withdrawn, cancelled or redacted don’t count. Before comparing, surrounding white space is dropped, the text is composed (NFC) and put in lower case by Unicode’s rules. An email that is not registered answers `registered: false`, never an error.',
    keys: ['ORGANIZER'],
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
