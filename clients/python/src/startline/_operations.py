# Written by `npm run python` from openapi.json.
# ruff: noqa
"""The shapes of requests and responses, and the signatures of the operations."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload

from ._reports import ImportReport, Progress

VERSION = "0.2.0"

# The surface of each import, as its jobs name it, and the property of its body that holds the rows.
IMPORTS = {
    "/v0/credits/import": ("creditsImport", "credits"),
    "/v0/bookings/import": ("bookingsImport", "bookings"),
    "/v0/bookings/line-items/import": ("lineItemsImport", "lineItems"),
    "/v0/add-ons/import": ("addOnsImport", "addOns"),
    "/v0/discount-codes/import": ("discountCodesImport", "discountCodes"),
    "/v0/referrals/import": ("referralsImport", "referrals"),
    "/v0/reserved-entries/participants/import": ("reservedEntriesImport", "assignments"),
}

class CatalogueWrite(TypedDict):
    """Records of a catalogue file."""

    records: list[dict[str, Any]]
    versions: NotRequired[dict[str, str]]
    dryRun: NotRequired[bool]


class CatalogueWritten(TypedDict):
    dryRun: bool
    records: list[WrittenRecord]


class WrittenRecord(TypedDict):
    """What was done with a record, or would be."""

    record: RecordKind
    name: str
    id: str | None
    outcome: CatalogueOutcome
    version: str | None
    changes: list[CatalogueChange]
    changeCount: int


RecordKind: TypeAlias = Literal["bookingFormField", "bookingForm", "event", "partner", "occurrence"]


CatalogueOutcome: TypeAlias = Literal["CREATED", "CHANGED", "UNCHANGED"]


class CatalogueChange(TypedDict):
    """A changed value."""

    path: str
    of: str
    before: str | None
    after: str | None


ListEventTicketsQuery = TypedDict("ListEventTicketsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedTickets(TypedDict):
    """One page of a list of Ticket."""

    data: list[Ticket]
    page: Page


class Ticket(TypedDict):
    """A ticket: an entry to one race at one price."""

    id: str
    title: str
    titleByLocale: dict[str, str]
    description: str
    ticketSlug: str
    raceId: str
    raceTitle: str
    price: Price
    availability: Availability
    isDeleted: bool


class Price(TypedDict):
    """An amount of money. With `ZERO` the value is 0."""

    value: int
    currencyCode: CurrencyCode


CurrencyCode: TypeAlias = Literal["AUD", "CAD", "DKK", "EUR", "GBP", "INR", "MXN", "PHP", "USD", "ZERO"]


Availability: TypeAlias = Literal["AVAILABLE", "SOLD_OUT", "CLOSED", "NOT_YET_ON_SALE"]


class Page(TypedDict):
    """The position of a page in its list. Cursors are opaque."""

    totalResults: int
    first: str
    last: str
    prev: str
    next: str


ListEventReservedEntriesQuery = TypedDict("ListEventReservedEntriesQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedReservedEntryGroups(TypedDict):
    """One page of a list of ReservedEntryGroup."""

    data: list[ReservedEntryGroup]
    page: Page


class ReservedEntryGroup(TypedDict):
    """Places that are reserved for a partner."""

    id: str
    name: str
    description: str | None
    code: str
    eventId: str
    partnerId: str | None
    maxCapacity: int
    usedCapacity: int
    tickets: list[ReservedEntryTicket]
    type: Literal["MULTI_USE", "SINGLE_USE"]
    settings: ReservedEntrySettings


class ReservedEntryTicket(TypedDict):
    """The places of a group for one ticket."""

    ticketSlug: str
    maxCapacity: NotRequired[int]
    discount: FlatRateDiscount | PercentageDiscount | None
    startDateTime: NotRequired[str]


class FlatRateDiscount(TypedDict):
    """Deducts `price`, but no more than the amount to pay."""

    type: Literal["FLAT_RATE"]
    price: Price


class PercentageDiscount(TypedDict):
    """Deducts a percentage of the price, rounded half up to the minor unit."""

    type: Literal["PERCENTAGE"]
    amount: float
    isAppliedToBookingFee: bool


class ReservedEntrySettings(TypedDict):
    """The settings of a group."""

    canPartnerCancel: bool
    reserveCapacity: Literal["IGNORE_CAPACITY", "RESERVE_CAPACITY"]
    reallocateOnCancel: bool
    domainRestriction: str | None
    deadline: str | None


ListEventApplicationsQuery = TypedDict("ListEventApplicationsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "ticketId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
    "externalBookingId": 'NotRequired[str]',
    "extendMetadata": 'NotRequired[bool]',
})


class PagedApplications(TypedDict):
    """One page of a list of Application."""

    data: list[Application]
    page: Page


class Application(TypedDict):
    """An entry on a start list, in any state."""

    id: str
    participantIndex: int
    bookingId: str
    externalBookingId: str | None
    externalParticipantId: str | None
    transactionId: str
    eventId: str
    eventOccurrenceId: str
    raceId: str
    ticketId: str
    ticketTitle: str
    createdAt: str
    updatedAt: str
    waves: list[EntryWave]
    fields: list[FieldAnswer]
    booker: Booker
    bookerType: BookerType | None
    originalTicketPrice: Price
    incrementalStatus: IncrementalStatus
    bibNumber: str | None
    bookingCodesUsed: BookingCodesUsed
    reservedEntryUrl: str | None
    partnerMarketingOptIns: list[PartnerMarketingOptIn]
    tags: list[str]
    gdprRedacted: bool
    statusDetails: list[StatusDetail]
    tracking: dict[str, Any]
    eventName: str
    raceName: str
    raceStartDate: str | None
    sportId: SportDiscipline | None
    distanceId: str | None
    distances: list[RaceDistance]
    disciplineLabel: str | None
    course: Course | None
    eventLocation: EventLocation
    competitorSize: int
    reservedEntryGroupCode: str | None
    reservedEntryGroupName: str | None
    reservedEntryPartnerExternalIds: dict[str, str] | None
    reservedEntryPartnerName: str | None
    metadata: NotRequired[dict[str, Any]]
    approvalStatus: ApprovalStatus
    applicationResolutionType: ApplicationResolutionType
    ballotDraw: str | None
    notes: str | None
    hasDonated: NotRequired[bool]


class EntryWave(TypedDict):
    """The group that the entry starts with."""

    id: str
    title: str
    startDateTime: str | None
    capacity: NotRequired[int | None]


class FieldAnswer(TypedDict):
    """An answer to a question of the booking form, with the question as it was asked."""

    id: str
    key: str
    label: str
    type: str
    value: Any


class Booker(TypedDict):
    """The person who made the booking. All fields are empty after redaction."""

    firstName: str | None
    lastName: str | None
    email: str | None
    phone: str | None


BookerType: TypeAlias = Literal["CONSUMER", "PARTNER"]


IncrementalStatus: TypeAlias = Literal["INCREMENTAL", "NON_INCREMENTAL"]


class BookingCodesUsed(TypedDict):
    """Codes that were used at checkout."""

    discountCodes: list[str]
    referralCodes: list[str]
    reservedEntryCodes: list[str]


class PartnerMarketingOptIn(TypedDict):
    """Whether the participant agreed to hear from a partner."""

    partnerId: str
    optedIn: bool


class StatusDetail(TypedDict):
    """A change of the status of the entry."""

    status: str
    at: str
    reason: str | None


SportDiscipline: TypeAlias = Literal["RUNNING", "ROAD_CYCLING", "TRIATHLON", "OBSTACLE", "SWIMMING", "MOUNTAIN_BIKING", "DUATHLON", "SWIMRUN", "OTHER", "ADVENTURE_RACE", "AQUABIKE", "AQUATHLON", "BIATHLON", "QUADRATHLON", "ALPINE_SKIING", "CLIMBING", "CYCLOCROSS", "CROSS_COUNTRY_SKIING", "HIKING", "HORSE_RIDING", "KAYAKING", "ORIENTEERING", "ROWING", "SUP", "RUNCYCLE", "BIKE_TOUR", "OFFROAD_BIKING"]


class RaceDistance(TypedDict):
    """The distance or duration."""

    value: NotRequired[float]
    unit: NotRequired[DistanceUnit]


DistanceUnit: TypeAlias = Literal["KM", "MI", "M", "YD", "MIN"]


class Course(TypedDict):
    """The course of a race."""

    id: str
    title: str
    distance: RaceDistance


class EventLocation(TypedDict):
    """The location."""

    coordinates: NotRequired[Coordinates]
    address: Address


class Coordinates(TypedDict):
    """A point on the map, in degrees (WGS 84)."""

    latitude: float
    longitude: float


class Address(TypedDict):
    """The address, as far as it is known."""

    city: NotRequired[str]
    formatted: NotRequired[str]
    countryCode: NotRequired[str]
    countryName: NotRequired[str]
    addressLine1: NotRequired[str]
    addressLine2: NotRequired[str]
    countyLine: NotRequired[str]
    postCode: NotRequired[str]


ApprovalStatus: TypeAlias = Literal["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"]


ApplicationResolutionType: TypeAlias = Literal["INSTANT", "BALLOT", "MANUAL"]


class RegistrationStatusRequest(TypedDict):
    email: str


class RegistrationStatus(TypedDict):
    """Whether an email address is registered."""

    eventOccurrenceId: str
    registered: bool


ListEventOccurrencesQuery = TypedDict("ListEventOccurrencesQuery", {
    "page[size]": 'NotRequired[int]',
    "pageSize": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "cursor[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "cursor[before]": 'NotRequired[str]',
    "startDate[gte]": 'NotRequired[str]',
    "startDate[lte]": 'NotRequired[str]',
    "lastModified[gte]": 'NotRequired[str]',
    "lastModified[lte]": 'NotRequired[str]',
})


class PagedOrganizerEventOccurrenceSummaries(TypedDict):
    """One page of a list of OrganizerEventOccurrenceSummary."""

    data: list[OrganizerEventOccurrenceSummary]
    page: Page


class OrganizerEventOccurrenceSummary(TypedDict):
    """An event occurrence in a list."""

    id: str
    title: str
    titleByLocale: dict[str, str]
    tags: list[str]
    content: EventContent
    startDate: str
    location: EventLocation
    images: EventImages
    priceRange: PriceRange
    status: OccurrenceStatus


class EventContent(TypedDict):
    """Content for visitors, as HTML."""

    excerpt: NotRequired[str]
    courseDetails: NotRequired[str]
    racedayLogistics: NotRequired[str]
    travel: NotRequired[str]
    spectators: NotRequired[str]


class EventImages(TypedDict):
    """Links to images."""

    hero: NotRequired[str]
    logo: NotRequired[str]
    all: list[str]


class PriceRange(TypedDict):
    """The lowest and the highest price of the tickets."""

    min: NotRequired[Price]
    max: NotRequired[Price]


OccurrenceStatus: TypeAlias = Literal["PUBLISHED", "DRAFT", "POSTPONED", "CANCELLED"]


class OrganizerEventOccurrence(TypedDict):
    """An event occurrence with its races and the link to its checkout."""

    id: str
    checkoutUrl: str
    title: str
    titleByLocale: dict[str, str]
    tags: list[str]
    content: EventContent
    startDate: str | None
    location: EventLocation
    images: EventImages
    races: list[RaceSummary]
    priceRange: PriceRange
    status: OccurrenceStatus
    eventId: str
    timeZone: str


class RaceSummary(TypedDict):
    """One race of an occurrence."""

    id: str
    title: str
    titleByLocale: dict[str, str]
    discipline: NotRequired[SportDiscipline]
    distance: RaceDistance
    startDate: NotRequired[str]
    startTime: NotRequired[str]
    priceRange: PriceRange


ListEventOccurrenceRacesQuery = TypedDict("ListEventOccurrenceRacesQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedRaceSummaries(TypedDict):
    """One page of a list of RaceSummary."""

    data: list[RaceSummary]
    page: Page


class Race(TypedDict):
    """A race with all fields. Fields without a value are `null`."""

    id: str
    title: str
    titleByLocale: dict[str, str]
    discipline: SportDiscipline | None
    distance: RaceDistance
    startDate: str | None
    startTime: str | None
    priceRange: PriceRange
    eventOccurrenceId: str
    eventId: str
    course: Course | None
    waves: list[RaceWave]
    maxCapacity: int | None
    usedCapacity: int | None


class RaceWave(TypedDict):
    """A group of entries that start together."""

    id: str
    title: str
    startDateTime: str | None
    capacity: int | None


class BibPlanRequest(TypedDict):
    """A bib plan of a race."""

    ranges: list[BibRange]
    dryRun: NotRequired[bool]


BibRange = TypedDict("BibRange", {
    "from": int,
    "to": int,
    "prefix": 'NotRequired[str]',
    "digits": 'NotRequired[int]',
    "ticketIds": 'NotRequired[list[str]]',
    "waveIds": 'NotRequired[list[str]]',
    "tags": 'NotRequired[list[str]]',
    "reserved": 'NotRequired[list[BibInterval]]',
    "order": 'NotRequired[list[BibOrder]]',
    "teamsTogether": 'NotRequired[bool]',
})


BibInterval = TypedDict("BibInterval", {
    "from": int,
    "to": 'NotRequired[int]',
})


class BibOrder(TypedDict):
    """What a range is ordered by. Participants without the value come last."""

    by: BibOrderBy
    fieldId: NotRequired[str]
    descending: NotRequired[bool]


BibOrderBy: TypeAlias = Literal["NAME", "WAVE", "ANSWER"]


class BibPlan(TypedDict):
    """What a bib plan does, as of this moment."""

    raceId: str
    dryRun: bool
    jobId: str | None
    jobUrl: str | None
    participants: int
    withBib: int
    assigned: int
    inNoRange: int
    inSeveralRanges: int
    ranges: list[PlannedRange]
    conflicts: list[PlannedBib]
    examples: list[PlannedBib]


class PlannedRange(TypedDict):
    """What the plan does with a range."""

    participants: int
    withBib: int
    assigned: int
    withoutNumber: int
    first: str | None
    last: str | None
    numbersLeft: int
    reserved: int
    inEarlierRanges: int
    takenByOthers: int
    inGaps: int
    gaps: list[BibGap]


BibGap = TypedDict("BibGap", {
    "from": str,
    "to": str,
})


class PlannedBib(TypedDict):
    """A bib of a participant."""

    range: int
    bibNumber: str
    participantId: str
    firstName: str | None
    lastName: str | None


ListEventOccurrenceTicketsQuery = TypedDict("ListEventOccurrenceTicketsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


ListRaceTicketsQuery = TypedDict("ListRaceTicketsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class TicketDetails(TypedDict):
    """A ticket with all fields."""

    id: str
    title: str
    titleByLocale: dict[str, str]
    description: str
    ticketSlug: str
    raceId: str
    raceTitle: str
    price: Price
    availability: Availability
    isDeleted: bool
    eventOccurrenceId: str
    eventId: str
    saleStart: str | None
    saleEnd: str | None
    maxCapacity: int | None
    usedCapacity: int | None
    approval: Approval


Approval: TypeAlias = Literal["INSTANT", "BALLOT", "MANUAL"]


ListTicketBookingFormsQuery = TypedDict("ListTicketBookingFormsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedBookingForms(TypedDict):
    """One page of a list of BookingForm."""

    data: list[BookingForm]
    page: Page


class BookingForm(TypedDict):
    """The questions that a ticket asks each participant."""

    id: str
    title: str
    createdAt: str
    updatedAt: str


ListBookingFormTicketsQuery = TypedDict("ListBookingFormTicketsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedTicketSummaries(TypedDict):
    """One page of a list of TicketSummary."""

    data: list[TicketSummary]
    page: Page


class TicketSummary(TypedDict):
    """A ticket that uses a booking form."""

    id: str
    title: str
    availability: Availability


ListBookingFormFieldBookingFormsQuery = TypedDict("ListBookingFormFieldBookingFormsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


ListBookingFormFieldsQuery = TypedDict("ListBookingFormFieldsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedBookingFormFields(TypedDict):
    """One page of a list of BookingFormField."""

    data: list[BookingFormField]
    page: Page


class BookingFormField(TypedDict):
    """A question. Several booking forms can share it."""

    id: str
    key: str
    label: str
    type: BookingFormFieldType
    options: list[BookingFormFieldOption]
    required: bool
    helpText: str | None


BookingFormFieldType: TypeAlias = Literal["TEXT", "EMAIL", "PHONE", "DATE", "NUMBER", "SELECT", "MULTI_SELECT", "BOOLEAN", "COUNTRY", "WAIVER"]


class BookingFormFieldOption(TypedDict):
    """An option of a field."""

    value: str
    label: str


ListFieldsOfBookingFormQuery = TypedDict("ListFieldsOfBookingFormQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


ListBookingsQuery = TypedDict("ListBookingsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "status": 'NotRequired[Literal["CONFIRMED", "CANCELLED"]]',
    "externalBookingId": 'NotRequired[str]',
})


class PagedBookingSummaries(TypedDict):
    """One page of a list of BookingSummary."""

    data: list[BookingSummary]
    page: Page


class BookingSummary(TypedDict):
    """A booking in a list."""

    id: str
    externalBookingId: str | None
    source: BookingSource
    status: BookingStatus
    eventId: str
    eventOccurrenceId: str
    total: Price
    createdAt: str
    updatedAt: str


BookingSource: TypeAlias = Literal["WEBSITE", "API", "DASHBOARD"]


BookingStatus: TypeAlias = Literal["CONFIRMED", "CANCELLED"]


class GetBookingsDigestQuery(TypedDict):
    bucket: NotRequired[str]


class Digest(TypedDict):
    """What a complete copy of a list contains, so that its owner can compare (docs/syncing.md#check-the-copy)."""

    watermark: str
    changed: list[str]
    tooManyChanges: bool
    buckets: list[DigestBucket]
    rows: NotRequired[list[DigestRow]]


class DigestBucket(TypedDict):
    """The rows of a list whose ids end with the same byte."""

    bucket: str
    count: int
    hash: str


class DigestRow(TypedDict):
    """A row of a bucket."""

    id: str
    updatedAt: str


ListBookingsByExternalIdQuery = TypedDict("ListBookingsByExternalIdQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class GetBookingQuery(TypedDict):
    extendMetadata: NotRequired[bool]


class Booking(TypedDict):
    """One purchase, by one booker, for one or more participants."""

    id: str
    externalBookingId: str | None
    source: BookingSource
    status: BookingStatus
    eventId: str
    eventOccurrenceId: str
    total: Price
    createdAt: str
    updatedAt: str
    booker: Booker
    bookerType: BookerType
    partnerId: str | None
    currencyCode: CurrencyCode
    participantIds: list[str]
    applicationIds: list[str]
    discountCode: str | None
    tracking: dict[str, Any]
    bookedAt: str | None
    cancelledAt: str | None
    metadata: NotRequired[dict[str, Any]]


ListLineItemsQuery = TypedDict("ListLineItemsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "bookingId": 'NotRequired[str]',
    "itemType": 'NotRequired[Literal["TICKET", "ADD_ON", "DONATION", "BOOKING_FEE", "DISCOUNT", "CREDIT", "REFUND"]]',
})


class PagedLineItems(TypedDict):
    """One page of a list of LineItem."""

    data: list[LineItem]
    page: Page


class LineItem(TypedDict):
    """An amount of a booking."""

    id: str
    bookingId: str
    amount: Price
    itemType: LineItemType
    name: str
    itemId: str | None
    itemSelectionId: str | None
    participantId: str | None
    externalLineItemId: str | None
    createdAt: str
    updatedAt: str


LineItemType: TypeAlias = Literal["TICKET", "ADD_ON", "DONATION", "BOOKING_FEE", "DISCOUNT", "CREDIT", "REFUND"]


class GetLineItemsDigestQuery(TypedDict):
    bucket: NotRequired[str]


ListBookingLineItemsQuery = TypedDict("ListBookingLineItemsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


ListBookingAddOnAllocationsQuery = TypedDict("ListBookingAddOnAllocationsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedAddOnAllocations(TypedDict):
    """One page of a list of AddOnAllocation."""

    data: list[AddOnAllocation]
    page: Page


class AddOnAllocation(TypedDict):
    """An add-on that is allocated to a participant."""

    id: str
    externalAllocationId: str | None
    participantId: str
    purchaseLineItemId: str | None
    addOn: AddOn
    variant: AddOnVariant | None
    quantity: int
    operationalStatus: OperationalStatus
    financialStatus: FinancialStatus
    createdAt: str
    updatedAt: str


class AddOn(TypedDict):
    """A product that is sold in addition to tickets."""

    id: str
    title: str


class AddOnVariant(TypedDict):
    """A variant of an add-on."""

    id: str
    title: str


OperationalStatus: TypeAlias = Literal["ALLOCATED", "FULFILLED", "CANCELLED"]


FinancialStatus: TypeAlias = Literal["PAID", "UNPAID", "REFUNDED"]


ListEventOccurrenceAddOnsQuery = TypedDict("ListEventOccurrenceAddOnsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedAddOnProducts(TypedDict):
    """One page of a list of AddOnProduct."""

    data: list[AddOnProduct]
    page: Page


class AddOnProduct(TypedDict):
    """An add-on product. Imports of add-ons refer to it and its variants by id."""

    id: str
    title: str
    price: Price
    variants: list[AddOnVariant]


ListApplicationsQuery = TypedDict("ListApplicationsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "ticketId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
    "externalBookingId": 'NotRequired[str]',
    "extendMetadata": 'NotRequired[bool]',
})


class GetApplicationsDigestQuery(TypedDict):
    bucket: NotRequired[str]


class GetApplicationQuery(TypedDict):
    extendMetadata: NotRequired[bool]


ListParticipantsQuery = TypedDict("ListParticipantsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "ticketId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
    "externalBookingId": 'NotRequired[str]',
    "status": 'NotRequired[Literal["CONFIRMED", "CANCELLED"]]',
    "tag": 'NotRequired[str]',
    "features": 'NotRequired[str]',
    "extendMetadata": 'NotRequired[bool]',
})


class PagedParticipants(TypedDict):
    """One page of a list of Participant."""

    data: list[Participant]
    page: Page


class Participant(TypedDict):
    """An approved entry."""

    id: str
    participantIndex: int
    bookingId: str
    externalBookingId: str | None
    externalParticipantId: str | None
    transactionId: str
    eventId: str
    eventOccurrenceId: str
    raceId: str
    ticketId: str
    ticketTitle: str
    createdAt: str
    updatedAt: str
    waves: list[EntryWave]
    fields: list[FieldAnswer]
    booker: Booker
    bookerType: BookerType | None
    originalTicketPrice: Price
    incrementalStatus: IncrementalStatus
    bibNumber: str | None
    bookingCodesUsed: BookingCodesUsed
    reservedEntryUrl: str | None
    partnerMarketingOptIns: list[PartnerMarketingOptIn]
    tags: list[str]
    gdprRedacted: bool
    statusDetails: list[StatusDetail]
    tracking: dict[str, Any]
    eventName: str
    raceName: str
    raceStartDate: str | None
    sportId: SportDiscipline | None
    distanceId: str | None
    distances: list[RaceDistance]
    disciplineLabel: str | None
    course: Course | None
    eventLocation: EventLocation
    competitorSize: int
    reservedEntryGroupCode: str | None
    reservedEntryGroupName: str | None
    reservedEntryPartnerExternalIds: dict[str, str] | None
    reservedEntryPartnerName: str | None
    metadata: NotRequired[dict[str, Any]]
    participantId: str
    applicationId: str
    status: ParticipantStatus
    raceDayDetails: RaceDayDetails
    raceDayErrors: list[RaceDayError]
    resultSubmission: ResultSubmission | None
    team: ParticipantTeam | None
    notes: list[str]
    bookingSource: RegistrationSource | None
    charityOptIn: list[str]
    duplicateOf: NotRequired[list[str]]


ParticipantStatus: TypeAlias = Literal["CONFIRMED", "CANCELLED"]


class RaceDayDetails(TypedDict):
    """Race-day data."""

    customFields: list[RaceDayField]
    shipping: RaceDayShipping | None


class RaceDayField(TypedDict):
    """A value that the organizer set for race day."""

    id: str
    value: Any


class RaceDayShipping(TypedDict):
    """The shipment to the participant and its status."""

    status: ShippingStatus
    shippedAt: str | None
    carrier: str | None
    trackingNumber: str | None
    trackingUrl: str | None


ShippingStatus: TypeAlias = Literal["SHIPPED", "DELIVERED", "RETURNED"]


RaceDayError: TypeAlias = Literal["BIB_NUMBER_TAKEN"]


class ResultSubmission(TypedDict):
    """The result that the participant submitted."""

    url: str
    submittedAt: str | None


class ParticipantTeam(TypedDict):
    """The team of the participant."""

    id: str
    name: str
    roles: NotRequired[list[str]]


RegistrationSource: TypeAlias = Literal["PLATFORM", "EXTERNAL"]


class GetParticipantsDigestQuery(TypedDict):
    bucket: NotRequired[str]


class GetParticipantQuery(TypedDict):
    extendMetadata: NotRequired[bool]


class ParticipantCorrection(TypedDict):
    """Changes of a participant. Absent properties do not change; `null` removes a value."""

    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    email: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    bibNumber: NotRequired[str | None]
    waveId: NotRequired[str | None]
    fields: NotRequired[list[ImportedAnswer]]
    tags: NotRequired[list[str]]
    notes: NotRequired[list[str]]
    team: NotRequired[ImportedTeam | None]
    metadata: NotRequired[dict[str, Any]]


class ImportedAnswer(TypedDict):
    """An answer to a question of a booking form: either `id` or `key` names the question."""

    id: NotRequired[str | None]
    key: NotRequired[str | None]
    value: str | float | bool | list[str] | None


class ImportedTeam(TypedDict):
    name: str
    role: NotRequired[str | None]


class ParticipantMove(TypedDict):
    """Where a participant moves within the event occurrence: to another ticket, another wave, or both."""

    ticketId: NotRequired[str]
    waveId: NotRequired[str | None]


class NewHolder(TypedDict):
    """The person who gets the place of another."""

    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    fields: NotRequired[list[ImportedAnswer]]
    email: NotRequired[str | None]


ListRaceParticipantsQuery = TypedDict("ListRaceParticipantsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "ticketId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
    "externalBookingId": 'NotRequired[str]',
    "status": 'NotRequired[Literal["CONFIRMED", "CANCELLED"]]',
    "tag": 'NotRequired[str]',
    "features": 'NotRequired[str]',
    "extendMetadata": 'NotRequired[bool]',
})


class RaceDayUpdate(TypedDict):
    """The changes: `bibNumber`, `customFields` or both."""

    bibNumber: NotRequired[str | None]
    customFields: NotRequired[list[RaceDayFieldUpdate]]
    changedAt: NotRequired[str]


class RaceDayFieldUpdate(TypedDict):
    """A race-day value, by the id of its field. Other fields do not change."""

    id: str
    value: Any


class RaceDayReceipt(TypedDict):
    """The update is stored. It shows within moments, except for its conflicts."""

    success: bool
    message: str
    conflicts: list[RaceDayConflict]
    participantUrl: str


RaceDayConflict: TypeAlias = Literal["BIB_NUMBER_TAKEN", "BIB_OVERTAKEN", "PARTICIPANT_CANCELLED"]


class ImportJob(TypedDict):
    """An import job with its errors and, when it is finished, its results."""

    jobId: str
    surface: str
    name: str | None
    dryRun: bool
    undoes: str | None
    corrects: str | None
    importsDryRun: str | None
    importedBy: str | None
    status: ImportStatus
    waitingFor: ImportWait | None
    totalRows: int
    processedRows: int
    succeededRows: int
    alreadyImportedRows: int
    cancelledBeforeRows: int
    failedRows: int
    warnedRows: int
    corrections: int
    correctedRows: int
    openRows: int
    undoneRows: int
    createdAt: str
    startedAt: str | None
    finishedAt: str | None
    correctedBy: list[str]
    payloadsRemoved: bool
    errors: list[ImportError]
    results: list[ImportRowResult] | None
    rowsUrl: str
    failure: str | None


ImportStatus: TypeAlias = Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED"]


ImportWait: TypeAlias = Literal["worker", "turn", "otherImport", "takeover", "separateProcess"]


class ImportError(TypedDict):
    """Why a row failed."""

    row: int
    path: NotRequired[str]
    code: str
    message: str
    externalId: NotRequired[str]


class ImportRowResult(TypedDict):
    """The outcome of a row, with the ids that its surface reports."""

    row: int
    outcome: ImportOutcome | None
    alreadyImported: bool
    externalBookingId: NotRequired[str]
    bookingId: NotRequired[str]
    participantIds: NotRequired[list[str]]
    externalLineItemId: NotRequired[str]
    lineItemId: NotRequired[str | None]
    externalAllocationId: NotRequired[str]
    allocationId: NotRequired[str]
    externalCreditId: NotRequired[str]
    creditId: NotRequired[str]
    code: NotRequired[str]
    discountCodeId: NotRequired[str]
    referralId: NotRequired[str]
    referralIds: NotRequired[list[str]]
    externalAssignmentId: NotRequired[str]
    participantId: NotRequired[str]
    differs: NotRequired[list[str]]
    warnings: NotRequired[list[ImportWarning]]
    error: NotRequired[ImportError]


ImportOutcome: TypeAlias = Literal["IMPORTED", "UPDATED", "UNCHANGED", "ALREADY_IMPORTED", "CANCELLED_BEFORE", "CANCELLED", "FAILED"]


class ImportWarning(TypedDict):
    """What may be a mistake in a row that was imported nevertheless."""

    path: NotRequired[str]
    code: str
    message: str
    duplicateOf: NotRequired[list[str]]


ListPartnersQuery = TypedDict("ListPartnersQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "search": 'NotRequired[str]',
})


