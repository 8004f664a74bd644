import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts';
import { freeOf, isOver, type Places } from './use-places';

/** Whose places are assigned: the group, of those with free places, and the ticket if the group has several. */
export function usePlaceChoice(places: Places[] | undefined, firstId?: string) {
  const { partner, participants } = useTexts();
  const [groupId, setGroupId] = useState(firstId);
  const [slug, setSlug] = useState<string>();
  const open = places?.filter((each) => !isOver(each) && freeOf(each) > 0) ?? [];
  const place = places?.find(({ id }) => id === groupId) ?? (open.length === 1 ? open[0] : undefined);
  const tickets = place?.tickets ?? [];
  const ticket = tickets.find(({ ticketSlug }) => ticketSlug === slug) ?? tickets[0];
  const labelOf = (each: Places) =>
    `${partner.placesOf(each.name, each.eventTitle)} (${partner.freePlaces(freeOf(each))})`;
  const fields = (
    <div className="tiles">
      {open.length > 1 ? (
        <Select
          label={participants.group}
          placeholder={partner.chooseGroup}
          searchable
          data={open.map((each) => ({ value: each.id, label: labelOf(each) }))}
          value={place?.id ?? null}
          onChange={(value) => setGroupId(value ?? undefined)}
        />
      ) : (
        place && <p className="dim">{labelOf(place)}</p>
      )}
      {tickets.length > 1 && (
        <Select
          label={participants.ticket}
          data={tickets.map(({ ticketSlug, raceTitle, title }) => ({
            value: ticketSlug,
            label: `${raceTitle}: ${title}`,
          }))}
          value={ticket?.ticketSlug ?? null}
          onChange={(value) => setSlug(value ?? undefined)}
        />
      )}
    </div>
  );
  return { open, place, ticket, fields };
}
