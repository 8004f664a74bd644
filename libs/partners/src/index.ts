export { type ExternalIdType, Partner, PartnerCreate, PartnerUpdate } from './partners.dto';
export { PARTNERS } from './partners.resource';
export { PartnersService } from './partners.service';
export { partnersById } from './known-partners';
