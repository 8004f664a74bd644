import { Card } from '../../pieces';
import { useTexts } from '../../texts';
import type { Texts } from '../../texts/en';
import type { Row } from '../write-catalogue';
import { keysOf } from './paths';
import { Fields, Rows } from './rows';
import {
  ADD_ON,
  BASICS,
  CONTENT,
  EVENT,
  FORM,
  GROUP,
  IMAGES,
  PLACE,
  QUESTION,
  RACE,
  REFERRAL_PROGRAM,
} from './shapes';

export type Section = keyof Texts['eventForm']['sections'];
export const SECTIONS: Section[] = ['basics', 'races', 'forms', 'extras', 'groups', 'place', 'texts'];

const SECTION_OF: Record<string, Section> = {
  races: 'races',
  addOns: 'extras',
  referralPrograms: 'extras',
  reservedEntryGroups: 'groups',
  location: 'place',
  images: 'place',
  content: 'texts',
};

/** Where a path of the draft is edited. */
export function sectionOf(records: Row[], path: string): Section {
  const [, place, name] = keysOf(path);
  const kind = records[place as number]?.record;
  if (kind === 'bookingForm' || kind === 'bookingFormField') return 'forms';
  return SECTION_OF[String(name)] ?? 'basics';
}

export function SectionOf({ section, records }: { section: Section; records: Row[] }) {
  const { eventForm: words } = useTexts();
  const placeOf = (kind: string) => records.findIndex(({ record }) => record === kind);
  const at = placeOf('occurrence');
  const eventAt = placeOf('event');
  const occurrence = records[at] ?? {};
  const event = records[eventAt];
  const path = `records[${at}]`;
  const eventPath = `records[${eventAt}]`;
  const rows = (name: string) => occurrence[name] as Row[] | undefined;
  const ofKind = (kind: string) => {
    const places = records.map((_, place) => place).filter((place) => records[place]?.record === kind);
    return { places, rows: places.map((place) => records[place] as Row), path: 'records' };
  };
  switch (section) {
    case 'basics':
      return (
        <>
          <Card title={words.cards.basics}>
            <Fields fields={BASICS} row={occurrence} path={path} />
          </Card>
          {event && (
            <Card title={words.cards.event}>
              <p className="dim">{words.cards.eventHelp}</p>
              <Fields fields={EVENT} row={event} path={eventPath} />
            </Card>
          )}
        </>
      );
    case 'races':
      return (
        <Card>
          <Rows shape={RACE} rows={rows('races')} path={`${path}.races`} />
        </Card>
      );
    case 'forms':
      return (
        <>
          <p className="notice">{words.cards.formsHelp}</p>
          <Card>
            <Rows shape={FORM} begin={{ record: 'bookingForm' }} {...ofKind('bookingForm')} />
          </Card>
          <Card>
            <Rows shape={QUESTION} begin={{ record: 'bookingFormField' }} {...ofKind('bookingFormField')} />
          </Card>
        </>
      );
    case 'extras':
      return (
        <>
          <Card title={words.cards.addOns}>
            <Rows shape={ADD_ON} rows={rows('addOns')} path={`${path}.addOns`} />
          </Card>
          {event && (
            <Card title={words.cards.eventAddOns}>
              <Rows shape={ADD_ON} rows={event.addOns as Row[] | undefined} path={`${eventPath}.addOns`} />
            </Card>
          )}
          <Card>
            <Rows
              shape={REFERRAL_PROGRAM}
              rows={rows('referralPrograms')}
              path={`${path}.referralPrograms`}
            />
          </Card>
        </>
      );
    case 'groups':
      return (
        <Card>
          <Rows shape={GROUP} rows={rows('reservedEntryGroups')} path={`${path}.reservedEntryGroups`} />
        </Card>
      );
    case 'place':
      return (
        <>
          <Card title={words.cards.place}>
            <Fields fields={PLACE} row={occurrence} path={path} />
          </Card>
          <Card title={words.cards.images}>
            <Fields fields={IMAGES} row={occurrence} path={path} />
          </Card>
        </>
      );
    case 'texts':
      return (
        <Card title={words.cards.texts}>
          <p className="dim">{words.cards.textsHelp}</p>
          <Fields fields={CONTENT} row={occurrence} path={path} />
        </Card>
      );
  }
}
