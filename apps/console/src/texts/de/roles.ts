import type { Texts } from '../en';

export const roles: Texts['roles'] = {
  OWNER: 'Inhaber',
  MANAGER: 'Verwaltung',
  VIEWER: 'Nur lesen',
  RACE_DAY: 'Renntag',
  PARTNER: 'Partner',
};
