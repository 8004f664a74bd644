import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ListedPartner } from '../api';
import { Capacity } from '../events/capacity';
import { type Column, Empty, List, Page, SearchField, useFilters } from '../pieces';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { PartnerForm } from './partner-form';

export function PartnersPage() {
  const { partners, applications } = useTexts();
  const { may } = useSession();
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const { filters, cursor, set } = useFilters(['search'] as const);
  const query = { ...filters, ...cursor, 'page[size]': 50 };
  const list = useList(['partners', query], '/console/v1/partners', { query });
  const columns = usePartnerColumns();
  const create = may('OWNER', 'MANAGER') && (
    <Button onClick={() => setCreating(true)}>{partners.create}</Button>
  );
  return (
    <Page section="partners" actions={create}>
      <search className="filters">
        <SearchField label={partners.search} value={filters.search} set={set} />
      </search>
      <List
        of={list}
        caption={partners.title}
        columns={columns}
        go={set}
        empty={
          <Empty
            title={filters.search ? partners.noneFound : partners.none}
            action={!filters.search && create}
          >
            {filters.search ? applications.noneFoundAdvice : partners.noneAdvice}
          </Empty>
        }
      />
      {creating && (
        <PartnerForm onClose={() => setCreating(false)} onSaved={({ id }) => go(`/partners/${id}`)} />
      )}
    </Page>
  );
}

/** The columns of a list of partners. */
export function usePartnerColumns(): Column<ListedPartner>[] {
  const { partners, number, participants, imports } = useTexts();
  return [
    {
      title: participants.name,
      main: true,
      cell: ({ id, name, parentName }) => (
        <>
          <Link className="row-link" to={`/partners/${id}`}>
            {name}
          </Link>
          {parentName && (
            <>
              <br />
              <span className="dim">{partners.partOf(parentName)}</span>
            </>
          )}
        </>
      ),
    },
    {
      title: imports.surface,
      cell: ({ type }) => type && partners.types[type],
    },
    { title: partners.groups, number: true, cell: ({ groups }) => number(groups) },
    {
      title: partners.places,
      width: 'wide',
      cell: ({ groups, ...places }) =>
        groups > 0 ? <Capacity {...places} /> : <span className="dim">{partners.noPlaces}</span>,
    },
  ];
}
