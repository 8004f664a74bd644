export { partnersById } from './known-partners';
export { type ExternalIdType, Partner, PartnerCreate, PartnerUpdate } from './partners.dto';
export { PARTNERS } from './partners.resource';
export { PartnersService } from './partners.service';
