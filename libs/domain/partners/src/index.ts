export { partnersById } from './known-partners';
export { type ExternalIdType, Partner, PartnerCreate, PartnerUpdate } from './partners.dto';
export { PartnersDomainModule } from './partners.module';
export { PARTNER, PARTNERS } from './partners.resource';
export { PartnersService } from './partners.service';
export { PARTNERS_FOR_STAFF } from './partners-for-staff.resource';