class PagedPartners(TypedDict):
    """One page of a list of Partner."""

    data: list[Partner]
    page: Page


class Partner(TypedDict):
    """A charity, company or sponsor that holds places or brings participants."""

    id: str
    name: str
    description: str | None
    type: PartnerType | None
    externalIds: dict[str, str]
    contacts: list[PartnerContact]
    defaultMarketing: PartnerMarketing | None
    specificMarketings: list[PartnerEventMarketing]
    canCreateSubPartners: bool
    parentPartnerId: str | None
    codeUses: NotRequired[int]
    referralCount: NotRequired[int]
    createdAt: str
    updatedAt: str


PartnerType: TypeAlias = Literal["CHARITY", "CORPORATE", "FRIENDS_AND_FAMILY", "MERCH_PARTNER", "SPONSOR"]


class PartnerContact(TypedDict):
    """A person at the partner."""

    firstName: str
    lastName: str
    email: str
    phone: NotRequired[str | None]
    role: NotRequired[str | None]


class PartnerMarketing(TypedDict):
    """The marketing that participants are asked to opt in to."""

    optInText: str
    url: NotRequired[str | None]
    logoUrl: NotRequired[str | None]


class PartnerEventMarketing(TypedDict):
    """The marketing for one event, which replaces the default."""

    optInText: str
    url: NotRequired[str | None]
    logoUrl: NotRequired[str | None]
    eventId: str


