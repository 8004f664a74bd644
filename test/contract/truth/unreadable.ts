/**
 * Properties that a write has and nothing shows as they were sent, and why. One that no write has fails the test. With `*`: of every
 * operation.
 */
export const UNREADABLE: Record<string, Record<string, string>> = {
  '*': { corrects: 'Shown by the job (test/imports/corrections-of-rows.test.ts).' },
  importBookings: { discountAlreadyApplied: 'It decides whether line items of the code are made.' },
  correctBookings: {
    discountAlreadyApplied: 'The sale settled it.',
  },
  updateRaceDay: { changedAt: 'It orders updates.' },
  setRaceDay: { changedAt: 'It orders updates.' },
  addParticipant: { requestId: 'It identifies the request.', beyondCapacity: 'It permits the request.' },
  ingestTiming: {
    'schemaVersion changedAt': 'They are about the message.',
    'participantId:null bibNumber:null shipping:null status:null carrier:null trackingNumber:null trackingUrl:null':
      'As if absent: what was shipped cannot be removed.',
  },
  decideApplications: { 'matching after': 'They select applications.' },
  changeParticipants: {
    'matching participantIds atMost': 'They select the participants.',
    'change.type': 'It is what is done.',
  },
  createKey: { readOnly: 'Short form of permissions.' },
};

/** Writes without a property that anything shows. */
export const WITHOUT_PROPERTIES: Record<string, string> = {
  writeCatalogue: 'Records of several kinds: test/catalogue/spellings.test.ts.',
  writeCatalogueAsStaff: 'The same.',
  registrationStatus: 'It reads.',
  planBibs: 'A calculation: test/race-day/bib-plan.test.ts.',
  undoImport: 'It selects records to cancel.',
  retryFailedWebhookDeliveries: 'It selects deliveries.',
  redeemStaffLink: 'A secret.',
  signIn: 'A secret.',
  mailSignInLink: 'It mails.',
  setPassword: 'A secret.',
  rotateKey: 'A secret.',
  exportChosenParticipants: 'It reads.',
  exportPerson: 'It reads.',
  countApplicationsByTicket: 'It reads.',
  erasePerson: 'It removes.',
  readCatalogueFile: 'It reads a file.',
};
