import { Checkbox, Fieldset, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Partner } from '../api';
import { EMAIL_INPUT, FormDialog } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

export type PartnerType = NonNullable<Partner['type']>;

interface PartnerFormProps {
  /** The partner to change; without it, a partner is created. */
  partner?: Partner;
  /** The partner that the new one is a sub-partner of. */
  parent?: Partner;
  onClose(): void;
  onSaved?(partner: Partner): void;
}

/** Creates a partner with its first contact, or changes one. The type can't be changed later, nor can the parent. */
export function PartnerForm({ partner, parent, onClose, onSaved }: PartnerFormProps) {
  const { partners, save, participants, imports } = useTexts();
  const { api } = useSession();
  // The page reads the partner again meanwhile.
  const [before] = useState(partner);
  const [name, setName] = useState(partner?.name ?? '');
  const [description, setDescription] = useState(partner?.description ?? '');
  const [type, setType] = useState<PartnerType | null>('CHARITY');
  const [canCreateSubPartners, setCanCreate] = useState(partner?.canCreateSubPartners ?? false);
  const [contact, setContact] = useState({ firstName: '', lastName: '', email: '' });
  const isSub = Boolean(parent ?? partner?.parentPartnerId);
  const saving = useChange(
    () => {
      const stated = {
        ...{ name: name.trim(), description: description.trim() || null },
        ...(!isSub && { canCreateSubPartners }),
      };
      // What was not changed here may have been changed elsewhere.
      if (before)
        return api.patch('/v0/partners/{id}', {
          params: { path: { id: before.id } },
          body: Object.fromEntries(
            Object.entries(stated).filter(([key, value]) => value !== before[key as keyof typeof stated]),
          ),
        });
      const parentPartnerId = parent?.id ?? null;
      return api.post('/v0/partners', {
        body: { ...stated, type, parentPartnerId, contacts: [contact] },
      });
    },
    ['partners'],
    (saved) => {
      onClose();
      onSaved?.(saved);
    },
  );
  const contactField = (key: keyof typeof contact) => (
    <TextInput
      label={partners.contact[key]}
      {...(key === 'email' && EMAIL_INPUT)}
      required
      maxLength={255}
      value={contact[key]}
      onChange={({ target }) => setContact({ ...contact, [key]: target.value })}
    />
  );
  const title = partner ? participants.edit : parent ? partners.createSub(parent.name) : partners.create;
  return (
    <FormDialog title={title} action={partner ? save : partners.create} change={saving} onClose={onClose}>
      <TextInput
        label={participants.name}
        required
        minLength={2}
        maxLength={255}
        data-autofocus
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {!partner && (
        <Select
          label={imports.surface}
          clearable
          data={Object.entries(partners.types).map(([value, label]) => ({ value, label: label as string }))}
          value={type}
          onChange={(value) => setType(value as PartnerType | null)}
        />
      )}
      <Textarea
        label={partners.description}
        maxLength={10_000}
        rows={3}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      {!partner && (
        <Fieldset className="fieldset" legend={partners.firstContact}>
          {contactField('firstName')}
          {contactField('lastName')}
          {contactField('email')}
        </Fieldset>
      )}
      {!isSub && (
        <Checkbox
          label={partners.canCreateSubPartners}
          checked={canCreateSubPartners}
          onChange={({ target }) => setCanCreate(target.checked)}
        />
      )}
    </FormDialog>
  );
}
