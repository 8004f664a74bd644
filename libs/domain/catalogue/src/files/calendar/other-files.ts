/** Columns that only a start list of Startline has. */
const STARTLINE = /^(?:externalBookingId|booker\..+|participant\..+)$/;
/** Columns that describe a person in lists of other systems, without case, spaces and punctuation. */
const PERSON =
  /^(?:first|last|given|family|full|sur|fore)name$|^(?:bib|bibn(?:o|r|umber)|e?mail|emailaddress|gender|sex|age|birthdate|dateofbirth|dob|yob|birthyear|participant|runner|athlete)$/;
/** Those of them that an organizer, whom a calendar can name, does not have. */
const PARTICIPANT = /^(?:bib|gender|sex|age|birth|date|dob|yob|participant|runner|athlete)/;

/**
 * The columns that identify a file as a start list. At least two columns that describe a person are required, because
 * a calendar can have one, such as the email address of an organizer.
 *
 * @param isCalendar whether it has the columns of a calendar, which may name an organizer
 */
export function startListColumns(unknown: string[], header: string[], isCalendar: boolean): string[] {
  if (header.some((name) => name === 'event.title' || name === 'race.title')) return [];
  const ofStartline = unknown.filter((name) => STARTLINE.test(name));
  if (ofStartline.length > 0) return ofStartline;
  const plainly = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const ofPerson = unknown.filter((name) => PERSON.test(plainly(name)));
  if (isCalendar && !ofPerson.some((name) => PARTICIPANT.test(plainly(name)))) return [];
  return ofPerson.length > 1 ? ofPerson : [];
}
