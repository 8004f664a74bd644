import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Partner } from '../api';
import { History } from '../history/history';
import { Card, CopiedId, Facts, List, Page, Table, Time } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { useCodeColumns } from './codes-page';
import { useGroupColumns } from './groups-page';
import { PartnerForm } from './partner-form';
import { PartnerMembers } from './partner-members';
import { usePartnerColumns } from './partners-page';

/** Sub-partners, groups and codes on the page of a partner. More are in their lists. */
const MOST = 100;

export function usePartner(id: string | null | undefined) {
  return useGet(['partners', id], '/v0/partners/{id}', { path: { id: id ?? '' } }, { enabled: Boolean(id) });
}

/** A partner: what is known about it, its contacts, its places by group, its sub-partners and its codes. */
export function PartnerPage({ id }: { id: string }) {
  const { partners, participants } = useTexts();
  const { may } = useSession();
  const [asked, setAsked] = useState<'edit' | 'sub'>();
  const { data: partner, error } = usePartner(id);
  const up = { to: '/partners', text: partners.title };
  if (!partner) return <Page title={partners.partner} up={up} error={error} />;
  const writes = may('OWNER', 'MANAGER');
  const close = () => setAsked(undefined);
  return (
    <Page
      title={partner.name}
      beside={partner.type && <span className="dim">{partners.types[partner.type]}</span>}
      up={up}
      actions={
        writes && (
          <Button variant="default" onClick={() => setAsked('edit')}>
            {participants.edit}
          </Button>
        )
      }
    >
      <Card>
        <PartnerFacts partner={partner} />
      </Card>
      <Card title={partners.contacts}>
        <Table
          caption={partners.contacts}
          rows={partner.contacts}
          keyOf={({ email, lastName }) => `${email} ${lastName}`}
          columns={[
            {
              title: participants.name,
              main: true,
              cell: ({ firstName, lastName }) => <strong>{`${firstName} ${lastName}`}</strong>,
            },
            { title: partners.contact.email, cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a> },
            { title: partners.contact.phone, cell: ({ phone }) => phone },
            { title: partners.contact.role, cell: ({ role }) => role },
          ]}
        />
      </Card>
      <GroupsOfPartner id={id} />
      {partner.parentPartnerId === null && (
        <SubPartners
          id={id}
          actions={
            writes && (
              <Button variant="default" size="xs" onClick={() => setAsked('sub')}>
                {partners.createSubShort}
              </Button>
            )
          }
        />
      )}
      <CodesOfPartner id={id} />
      <PartnerMembers id={id} name={partner.name} />
      <History subject={id} />
      {asked === 'edit' && <PartnerForm partner={partner} onClose={close} />}
      {asked === 'sub' && <PartnerForm parent={partner} onClose={close} />}
    </Page>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  const { partners, participants } = useTexts();
  const { data: parent } = usePartner(partner.parentPartnerId);
  return (
    <Facts
      facts={[
        [partners.description, partner.description ?? undefined],
        parent && [
          partners.parent,
          <Link key="parent" to={`/partners/${parent.id}`}>
            {parent.name}
          </Link>,
        ],
        ...Object.entries(partner.externalIds).map(
          ([platform, external]) => [`${partners.externalId}: ${platform}`, external] as const,
        ),
        partner.parentPartnerId === null && [
          partners.subPartners,
          partner.canCreateSubPartners ? partners.mayCreate : partners.mayNotCreate,
        ],
        [participants.id, <CopiedId key="id" id={partner.id} />],
        [partners.created, <Time key="created" at={partner.createdAt} />],
        [partners.updated, <Time key="updated" at={partner.updatedAt} />],
      ]}
    />
  );
}

function GroupsOfPartner({ id }: { id: string }) {
  const { partners } = useTexts();
  const query = { partnerId: id, 'page[size]': MOST };
  const list = useGet(['groups', query], '/console/v1/reserved-entry-groups', { query });
  const columns = useGroupColumns().filter(({ title }) => title !== partners.partner);
  return (
    <Card title={partners.places}>
      <List
        of={list}
        caption={partners.places}
        columns={columns}
        expected={2}
        empty={<p className="dim">{partners.noGroupsOfPartner}</p>}
      />
      <MoreIn list={list} to={`/partners/groups?partnerId=${id}`} />
    </Card>
  );
}

function SubPartners({ id, actions }: { id: string; actions: React.ReactNode }) {
  const { partners } = useTexts();
  const query = { parentPartnerId: id, 'page[size]': MOST };
  const list = useGet(['partners', 'of', query], '/console/v1/partners', { query });
  return (
    <Card title={partners.subPartners} actions={actions}>
      <List
        of={list}
        caption={partners.subPartners}
        columns={usePartnerColumns()}
        expected={1}
        empty={<p className="dim">{partners.noSubPartners}</p>}
      />
      <MoreIn list={list} />
    </Card>
  );
}

function CodesOfPartner({ id }: { id: string }) {
  const { partners } = useTexts();
  const query = { partnerId: id, 'page[size]': MOST };
  const list = useGet(['codes', query], '/console/v1/discount-codes', { query });
  return (
    <Card title={partners.codes}>
      <List
        of={list}
        caption={partners.codes}
        columns={useCodeColumns()}
        expected={1}
        empty={<p className="dim">{partners.noCodesOfPartner}</p>}
      />
      <MoreIn list={list} to={`/partners/codes?partnerId=${id}`} />
    </Card>
  );
}

function MoreIn({ list, to }: { list: { data?: { page: { totalResults: number } } }; to?: string }) {
  const { partners } = useTexts();
  const more = (list.data?.page.totalResults ?? 0) - MOST;
  if (more <= 0) return null;
  return <p className="dim">{to ? <Link to={to}>{partners.showMore(more)}</Link> : partners.more(more)}</p>;
}