class PartnerCreate(TypedDict):
    """A new partner."""

    description: NotRequired[str | None]
    defaultMarketing: NotRequired[PartnerMarketing | None]
    specificMarketings: NotRequired[list[PartnerEventMarketing]]
    canCreateSubPartners: NotRequired[bool]
    name: str
    type: NotRequired[PartnerType | None]
    externalIds: NotRequired[dict[str, str]]
    parentPartnerId: NotRequired[str | None]
    contacts: list[PartnerContact]


class GetPartnersDigestQuery(TypedDict):
    bucket: NotRequired[str]


class GetPartnerQuery(TypedDict):
    externalId: NotRequired[Literal["ENTHUSE", "JUSTGIVING", "GIVENGAIN", "FUNRAISIN", "RAISELY", "RACE_ROSTER", "RUNSIGNUP", "SALESFORCE"]]


class UpdatePartnerQuery(TypedDict):
    externalId: NotRequired[Literal["ENTHUSE", "JUSTGIVING", "GIVENGAIN", "FUNRAISIN", "RAISELY", "RACE_ROSTER", "RUNSIGNUP", "SALESFORCE"]]


class PartnerUpdate(TypedDict):
    """Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`. An empty object changes nothing."""

    description: NotRequired[str | None]
    defaultMarketing: NotRequired[PartnerMarketing | None]
    specificMarketings: NotRequired[list[PartnerEventMarketing]]
    canCreateSubPartners: NotRequired[bool]
    name: NotRequired[str]
    externalIds: NotRequired[dict[str, str | None]]


ListEventOccurrenceReservedEntriesQuery = TypedDict("ListEventOccurrenceReservedEntriesQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


ListReferralProgramsQuery = TypedDict("ListReferralProgramsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedReferralPrograms(TypedDict):
    """One page of a list of ReferralProgram."""

    data: list[ReferralProgram]
    page: Page


class ReferralProgram(TypedDict):
    """A program under which every booking of the occurrence gets a referral code."""

    id: str
    title: str
    eventId: str
    eventOccurrenceId: str


ListReferrersQuery = TypedDict("ListReferrersQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedReferrers(TypedDict):
    """One page of a list of Referrer."""

    data: list[Referrer]
    page: Page


class Referrer(TypedDict):
    """A generated referral code and the bookings that own it."""

    generatedReferralCode: str
    referralCodeOwnerBookingIds: list[str]
    inviteUrl: str


ListReferralsQuery = TypedDict("ListReferralsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedReferrals(TypedDict):
    """One page of a list of Referral."""

    data: list[Referral]
    page: Page


class Referral(TypedDict):
    """A start list entry that was booked with a referrer's code. Each entry of a referred booking is a referral."""

    referralId: str
    referredBookingId: str
    startListEntryId: str
    eventId: str
    eventOccurrenceId: str
    status: Literal["ELIGIBLE", "CANCELLED", "REDEEMED"]


class DiscountCode(TypedDict):
    """A code for a discount at checkout."""

    id: str
    code: str
    discount: FlatRateDiscount | PercentageDiscount
    appliesPer: DiscountAppliesPer
    limitUsage: int | None
    limitUsagePerTransaction: int | None
    usageCount: int
    group: str | None
    eventOccurrenceIds: list[str] | None
    ticketIds: list[str] | None
    partnerId: str | None
    startDateTime: str | None
    endDateTime: str | None
    createdAt: str


DiscountAppliesPer: TypeAlias = Literal["TRANSACTION", "ENTRY"]


class DiscountCodeUpdate(TypedDict):
    """Only the group can be changed."""

    group: str | None


ListCreditsQuery = TypedDict("ListCreditsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalCreditId": 'NotRequired[str]',
    "eventId": 'NotRequired[str]',
})


class PagedCredits(TypedDict):
    """One page of a list of Credit."""

    data: list[Credit]
    page: Page


class Credit(TypedDict):
    """Money that a person can spend at your events."""

    id: str
    externalCreditId: str | None
    email: str | None
    amount: Price
    balance: Price
    reason: str | None
    expiresAt: str | None
    eventId: str | None
    createdAt: str


class ImportCreditsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class CreditsImport(TypedDict):
    credits: list[CreditImportRow]
    corrects: NotRequired[ImportCorrection]


class CreditImportRow(TypedDict):
    """A credit that a person can spend at your events."""

    externalCreditId: str
    email: str
    amount: Price
    reason: NotRequired[str | None]
    expiresAt: NotRequired[str | None]
    eventId: NotRequired[str | None]


class ImportCorrection(TypedDict):
    """The failed rows of another job that the rows of a batch replace."""

    jobId: str
    rows: list[int]


class AcceptedImport(TypedDict):
    """An accepted import. Its rows are stored and will be processed."""

    jobId: str
    surface: str
    name: str | None
    corrects: str | None
    dryRun: bool
    status: ImportStatus
    totalRows: int
    createdAt: str
    jobUrl: str


class ImportBookingsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]
    cancelled: NotRequired[Literal["import", "skip"]]


class BookingsImport(TypedDict):
    bookings: list[BookingImportRow]
    corrects: NotRequired[ImportCorrection]


class BookingImportRow(TypedDict):
    """A booking that was sold elsewhere."""

    externalBookingId: str
    eventOccurrenceId: str
    booker: ImportedBooker
    participants: list[ImportedParticipant]
    bookedAt: NotRequired[str | None]
    bookerType: NotRequired[Literal["CONSUMER", "PARTNER"]]
    partnerId: NotRequired[str | None]
    discountCode: NotRequired[str | None]
    discountAlreadyApplied: NotRequired[bool | None]
    tracking: NotRequired[dict[str, Any]]
    sourcePlatform: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any]]


class ImportedBooker(TypedDict):
    """The person who booked."""

    email: str
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    phone: NotRequired[str | None]


class ImportedParticipant(TypedDict):
    ticketId: str
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    email: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    externalParticipantId: NotRequired[str | None]
    bibNumber: NotRequired[str | None]
    waveId: NotRequired[str | None]
    fields: NotRequired[list[ImportedAnswer]]
    price: NotRequired[Price]
    originalPrice: NotRequired[Price]
    tags: NotRequired[list[str]]
    team: NotRequired[ImportedTeam | None]


class CorrectBookingsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]
    cancelled: NotRequired[Literal["import", "skip"]]
    create: NotRequired[bool]


class ImportLineItemsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class LineItemsImport(TypedDict):
    lineItems: list[LineItemImportRow]
    corrects: NotRequired[ImportCorrection]


class LineItemImportRow(TypedDict):
    """An amount of a booking. Identify the booking by `bookingId` or by your `externalBookingId`."""

    externalLineItemId: str
    bookingId: NotRequired[str | None]
    externalBookingId: NotRequired[str | None]
    participantId: NotRequired[str | None]
    itemType: Literal["TICKET", "ADD_ON", "DONATION", "BOOKING_FEE", "DISCOUNT", "CREDIT", "REFUND"]
    itemId: NotRequired[str | None]
    itemSelectionId: NotRequired[str | None]
    name: str
    amount: Price


class ReplaceLineItemsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class ImportAddOnsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class AddOnsImport(TypedDict):
    addOns: list[AddOnImportRow]
    corrects: NotRequired[ImportCorrection]


class AddOnImportRow(TypedDict):
    """An add-on of a participant. Identify the participant by `participantId`, or by your ids of the booking and the participant."""

    externalAllocationId: str
    participantId: NotRequired[str | None]
    externalBookingId: NotRequired[str | None]
    externalParticipantId: NotRequired[str | None]
    addOnId: str
    variantId: NotRequired[str | None]
    quantity: int
    unitPrice: Price
    operationalStatus: NotRequired[Literal["ALLOCATED", "FULFILLED", "CANCELLED"]]
    financialStatus: NotRequired[Literal["PAID", "UNPAID", "REFUNDED"]]


class ReplaceAddOnsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class ImportDiscountCodesQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class DiscountCodesImport(TypedDict):
    discountCodes: list[DiscountCodeImportRow]
    corrects: NotRequired[ImportCorrection]


class DiscountCodeImportRow(TypedDict):
    """A discount code. Codes are the same in any spelling (docs/interface.md#comparing)."""

    code: str
    discount: FlatRateDiscount | PercentageDiscount
    appliesPer: NotRequired[Literal["TRANSACTION", "ENTRY"]]
    limitUsage: NotRequired[int | None]
    limitUsagePerTransaction: NotRequired[int | None]
    group: NotRequired[str | None]
    eventOccurrenceIds: NotRequired[list[str] | None]
    ticketIds: NotRequired[list[str] | None]
    partnerId: NotRequired[str | None]
    startDateTime: NotRequired[str | None]
    endDateTime: NotRequired[str | None]


class ImportReferralsQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class ReferralsImport(TypedDict):
    referrals: list[ReferralImportRow]
    corrects: NotRequired[ImportCorrection]


class ReferralImportRow(TypedDict):
    """A booking that was made with a referral code. Each of its entries becomes a referral."""

    referralProgramId: str
    generatedReferralCode: str
    referredBookingId: NotRequired[str | None]
    referredExternalBookingId: NotRequired[str | None]
    status: NotRequired[Literal["ELIGIBLE", "CANCELLED", "REDEEMED"]]


class ImportReservedEntriesQuery(TypedDict):
    dryRun: NotRequired[bool]
    continues: NotRequired[str]
    keepInvalid: NotRequired[bool]
    name: NotRequired[str]


class AssignmentsImport(TypedDict):
    assignments: list[AssignmentImportRow]
    corrects: NotRequired[ImportCorrection]


class AssignmentImportRow(TypedDict):
    """An assignment of a reserved place. A row with a blank identifier fails with `INVALID_ASSIGNMENT`; the batch does not."""

    externalAssignmentId: str
    reservedEntryGroupId: str
    ticketSlug: str
    participant: AssignedParticipant


class AssignedParticipant(TypedDict):
    """The person who gets a reserved place."""

    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    fields: NotRequired[list[ImportedAnswer]]
    email: str


ListImportJobsQuery = TypedDict("ListImportJobsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "surface": 'NotRequired[Literal["bookingsImport", "lineItemsImport", "addOnsImport", "creditsImport", "discountCodesImport", "referralsImport", "reservedEntriesImport"]]',
    "status": 'NotRequired[Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED"]]',
    "dryRun": 'NotRequired[bool]',
    "corrects": 'NotRequired[str]',
})


class PagedImportJobs(TypedDict):
    """One page of a list of ImportJobSummary."""

    data: list[ImportJobSummary]
    page: Page


class ImportJobSummary(TypedDict):
    """An import job without its rows. Counts change while the job runs."""

    jobId: str
    surface: str
    name: str | None
    dryRun: bool
    undoes: str | None
    corrects: str | None
    importsDryRun: str | None
    importedBy: str | None
    status: ImportStatus
    waitingFor: ImportWait | None
    totalRows: int
    processedRows: int
    succeededRows: int
    alreadyImportedRows: int
    cancelledBeforeRows: int
    failedRows: int
    warnedRows: int
    corrections: int
    correctedRows: int
    openRows: int
    undoneRows: int
    createdAt: str
    startedAt: str | None
    finishedAt: str | None


class ImportAllowance(TypedDict):
    """The bytes of imports that the organization can send in a day, which begins with the first of them."""

    allowedBytes: int
    usedBytes: int
    resetsAt: str


ListImportRowsQuery = TypedDict("ListImportRowsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "outcome": 'NotRequired[Literal["IMPORTED", "UPDATED", "UNCHANGED", "ALREADY_IMPORTED", "CANCELLED_BEFORE", "CANCELLED", "FAILED"]]',
    "warned": 'NotRequired[bool]',
    "open": 'NotRequired[bool]',
})


class PagedImportRows(TypedDict):
    """One page of a list of ImportRowResult."""

    data: list[ImportRowResult]
    page: Page


class ImportUndoPreview(TypedDict):
    """What undoing an import would do now."""

    canBeUndone: UndoGroup
    changedSince: UndoGroup
    cannotBeUndone: UndoGroup


class UndoGroup(TypedDict):
    """Records of an import that undoing it treats alike."""

    records: int
    reasons: list[UndoReasonCount]
    examples: list[UndoExample]


class UndoReasonCount(TypedDict):
    """How many records of a group have a reason."""

    reason: UndoReason
    records: int


UndoReason: TypeAlias = Literal["LINE_ITEMS", "ADD_ONS", "RACE_DAY", "DECISION", "REDACTED", "TRANSFERRED", "MOVED", "REPLACED", "ALREADY_CANCELLED", "CORRECTED", "SPENT", "USED", "DELETED"]


class UndoExample(TypedDict):
    """A record of an import, such as a booking."""

    row: int
    id: str
    externalId: str | None
    reasons: list[UndoReason]


class ImportUndo(TypedDict):
    """What to undo of an import."""

    includeChanged: NotRequired[bool]


class TimingMessage(TypedDict):
    """A message of a timing partner. Unknown properties are skipped, whatever they contain."""

    schemaVersion: Literal["1.0"]
    data: TimingData
    changedAt: str


class TimingData(TypedDict):
    """The participant and the new values. At least one of `bibNumber` and `shipping` is required."""

    participantId: NotRequired[str | None]
    bibNumber: NotRequired[str | None]
    shipping: NotRequired[TimingShipping | None]


class TimingShipping(TypedDict):
    """The shipment to the participant. Absent properties do not change; values can't be removed."""

    shippedAt: str
    status: NotRequired[Literal["SHIPPED", "DELIVERED", "RETURNED"] | None]
    carrier: NotRequired[str | None]
    trackingNumber: NotRequired[str | None]
    trackingUrl: NotRequired[str | None]


class TimingReceipt(TypedDict):
    """The messages are stored. They are applied within moments."""

    success: bool
    received: int
    unidentified: list[float]
    conflicts: list[TimingConflict]
    statusUrl: str


class TimingConflict(TypedDict):
    """A message that was stored, but is not shown after the whole batch."""

    index: int
    code: TimingConflictCode


TimingConflictCode: TypeAlias = Literal["BIB_NUMBER_TAKEN", "BIB_OVERTAKEN", "SHIPPING_OVERTAKEN", "PARTICIPANT_CANCELLED"]


class TimingStatus(TypedDict):
    """What became of timing messages. `accepted` is the sum of `pending`, `applied` and `waiting`."""

    at: str
    accepted: int
    applied: int
    pending: int
    lagSeconds: float
    waiting: int
    waitingFor: list[AwaitedSubject]
    unidentifiedUrl: str


class AwaitedSubject(TypedDict):
    """A bib or participant that messages wait for."""

    bibNumber: str | None
    participantId: str | None
    messages: int
    since: str


ListUnidentifiedTimingQuery = TypedDict("ListUnidentifiedTimingQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "participantId": 'NotRequired[str]',
})


class PagedUnidentifiedMessages(TypedDict):
    """One page of a list of UnidentifiedMessage."""

    data: list[UnidentifiedMessage]
    page: Page


class UnidentifiedMessage(TypedDict):
    """A timing message that names nobody yet."""

    id: str
    receivedAt: str
    changedAt: str
    participantId: str | None
    bibNumber: str | None
    shippingStatus: str | None
    reason: UnidentifiedReason


UnidentifiedReason: TypeAlias = Literal["PARTICIPANT_UNKNOWN", "PARTICIPANT_NOT_APPROVED", "BIB_UNKNOWN", "BIB_IN_SEVERAL_RACES"]


ListTimingParticipantsQuery = TypedDict("ListTimingParticipantsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[createdAt]": 'NotRequired[Literal["1", "-1"]]',
    "sort[updatedAt]": 'NotRequired[Literal["1", "-1"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
})


class PagedTimingParticipants(TypedDict):
    """One page of a list of TimingParticipant."""

    data: list[TimingParticipant]
    page: Page


class TimingParticipant(TypedDict):
    """The data of a participant for timing."""

    participantId: str
    externalParticipantId: str | None
    bibNumber: str | None
    eventOccurrenceId: str
    raceId: str
    raceTitle: str
    wave: TimingWave | None
    cancelled: bool
    firstName: str | None
    lastName: str | None
    gender: str | None
    ageOnRaceDay: int | None
    yearOfBirth: int | None
    team: TimingTeam | None
    answers: dict[str, Any] | None
    createdAt: str
    updatedAt: str


class TimingWave(TypedDict):
    """The wave of a participant."""

    id: str
    title: str
    startDateTime: str | None


class TimingTeam(TypedDict):
    """The team of a participant."""

    id: str
    name: str


ListMarketplaceEventsQuery = TypedDict("ListMarketplaceEventsQuery", {
    "pageSize": 'NotRequired[int]',
    "cursor[after]": 'NotRequired[str]',
    "cursor[before]": 'NotRequired[str]',
    "startDate[gte]": 'NotRequired[str]',
    "startDate[lte]": 'NotRequired[str]',
    "lastModified[gte]": 'NotRequired[str]',
    "lastModified[lte]": 'NotRequired[str]',
    "locationCountryCode": 'NotRequired[str]',
    "countryCode": 'NotRequired[str]',
})


class MarketplaceEvents(TypedDict):
    """One page of a list of MarketplaceEvent."""

    events: list[MarketplaceEvent]
    page: MarketplacePage


class MarketplaceEvent(TypedDict):
    """An event occurrence in the marketplace."""

    id: str
    checkoutUrl: NotRequired[str]
    title: str
    titleByLocale: dict[str, str]
    tags: list[str]
    content: EventContent
    startDate: str
    location: EventLocation
    images: EventImages
    races: list[RaceSummary]
    organizer: Organizer
    priceRange: PriceRange


class Organizer(TypedDict):
    """Who organizes the event."""

    id: str
    title: str
    images: OrganizerImages
    website: NotRequired[str]


class OrganizerImages(TypedDict):
    """Links to images of the organizer."""

    logoUrl: NotRequired[str]


class MarketplacePage(TypedDict):
    """The position of a page in a list of the marketplace."""

    totalResults: int
    first: NotRequired[str]
    last: NotRequired[str]


ListRemovedMarketplaceEventsQuery = TypedDict("ListRemovedMarketplaceEventsQuery", {
    "pageSize": 'NotRequired[int]',
    "cursor[after]": 'NotRequired[str]',
    "cursor[before]": 'NotRequired[str]',
    "startDate[gte]": 'NotRequired[str]',
    "startDate[lte]": 'NotRequired[str]',
    "lastModified[gte]": 'NotRequired[str]',
    "lastModified[lte]": 'NotRequired[str]',
})


class RemovedMarketplaceEvents(TypedDict):
    """One page of a list of RemovedEvent."""

    events: list[RemovedEvent]
    page: MarketplacePage


class RemovedEvent(TypedDict):
    """An event occurrence that the marketplace no longer shows."""

    id: str
    startDate: str
    lastModified: str


SearchMarketplaceEventsQuery = TypedDict("SearchMarketplaceEventsQuery", {
    "pageSize": 'NotRequired[int]',
    "searchAfter": 'NotRequired[str]',
    "searchBefore": 'NotRequired[str]',
    "skip": 'NotRequired[int]',
    "query": str,
    "startDate[gte]": 'NotRequired[str]',
    "startDate[lte]": 'NotRequired[str]',
    "locationCountryCode": 'NotRequired[str]',
    "discipline": 'NotRequired[Literal["RUNNING", "ROAD_CYCLING", "TRIATHLON", "OBSTACLE", "SWIMMING", "MOUNTAIN_BIKING", "DUATHLON", "SWIMRUN", "OTHER", "ADVENTURE_RACE", "AQUABIKE", "AQUATHLON", "BIATHLON", "QUADRATHLON", "ALPINE_SKIING", "CLIMBING", "CYCLOCROSS", "CROSS_COUNTRY_SKIING", "HIKING", "HORSE_RIDING", "KAYAKING", "ORIENTEERING", "ROWING", "SUP", "RUNCYCLE", "BIKE_TOUR", "OFFROAD_BIKING"]]',
    "countryCode": 'NotRequired[str]',
})


class FoundMarketplaceEvents(TypedDict):
    """One page of a list of MarketplaceEvent."""

    events: list[MarketplaceEvent]
    page: MarketplacePage


ListChangeEventsQuery = TypedDict("ListChangeEventsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "sort[timestamp]": 'NotRequired[Literal["1", "-1"]]',
    "timestamp[after]": 'NotRequired[str]',
    "timestamp[before]": 'NotRequired[str]',
    "type": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
})


class PagedChangeEvents(TypedDict):
    """One page of a list of ChangeEvent."""

    data: list[ChangeEvent]
    page: Page


class ChangeEvent(TypedDict):
    """A change in your organization. It contains ids, never personal data: to get the current state, read the objects by their ids. A webhook delivery with the same `id` has the same body."""

    id: str
    type: ChangeEventType
    timestamp: str
    data: ChangeEventData


ChangeEventType: TypeAlias = Literal["participant.created", "participant.updated", "participant.race_day_updated", "participant.cancelled", "participant.redacted", "application.created", "application.updated", "application.decided", "application.cancelled", "application.redacted", "booking.created", "booking.updated", "booking.cancelled", "import.finished", "import.needs_attention", "event_occurrence.created", "event_occurrence.updated", "partner.created", "partner.updated", "key.revoked", "webhook_endpoint.disabled", "webhook_endpoint.ping"]


class ChangeEventData(TypedDict):
    """The ids of the changed object and of its parents. The properties depend on the type."""

    participantId: NotRequired[str]
    applicationId: NotRequired[str]
    bookingId: NotRequired[str]
    eventId: NotRequired[str]
    eventOccurrenceId: NotRequired[str]
    raceId: NotRequired[str]
    ticketId: NotRequired[str]
    partnerId: NotRequired[str]
    keyId: NotRequired[str]
    kind: NotRequired[str]
    webhookEndpointId: NotRequired[str]
    reason: NotRequired[str]
    importJobId: NotRequired[str]
    surface: NotRequired[str]
    status: NotRequired[str]
    totalRows: NotRequired[int]
    succeededRows: NotRequired[int]
    alreadyImportedRows: NotRequired[int]
    cancelledBeforeRows: NotRequired[int]
    failedRows: NotRequired[int]
    changed: NotRequired[list[str]]


ListWebhookEndpointsQuery = TypedDict("ListWebhookEndpointsQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
})


class PagedWebhookEndpoints(TypedDict):
    """One page of a list of WebhookEndpoint."""

    data: list[WebhookEndpoint]
    page: Page


class WebhookEndpoint(TypedDict):
    """An endpoint that receives change events."""

    id: str
    url: str
    types: list[ChangeEventType]
    eventOccurrenceIds: list[str] | None
    description: str | None
    enabled: bool
    disabledReason: WebhookDisabledReason | None
    disabledAt: str | None
    failingSince: str | None
    behindSince: str | None
    missedUntil: str | None
    createdAt: str
    updatedAt: str


WebhookDisabledReason: TypeAlias = Literal["MANUAL", "GONE", "FAILING"]


class WebhookEndpointCreate(TypedDict):
    """A new webhook endpoint."""

    eventOccurrenceIds: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    enabled: NotRequired[bool]
    url: str
    types: list[ChangeEventType]


class WebhookEndpointWithSecret(TypedDict):
    """A webhook endpoint with its secret, which is shown only once."""

    id: str
    url: str
    types: list[ChangeEventType]
    eventOccurrenceIds: list[str] | None
    description: str | None
    enabled: bool
    disabledReason: WebhookDisabledReason | None
    disabledAt: str | None
    failingSince: str | None
    behindSince: str | None
    missedUntil: str | None
    createdAt: str
    updatedAt: str
    secret: str


class WebhookPing(TypedDict):
    """The delivery that was created."""

    deliveryId: str
    deliveryUrl: str


class WebhookEndpointUpdate(TypedDict):
    """Changes of a webhook endpoint. Absent properties do not change."""

    eventOccurrenceIds: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    enabled: NotRequired[bool]
    url: NotRequired[str]
    types: NotRequired[list[ChangeEventType]]


class WebhookDone(TypedDict):
    """Confirms that the request succeeded."""

    success: bool


ListWebhookDeliveriesQuery = TypedDict("ListWebhookDeliveriesQuery", {
    "page[size]": 'NotRequired[int]',
    "page[after]": 'NotRequired[str]',
    "page[before]": 'NotRequired[str]',
    "endpointId": 'NotRequired[str]',
    "state": 'NotRequired[Literal["PENDING", "DELIVERED", "FAILED"]]',
    "type": 'NotRequired[Literal["participant.created", "participant.updated", "participant.race_day_updated", "participant.cancelled", "participant.redacted", "application.created", "application.updated", "application.decided", "application.cancelled", "application.redacted", "booking.created", "booking.updated", "booking.cancelled", "import.finished", "import.needs_attention", "event_occurrence.created", "event_occurrence.updated", "partner.created", "partner.updated", "key.revoked", "webhook_endpoint.disabled", "webhook_endpoint.ping"]]',
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
})


class PagedWebhookDeliveries(TypedDict):
    """One page of a list of WebhookDelivery."""

    data: list[WebhookDelivery]
    page: Page


class WebhookDelivery(TypedDict):
    """A delivery of an event to a webhook endpoint."""

    id: str
    endpointId: str
    eventId: str
    type: ChangeEventType
    state: WebhookDeliveryState
    createdAt: str
    nextAttemptAt: str | None
    attemptCount: int
    attempts: list[WebhookAttempt]


WebhookDeliveryState: TypeAlias = Literal["PENDING", "DELIVERED", "FAILED"]


class WebhookAttempt(TypedDict):
    """An attempt of a delivery."""

    attemptedAt: str
    durationMs: int
    status: int | None
    error: str | None
    response: str | None


class WebhookRetry(TypedDict):
    """Selects the failed deliveries to send again."""

    since: str
    endpointId: NotRequired[str]


class WebhookRetried(TypedDict):
    """The number of deliveries that are sent again."""

    deliveries: int
    deliveriesUrl: str


class KeyIdentity(TypedDict):
    """The organization and the restrictions of a key."""

    organiserId: str
    test: bool
    eventOccurrenceIds: list[str]
    endpoints: list[str]
    permissions: list[Permission]
    partnerId: str | None
    restricted: bool


Permission: TypeAlias = Literal["catalogue:read", "catalogue:write", "registrations:read", "participants:read", "participants:write", "applications:read", "bookings:read", "bookings:write", "bookings:import", "lineItems:read", "lineItems:import", "addOns:read", "addOns:import", "partners:read", "partners:write", "reservedEntries:read", "reservedEntries:import", "referrals:read", "referrals:import", "discountCodes:read", "discountCodes:write", "discountCodes:import", "credits:read", "credits:import", "imports:read", "changeEvents:read", "webhooks:read", "webhooks:write", "marketplace:read", "timing:read", "timing:write"]


class BodyProblem(TypedDict):
    """A problem of the body."""

    path: str
    row: int | None
    externalId: str | None
    code: ProblemCode
    message: str
    participantId: NotRequired[str]
    used: NotRequired[int]
    current: NotRequired[CurrentRecord]


ProblemCode: TypeAlias = Literal["INVALID_JSON", "TOO_COMPLEX", "UNUSABLE_TEXT", "INEXACT_NUMBER", "REQUIRED", "UNKNOWN_PROPERTY", "INVALID_TYPE", "INVALID_FORMAT", "INVALID_VALUE", "OUT_OF_RANGE", "TOO_SHORT", "TOO_LONG", "DUPLICATE", "INVALID_COMBINATION", "TIME_ZONE_REQUIRED", "AMBIGUOUS_TIME", "WAVE_BEFORE_RACE", "BIB_NUMBER_TAKEN", "PARTICIPANT_CANCELLED", "CHANGED_MEANWHILE", "BELOW_USE", "ALREADY_USED", "CURRENCY_MISMATCH", "DOMAIN_NOT_ALLOWED", "EVENT_OCCURRENCE_NOT_FOUND", "FIELD_NOT_FOUND", "INVALID_ANSWER", "NO_CAPACITY_REMAINING", "NOT_CORRECTABLE", "TICKET_NOT_FOUND", "TOO_LARGE", "WAVE_NOT_FOUND", "ALREADY_ADDED", "NOT_FAILED", "ALREADY_CORRECTED"]


class CurrentRecord(TypedDict):
    """A record of the catalogue, as a catalogue file has it, and its version."""

    id: str
    version: str
    record: dict[str, Any]


ExportParticipantsQuery = TypedDict("ExportParticipantsQuery", {
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "ticketId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "email": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
    "externalBookingId": 'NotRequired[str]',
    "status": 'NotRequired[Literal["CONFIRMED", "CANCELLED"]]',
    "tag": 'NotRequired[str]',
    "features": 'NotRequired[str]',
    "extendMetadata": 'NotRequired[bool]',
})


ExportTimingParticipantsQuery = TypedDict("ExportTimingParticipantsQuery", {
    "createdAt[after]": 'NotRequired[str]',
    "createdAt[before]": 'NotRequired[str]',
    "updatedAt[after]": 'NotRequired[str]',
    "updatedAt[before]": 'NotRequired[str]',
    "eventOccurrenceId": 'NotRequired[str]',
    "raceId": 'NotRequired[str]',
    "bibNumber": 'NotRequired[str]',
    "externalParticipantId": 'NotRequired[str]',
})


ExportQuery: TypeAlias = ExportParticipantsQuery
TimingExportQuery: TypeAlias = ExportTimingParticipantsQuery


class Operations(ABC):
    """What a client can call, by method and path. The client does it."""

    @abstractmethod
    def _ask(
        self, method: str, path: str, query: Mapping[str, object] | None = None, body: Any = None,
        params: Mapping[str, str] = {}, idempotency_key: str | None = None,
    ) -> Any: ...

    @abstractmethod
    def _walk(self, path: str, query: Mapping[str, object] | None, params: Mapping[str, str]) -> Iterator[Any]: ...

    @abstractmethod
    def _follow(
        self, path: str, since: str | None, query: Mapping[str, object] | None, params: Mapping[str, str], poll_seconds: float,
    ) -> Iterator[list[Any]]: ...

    @abstractmethod
    def _import(
        self, path: str, rows: Iterable[Any], *, replace: bool = False, cancelled: str | None = None,
        dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def get(
        self, path: Literal["/v0/events/{id}/tickets"], query: ListEventTicketsQuery | None = None, /, *, id: str,
    ) -> PagedTickets: ...

    @overload
    def get(
        self, path: Literal["/v0/events/{id}/reserved-entries"], query: ListEventReservedEntriesQuery | None = None, /, *, id: str,
    ) -> PagedReservedEntryGroups: ...

    @overload
    def get(
        self, path: Literal["/v0/events/{id}/applications"], query: ListEventApplicationsQuery | None = None, /, *, id: str,
    ) -> PagedApplications: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences"], query: ListEventOccurrencesQuery | None = None, /,
    ) -> PagedOrganizerEventOccurrenceSummaries: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences/{id}"], query: None = None, /, *, id: str,
    ) -> OrganizerEventOccurrence: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences/{id}/races"], query: ListEventOccurrenceRacesQuery | None = None, /, *, id: str,
    ) -> PagedRaceSummaries: ...

    @overload
    def get(
        self, path: Literal["/v0/races/{id}"], query: None = None, /, *, id: str,
    ) -> Race: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences/{id}/tickets"], query: ListEventOccurrenceTicketsQuery | None = None, /, *, id: str,
    ) -> PagedTickets: ...

    @overload
    def get(
        self, path: Literal["/v0/races/{id}/tickets"], query: ListRaceTicketsQuery | None = None, /, *, id: str,
    ) -> PagedTickets: ...

    @overload
    def get(
        self, path: Literal["/v0/tickets/{id}"], query: None = None, /, *, id: str,
    ) -> TicketDetails: ...

    @overload
    def get(
        self, path: Literal["/v0/tickets/{id}/booking-forms"], query: ListTicketBookingFormsQuery | None = None, /, *, id: str,
    ) -> PagedBookingForms: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-forms/{id}"], query: None = None, /, *, id: str,
    ) -> BookingForm: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-forms/{id}/tickets"], query: ListBookingFormTicketsQuery | None = None, /, *, id: str,
    ) -> PagedTicketSummaries: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-form-fields/{id}/booking-forms"], query: ListBookingFormFieldBookingFormsQuery | None = None, /, *, id: str,
    ) -> PagedBookingForms: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-form-fields"], query: ListBookingFormFieldsQuery | None = None, /,
    ) -> PagedBookingFormFields: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-form-fields/{id}"], query: None = None, /, *, id: str,
    ) -> BookingFormField: ...

    @overload
    def get(
        self, path: Literal["/v0/booking-forms/{id}/fields"], query: ListFieldsOfBookingFormQuery | None = None, /, *, id: str,
    ) -> PagedBookingFormFields: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings"], query: ListBookingsQuery | None = None, /,
    ) -> PagedBookingSummaries: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/digest"], query: GetBookingsDigestQuery | None = None, /,
    ) -> Digest: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/external/{externalBookingId}"], query: ListBookingsByExternalIdQuery | None = None, /, *, externalBookingId: str,
    ) -> PagedBookingSummaries: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/{id}"], query: GetBookingQuery | None = None, /, *, id: str,
    ) -> Booking: ...

    @overload
    def get(
        self, path: Literal["/v0/line-items"], query: ListLineItemsQuery | None = None, /,
    ) -> PagedLineItems: ...

    @overload
    def get(
        self, path: Literal["/v0/line-items/digest"], query: GetLineItemsDigestQuery | None = None, /,
    ) -> Digest: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/{id}/line-items"], query: ListBookingLineItemsQuery | None = None, /, *, id: str,
    ) -> PagedLineItems: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/{id}/add-on-allocations"], query: ListBookingAddOnAllocationsQuery | None = None, /, *, id: str,
    ) -> PagedAddOnAllocations: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences/{id}/add-ons"], query: ListEventOccurrenceAddOnsQuery | None = None, /, *, id: str,
    ) -> PagedAddOnProducts: ...

    @overload
    def get(
        self, path: Literal["/v0/applications"], query: ListApplicationsQuery | None = None, /,
    ) -> PagedApplications: ...

    @overload
    def get(
        self, path: Literal["/v0/applications/digest"], query: GetApplicationsDigestQuery | None = None, /,
    ) -> Digest: ...

    @overload
    def get(
        self, path: Literal["/v0/applications/{id}"], query: GetApplicationQuery | None = None, /, *, id: str,
    ) -> Application: ...

    @overload
    def get(
        self, path: Literal["/v0/participants"], query: ListParticipantsQuery | None = None, /,
    ) -> PagedParticipants: ...

    @overload
    def get(
        self, path: Literal["/v0/participants/digest"], query: GetParticipantsDigestQuery | None = None, /,
    ) -> Digest: ...

    @overload
    def get(
        self, path: Literal["/v0/participants/{id}"], query: GetParticipantQuery | None = None, /, *, id: str,
    ) -> Participant: ...

    @overload
    def get(
        self, path: Literal["/v0/races/{id}/participants"], query: ListRaceParticipantsQuery | None = None, /, *, id: str,
    ) -> PagedParticipants: ...

    @overload
    def get(
        self, path: Literal["/v0/participant-changes/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/partners"], query: ListPartnersQuery | None = None, /,
    ) -> PagedPartners: ...

    @overload
    def get(
        self, path: Literal["/v0/partners/digest"], query: GetPartnersDigestQuery | None = None, /,
    ) -> Digest: ...

    @overload
    def get(
        self, path: Literal["/v0/partners/{id}"], query: GetPartnerQuery | None = None, /, *, id: str,
    ) -> Partner: ...

    @overload
    def get(
        self, path: Literal["/v0/event-occurrences/{id}/reserved-entries"], query: ListEventOccurrenceReservedEntriesQuery | None = None, /, *, id: str,
    ) -> PagedReservedEntryGroups: ...

    @overload
    def get(
        self, path: Literal["/v0/referral-programs"], query: ListReferralProgramsQuery | None = None, /,
    ) -> PagedReferralPrograms: ...

    @overload
    def get(
        self, path: Literal["/v0/referral-programs/{referralProgramId}/referrers"], query: ListReferrersQuery | None = None, /, *, referralProgramId: str,
    ) -> PagedReferrers: ...

    @overload
    def get(
        self, path: Literal["/v0/referral-programs/{referralProgramId}/referrers/{referralCodeOwnerBookingId}/referrals"], query: ListReferralsQuery | None = None, /, *, referralProgramId: str, referralCodeOwnerBookingId: str,
    ) -> PagedReferrals: ...

    @overload
    def get(
        self, path: Literal["/v0/discount-codes/{id}"], query: None = None, /, *, id: str,
    ) -> DiscountCode: ...

    @overload
    def get(
        self, path: Literal["/v0/credits"], query: ListCreditsQuery | None = None, /,
    ) -> PagedCredits: ...

    @overload
    def get(
        self, path: Literal["/v0/credits/{id}"], query: None = None, /, *, id: str,
    ) -> Credit: ...

    @overload
    def get(
        self, path: Literal["/v0/credits/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/bookings/line-items/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/add-ons/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/discount-codes/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/referrals/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/reserved-entries/participants/import/{jobId}"], query: None = None, /, *, jobId: str,
    ) -> ImportJob: ...

    @overload
    def get(
        self, path: Literal["/v0/import-jobs"], query: ListImportJobsQuery | None = None, /,
    ) -> PagedImportJobs: ...

    @overload
    def get(
        self, path: Literal["/v0/import-jobs/allowance"], query: None = None, /,
    ) -> ImportAllowance: ...

    @overload
    def get(
        self, path: Literal["/v0/import-jobs/{jobId}/rows"], query: ListImportRowsQuery | None = None, /, *, jobId: str,
    ) -> PagedImportRows: ...

    @overload
    def get(
        self, path: Literal["/v0/import-jobs/{jobId}/undo"], query: None = None, /, *, jobId: str,
    ) -> ImportUndoPreview: ...

    @overload
    def get(
        self, path: Literal["/timing-inbound/v1/status"], query: None = None, /,
    ) -> TimingStatus: ...

    @overload
    def get(
        self, path: Literal["/timing-inbound/v1/unidentified"], query: ListUnidentifiedTimingQuery | None = None, /,
    ) -> PagedUnidentifiedMessages: ...

    @overload
    def get(
        self, path: Literal["/timing-inbound/v1/participants"], query: ListTimingParticipantsQuery | None = None, /,
    ) -> PagedTimingParticipants: ...

    @overload
    def get(
        self, path: Literal["/marketplace/v1/events/"], query: ListMarketplaceEventsQuery | None = None, /,
    ) -> MarketplaceEvents: ...

    @overload
    def get(
        self, path: Literal["/marketplace/v1/removed-events"], query: ListRemovedMarketplaceEventsQuery | None = None, /,
    ) -> RemovedMarketplaceEvents: ...

    @overload
    def get(
        self, path: Literal["/marketplace/v1/events/search"], query: SearchMarketplaceEventsQuery | None = None, /,
    ) -> FoundMarketplaceEvents: ...

    @overload
    def get(
        self, path: Literal["/v0/change-events"], query: ListChangeEventsQuery | None = None, /,
    ) -> PagedChangeEvents: ...

    @overload
    def get(
        self, path: Literal["/v0/webhook-endpoints"], query: ListWebhookEndpointsQuery | None = None, /,
    ) -> PagedWebhookEndpoints: ...

    @overload
    def get(
        self, path: Literal["/v0/webhook-endpoints/{id}"], query: None = None, /, *, id: str,
    ) -> WebhookEndpoint: ...

    @overload
    def get(
        self, path: Literal["/v0/webhook-deliveries"], query: ListWebhookDeliveriesQuery | None = None, /,
    ) -> PagedWebhookDeliveries: ...

    @overload
    def get(
        self, path: Literal["/v0/webhook-deliveries/{id}"], query: None = None, /, *, id: str,
    ) -> WebhookDelivery: ...

    @overload
    def get(
        self, path: Literal["/identity"], query: None = None, /,
    ) -> KeyIdentity: ...

    def get(self, path: str, query: Any = None, /, **params: Any) -> Any:
        """Sends one request, and returns the body of its response."""
        return self._ask("GET", path, query, params=params)

    @overload
    def delete(
        self, path: Literal["/v0/bookings/{id}"], query: None = None, /, *, id: str,
    ) -> Booking: ...

    @overload
    def delete(
        self, path: Literal["/v0/participants/{id}"], query: None = None, /, *, id: str,
    ) -> Participant: ...

    @overload
    def delete(
        self, path: Literal["/v0/webhook-endpoints/{id}"], query: None = None, /, *, id: str,
    ) -> WebhookDone: ...

    def delete(self, path: str, query: Any = None, /, **params: Any) -> Any:
        return self._ask("DELETE", path, query, params=params)

    @overload
    def post(
        self, path: Literal["/v0/event-occurrences/{id}/registration-status"], body: RegistrationStatusRequest, query: None = None, /, *, id: str,
    ) -> RegistrationStatus: ...

    @overload
    def post(
        self, path: Literal["/v0/races/{id}/bib-plan"], body: BibPlanRequest, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> BibPlan: ...

    @overload
    def post(
        self, path: Literal["/v0/participants/{id}/move"], body: ParticipantMove, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> Participant: ...

    @overload
    def post(
        self, path: Literal["/v0/participants/{id}/transfer"], body: NewHolder, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> Participant: ...

    @overload
    def post(
        self, path: Literal["/v0/partners"], body: PartnerCreate, query: None = None, /, *, idempotency_key: str | None = None,
    ) -> Partner: ...

    @overload
    def post(
        self, path: Literal["/v0/credits/import"], body: CreditsImport, query: ImportCreditsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/bookings/import"], body: BookingsImport, query: ImportBookingsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/bookings/line-items/import"], body: LineItemsImport, query: ImportLineItemsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/add-ons/import"], body: AddOnsImport, query: ImportAddOnsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/discount-codes/import"], body: DiscountCodesImport, query: ImportDiscountCodesQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/referrals/import"], body: ReferralsImport, query: ImportReferralsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/reserved-entries/participants/import"], body: AssignmentsImport, query: ImportReservedEntriesQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def post(
        self, path: Literal["/v0/import-jobs/{jobId}/cancel"], body: None = None, query: None = None, /, *, jobId: str, idempotency_key: str | None = None,
    ) -> ImportJob: ...

    @overload
    def post(
        self, path: Literal["/v0/import-jobs/{jobId}/retry"], body: None = None, query: None = None, /, *, jobId: str, idempotency_key: str | None = None,
    ) -> ImportJob: ...

    @overload
    def post(
        self, path: Literal["/v0/import-jobs/{jobId}/apply"], body: None = None, query: None = None, /, *, jobId: str, idempotency_key: str | None = None,
    ) -> ImportJob: ...

    @overload
    def post(
        self, path: Literal["/v0/import-jobs/{jobId}/undo"], body: ImportUndo, query: None = None, /, *, jobId: str, idempotency_key: str | None = None,
    ) -> ImportJob: ...

    @overload
    def post(
        self, path: Literal["/timing-inbound/v1"], body: TimingMessage | list[TimingMessage], query: None = None, /,
    ) -> TimingReceipt: ...

    @overload
    def post(
        self, path: Literal["/v0/webhook-endpoints"], body: WebhookEndpointCreate, query: None = None, /, *, idempotency_key: str | None = None,
    ) -> WebhookEndpointWithSecret: ...

    @overload
    def post(
        self, path: Literal["/v0/webhook-endpoints/{id}/rotate-secret"], body: None = None, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> WebhookEndpointWithSecret: ...

    @overload
    def post(
        self, path: Literal["/v0/webhook-endpoints/{id}/ping"], body: None = None, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> WebhookPing: ...

    @overload
    def post(
        self, path: Literal["/v0/webhook-deliveries/retry"], body: WebhookRetry, query: None = None, /, *, idempotency_key: str | None = None,
    ) -> WebhookRetried: ...

    @overload
    def post(
        self, path: Literal["/v0/webhook-deliveries/{id}/retry"], body: None = None, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> WebhookDelivery: ...

    def post(self, path: str, body: Any = None, query: Any = None, /, *, idempotency_key: str | None = None, **params: Any) -> Any:
        return self._ask("POST", path, query, body, params, idempotency_key)

    @overload
    def put(
        self, path: Literal["/v0/catalogue"], body: CatalogueWrite, query: None = None, /, *, idempotency_key: str | None = None,
    ) -> CatalogueWritten: ...

    @overload
    def put(
        self, path: Literal["/v0/bookings/import"], body: BookingsImport, query: CorrectBookingsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def put(
        self, path: Literal["/v0/bookings/line-items/import"], body: LineItemsImport, query: ReplaceLineItemsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    @overload
    def put(
        self, path: Literal["/v0/add-ons/import"], body: AddOnsImport, query: ReplaceAddOnsQuery | None = None, /, *, idempotency_key: str | None = None,
    ) -> AcceptedImport: ...

    def put(self, path: str, body: Any = None, query: Any = None, /, *, idempotency_key: str | None = None, **params: Any) -> Any:
        return self._ask("PUT", path, query, body, params, idempotency_key)

    @overload
    def patch(
        self, path: Literal["/v0/participants/{id}"], body: ParticipantCorrection, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> Participant: ...

    @overload
    def patch(
        self, path: Literal["/v0/participants/{id}/race-day"], body: RaceDayUpdate, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> RaceDayReceipt: ...

    @overload
    def patch(
        self, path: Literal["/v0/partners/{id}"], body: PartnerUpdate, query: UpdatePartnerQuery | None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> Partner: ...

    @overload
    def patch(
        self, path: Literal["/v0/discount-codes/{id}"], body: DiscountCodeUpdate, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> DiscountCode: ...

    @overload
    def patch(
        self, path: Literal["/v0/webhook-endpoints/{id}"], body: WebhookEndpointUpdate, query: None = None, /, *, id: str, idempotency_key: str | None = None,
    ) -> WebhookEndpoint: ...

    def patch(self, path: str, body: Any = None, query: Any = None, /, *, idempotency_key: str | None = None, **params: Any) -> Any:
        return self._ask("PATCH", path, query, body, params, idempotency_key)

    @overload
    def every(
        self, path: Literal["/v0/events/{id}/tickets"], query: ListEventTicketsQuery | None = None, /, *, id: str,
    ) -> Iterator[Ticket]: ...

    @overload
    def every(
        self, path: Literal["/v0/events/{id}/reserved-entries"], query: ListEventReservedEntriesQuery | None = None, /, *, id: str,
    ) -> Iterator[ReservedEntryGroup]: ...

    @overload
    def every(
        self, path: Literal["/v0/events/{id}/applications"], query: ListEventApplicationsQuery | None = None, /, *, id: str,
    ) -> Iterator[Application]: ...

    @overload
    def every(
        self, path: Literal["/v0/event-occurrences"], query: ListEventOccurrencesQuery | None = None, /,
    ) -> Iterator[OrganizerEventOccurrenceSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/event-occurrences/{id}/races"], query: ListEventOccurrenceRacesQuery | None = None, /, *, id: str,
    ) -> Iterator[RaceSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/event-occurrences/{id}/tickets"], query: ListEventOccurrenceTicketsQuery | None = None, /, *, id: str,
    ) -> Iterator[Ticket]: ...

    @overload
    def every(
        self, path: Literal["/v0/races/{id}/tickets"], query: ListRaceTicketsQuery | None = None, /, *, id: str,
    ) -> Iterator[Ticket]: ...

    @overload
    def every(
        self, path: Literal["/v0/tickets/{id}/booking-forms"], query: ListTicketBookingFormsQuery | None = None, /, *, id: str,
    ) -> Iterator[BookingForm]: ...

    @overload
    def every(
        self, path: Literal["/v0/booking-forms/{id}/tickets"], query: ListBookingFormTicketsQuery | None = None, /, *, id: str,
    ) -> Iterator[TicketSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/booking-form-fields/{id}/booking-forms"], query: ListBookingFormFieldBookingFormsQuery | None = None, /, *, id: str,
    ) -> Iterator[BookingForm]: ...

    @overload
    def every(
        self, path: Literal["/v0/booking-form-fields"], query: ListBookingFormFieldsQuery | None = None, /,
    ) -> Iterator[BookingFormField]: ...

    @overload
    def every(
        self, path: Literal["/v0/booking-forms/{id}/fields"], query: ListFieldsOfBookingFormQuery | None = None, /, *, id: str,
    ) -> Iterator[BookingFormField]: ...

    @overload
    def every(
        self, path: Literal["/v0/bookings"], query: ListBookingsQuery | None = None, /,
    ) -> Iterator[BookingSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/bookings/external/{externalBookingId}"], query: ListBookingsByExternalIdQuery | None = None, /, *, externalBookingId: str,
    ) -> Iterator[BookingSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/line-items"], query: ListLineItemsQuery | None = None, /,
    ) -> Iterator[LineItem]: ...

    @overload
    def every(
        self, path: Literal["/v0/bookings/{id}/line-items"], query: ListBookingLineItemsQuery | None = None, /, *, id: str,
    ) -> Iterator[LineItem]: ...

    @overload
    def every(
        self, path: Literal["/v0/bookings/{id}/add-on-allocations"], query: ListBookingAddOnAllocationsQuery | None = None, /, *, id: str,
    ) -> Iterator[AddOnAllocation]: ...

    @overload
    def every(
        self, path: Literal["/v0/event-occurrences/{id}/add-ons"], query: ListEventOccurrenceAddOnsQuery | None = None, /, *, id: str,
    ) -> Iterator[AddOnProduct]: ...

    @overload
    def every(
        self, path: Literal["/v0/applications"], query: ListApplicationsQuery | None = None, /,
    ) -> Iterator[Application]: ...

    @overload
    def every(
        self, path: Literal["/v0/participants"], query: ListParticipantsQuery | None = None, /,
    ) -> Iterator[Participant]: ...

    @overload
    def every(
        self, path: Literal["/v0/races/{id}/participants"], query: ListRaceParticipantsQuery | None = None, /, *, id: str,
    ) -> Iterator[Participant]: ...

    @overload
    def every(
        self, path: Literal["/v0/partners"], query: ListPartnersQuery | None = None, /,
    ) -> Iterator[Partner]: ...

    @overload
    def every(
        self, path: Literal["/v0/event-occurrences/{id}/reserved-entries"], query: ListEventOccurrenceReservedEntriesQuery | None = None, /, *, id: str,
    ) -> Iterator[ReservedEntryGroup]: ...

    @overload
    def every(
        self, path: Literal["/v0/referral-programs"], query: ListReferralProgramsQuery | None = None, /,
    ) -> Iterator[ReferralProgram]: ...

    @overload
    def every(
        self, path: Literal["/v0/referral-programs/{referralProgramId}/referrers"], query: ListReferrersQuery | None = None, /, *, referralProgramId: str,
    ) -> Iterator[Referrer]: ...

    @overload
    def every(
        self, path: Literal["/v0/referral-programs/{referralProgramId}/referrers/{referralCodeOwnerBookingId}/referrals"], query: ListReferralsQuery | None = None, /, *, referralProgramId: str, referralCodeOwnerBookingId: str,
    ) -> Iterator[Referral]: ...

    @overload
    def every(
        self, path: Literal["/v0/credits"], query: ListCreditsQuery | None = None, /,
    ) -> Iterator[Credit]: ...

    @overload
    def every(
        self, path: Literal["/v0/import-jobs"], query: ListImportJobsQuery | None = None, /,
    ) -> Iterator[ImportJobSummary]: ...

    @overload
    def every(
        self, path: Literal["/v0/import-jobs/{jobId}/rows"], query: ListImportRowsQuery | None = None, /, *, jobId: str,
    ) -> Iterator[ImportRowResult]: ...

    @overload
    def every(
        self, path: Literal["/timing-inbound/v1/unidentified"], query: ListUnidentifiedTimingQuery | None = None, /,
    ) -> Iterator[UnidentifiedMessage]: ...

    @overload
    def every(
        self, path: Literal["/timing-inbound/v1/participants"], query: ListTimingParticipantsQuery | None = None, /,
    ) -> Iterator[TimingParticipant]: ...

    @overload
    def every(
        self, path: Literal["/marketplace/v1/events/"], query: ListMarketplaceEventsQuery | None = None, /,
    ) -> Iterator[MarketplaceEvent]: ...

    @overload
    def every(
        self, path: Literal["/marketplace/v1/removed-events"], query: ListRemovedMarketplaceEventsQuery | None = None, /,
    ) -> Iterator[RemovedEvent]: ...

    @overload
    def every(
        self, path: Literal["/marketplace/v1/events/search"], query: SearchMarketplaceEventsQuery | None = None, /,
    ) -> Iterator[MarketplaceEvent]: ...

    @overload
    def every(
        self, path: Literal["/v0/change-events"], query: ListChangeEventsQuery | None = None, /,
    ) -> Iterator[ChangeEvent]: ...

    @overload
    def every(
        self, path: Literal["/v0/webhook-endpoints"], query: ListWebhookEndpointsQuery | None = None, /,
    ) -> Iterator[WebhookEndpoint]: ...

    @overload
    def every(
        self, path: Literal["/v0/webhook-deliveries"], query: ListWebhookDeliveriesQuery | None = None, /,
    ) -> Iterator[WebhookDelivery]: ...

    def every(self, path: str, query: Any = None, /, **params: Any) -> Any:
        """Every item of a list, over all its pages."""
        return self._walk(path, query, params)

    @overload
    def changes(
        self, path: Literal["/v0/events/{id}/applications"], since: str | None = None, query: ListEventApplicationsQuery | None = None, /, *, id: str, poll_seconds: float = 5,
    ) -> Iterator[list[Application]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/bookings"], since: str | None = None, query: ListBookingsQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[BookingSummary]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/line-items"], since: str | None = None, query: ListLineItemsQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[LineItem]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/applications"], since: str | None = None, query: ListApplicationsQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[Application]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/participants"], since: str | None = None, query: ListParticipantsQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[Participant]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/races/{id}/participants"], since: str | None = None, query: ListRaceParticipantsQuery | None = None, /, *, id: str, poll_seconds: float = 5,
    ) -> Iterator[list[Participant]]: ...

    @overload
    def changes(
        self, path: Literal["/v0/partners"], since: str | None = None, query: ListPartnersQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[Partner]]: ...

    @overload
    def changes(
        self, path: Literal["/timing-inbound/v1/participants"], since: str | None = None, query: ListTimingParticipantsQuery | None = None, /, *, poll_seconds: float = 5,
    ) -> Iterator[list[TimingParticipant]]: ...

    def changes(self, path: str, since: str | None = None, query: Any = None, /, *, poll_seconds: float = 5, **params: Any) -> Any:
        """The items of a list, and then those that change, in groups, until the loop is left.

        Store the `updatedAt` of the last item of a group as the `since` of a later run: items with the same `updatedAt` are
        always in one group. Waits while the API is away or overloaded; raises what no wait can heal."""
        return self._follow(path, since, query, params, poll_seconds)

    @overload
    def import_rows(
        self, path: Literal["/v0/credits/import"], rows: Iterable[CreditImportRow], /, *, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/bookings/import"], rows: Iterable[BookingImportRow], /, *, replace: bool = False, cancelled: Literal["import", "skip"] | None = None, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/bookings/line-items/import"], rows: Iterable[LineItemImportRow], /, *, replace: bool = False, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/add-ons/import"], rows: Iterable[AddOnImportRow], /, *, replace: bool = False, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/discount-codes/import"], rows: Iterable[DiscountCodeImportRow], /, *, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/referrals/import"], rows: Iterable[ReferralImportRow], /, *, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    @overload
    def import_rows(
        self, path: Literal["/v0/reserved-entries/participants/import"], rows: Iterable[AssignmentImportRow], /, *, dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1, on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport: ...

    def import_rows(self, path: str, rows: Iterable[Any], /, **options: Any) -> ImportReport:
        """Imports any number of rows: sends them in batches, and waits for all their jobs.

        Raises if a batch is rejected; the jobs of earlier batches continue. The same call with the same `idempotency_key`
        and rows within 24 hours imports nothing twice."""
        return self._import(path, rows, **options)
