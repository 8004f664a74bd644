// Written by `npm run openapi`, from the rows of imports in openapi.json.
import type { ImportShape } from './rows/shapes';

export const IMPORT_SHAPES: Record<string, ImportShape> = {
  "/v0/credits/import": {
    "collection": "credits",
    "fields": [
      {
        "path": "externalCreditId",
        "type": "string",
        "required": true,
        "description": "Your own id.",
        "example": "credit-7"
      },
      {
        "path": "email",
        "type": "string",
        "required": true,
        "format": "email"
      },
      {
        "path": "amount.value",
        "type": "integer",
        "required": true,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "amount.currencyCode",
        "type": "string",
        "required": true,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      },
      {
        "path": "reason",
        "type": "string",
        "required": false,
        "example": "Cancelled swim 2026"
      },
      {
        "path": "expiresAt",
        "type": "string",
        "required": false,
        "description": "The credit can be used before this time; `null`: always.",
        "format": "date-time"
      },
      {
        "path": "eventId",
        "type": "string",
        "required": false,
        "description": "The only event at which the credit can be spent. If absent, every event.",
        "format": "uuid"
      }
    ]
  },
  "/v0/bookings/import": {
    "collection": "bookings",
    "fields": [
      {
        "path": "externalBookingId",
        "type": "string",
        "required": true,
        "description": "Your id of the booking. If a booking that is not cancelled already has this id, the row changes nothing.",
        "example": "order-1815"
      },
      {
        "path": "eventOccurrenceId",
        "type": "string",
        "required": true,
        "description": "The occurrence that the booking is for: `GET /v0/event-occurrences` lists them.",
        "format": "uuid"
      },
      {
        "path": "booker.email",
        "type": "string",
        "required": true,
        "format": "email"
      },
      {
        "path": "booker.firstName",
        "type": "string",
        "required": false,
        "example": "Ada"
      },
      {
        "path": "booker.lastName",
        "type": "string",
        "required": false,
        "example": "Lovelace"
      },
      {
        "path": "booker.phone",
        "type": "string",
        "required": false,
        "example": "+44 20 7946 0018"
      },
      {
        "path": "participants[0].ticketId",
        "type": "string",
        "required": true,
        "description": "A ticket of the occurrence: `GET /v0/event-occurrences/{id}/tickets` lists them.",
        "format": "uuid"
      },
      {
        "path": "participants[0].firstName",
        "type": "string",
        "required": false,
        "example": "Ada"
      },
      {
        "path": "participants[0].lastName",
        "type": "string",
        "required": false,
        "example": "Lovelace"
      },
      {
        "path": "participants[0].email",
        "type": "string",
        "required": false,
        "description": "If absent, the booker's email is used.",
        "format": "email"
      },
      {
        "path": "participants[0].dateOfBirth",
        "type": "string",
        "required": false,
        "description": "Between 1900-01-01 and today.",
        "format": "date",
        "example": "1990-04-12"
      },
      {
        "path": "participants[0].gender",
        "type": "string",
        "required": false,
        "description": "A value of the options of the form field `gender`.",
        "example": "FEMALE"
      },
      {
        "path": "participants[0].externalParticipantId",
        "type": "string",
        "required": false,
        "description": "Your id of the participant. Imports of add-ons can refer to it.",
        "example": "runner-4711"
      },
      {
        "path": "participants[0].bibNumber",
        "type": "string",
        "required": false,
        "description": "1 to 20 printable characters, without a space at the beginning or end.",
        "example": "A123"
      },
      {
        "path": "participants[0].waveId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "participants[0].price.value",
        "type": "integer",
        "required": false,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "participants[0].price.currencyCode",
        "type": "string",
        "required": false,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      },
      {
        "path": "participants[0].originalPrice.value",
        "type": "integer",
        "required": false,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "participants[0].originalPrice.currencyCode",
        "type": "string",
        "required": false,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      },
      {
        "path": "participants[0].tags",
        "type": "list",
        "required": false,
        "example": [
          "club"
        ]
      },
      {
        "path": "participants[0].team.name",
        "type": "string",
        "required": false,
        "description": "Entries of the same occurrence with the same name, in any spelling, are one team.",
        "example": "The Analytical Engines"
      },
      {
        "path": "participants[0].team.role",
        "type": "string",
        "required": false,
        "example": "CAPTAIN"
      },
      {
        "path": "bookedAt",
        "type": "string",
        "required": false,
        "description": "When the booking was made in that sale; the time of the import unless given. A discount code must be valid then.",
        "format": "date-time"
      },
      {
        "path": "bookerType",
        "type": "string",
        "required": false,
        "description": "Who booked.",
        "values": [
          "CONSUMER",
          "PARTNER"
        ]
      },
      {
        "path": "partnerId",
        "type": "string",
        "required": false,
        "description": "With `bookerType` `PARTNER`.",
        "format": "uuid"
      },
      {
        "path": "discountCode",
        "type": "string",
        "required": false,
        "description": "The discount code that the booking used. The discount becomes line items of type `DISCOUNT`.",
        "example": "EARLY10"
      },
      {
        "path": "discountAlreadyApplied",
        "type": "boolean",
        "required": false,
        "description": "Whether prices already include `discountCode`. If `true`, the use of the code is counted, nothing is deducted, and the validity of the code is not checked. The default is `true` if any participant has a `price`."
      },
      {
        "path": "sourcePlatform",
        "type": "string",
        "required": false,
        "description": "The platform that the booking comes from, shown as `metadata.startline.source`. If absent or `null`, the name of the API key; a correction without it changes nothing.",
        "example": "RACE_ROSTER"
      }
    ]
  },
  "/v0/bookings/line-items/import": {
    "collection": "lineItems",
    "fields": [
      {
        "path": "externalLineItemId",
        "type": "string",
        "required": true,
        "description": "Your own id.",
        "example": "order-1815-fee"
      },
      {
        "path": "bookingId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "externalBookingId",
        "type": "string",
        "required": false,
        "example": "order-1815"
      },
      {
        "path": "participantId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "itemType",
        "type": "string",
        "required": true,
        "description": "What was sold or deducted.",
        "values": [
          "TICKET",
          "ADD_ON",
          "DONATION",
          "BOOKING_FEE",
          "DISCOUNT",
          "CREDIT",
          "REFUND"
        ]
      },
      {
        "path": "itemId",
        "type": "string",
        "required": false,
        "description": "The id of the product, on this platform or on the platform of the sale. With `itemType` `CREDIT`: the `id` or `externalCreditId` of the credit that was spent; the credit's `balance` follows.",
        "example": "shirt-2027"
      },
      {
        "path": "itemSelectionId",
        "type": "string",
        "required": false,
        "description": "The id of the variant.",
        "example": "size-m"
      },
      {
        "path": "name",
        "type": "string",
        "required": true,
        "example": "Booking fee"
      },
      {
        "path": "amount.value",
        "type": "integer",
        "required": true,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "amount.currencyCode",
        "type": "string",
        "required": true,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      }
    ]
  },
  "/v0/add-ons/import": {
    "collection": "addOns",
    "fields": [
      {
        "path": "externalAllocationId",
        "type": "string",
        "required": true,
        "description": "Your own id.",
        "example": "order-1815-shirt"
      },
      {
        "path": "participantId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "externalBookingId",
        "type": "string",
        "required": false,
        "example": "order-1815"
      },
      {
        "path": "externalParticipantId",
        "type": "string",
        "required": false,
        "example": "runner-4711"
      },
      {
        "path": "addOnId",
        "type": "string",
        "required": true,
        "format": "uuid"
      },
      {
        "path": "variantId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "quantity",
        "type": "integer",
        "required": true,
        "example": 1
      },
      {
        "path": "unitPrice.value",
        "type": "integer",
        "required": true,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "unitPrice.currencyCode",
        "type": "string",
        "required": true,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      },
      {
        "path": "operationalStatus",
        "type": "string",
        "required": false,
        "description": "Whether the add-on is allocated, handed over or cancelled.",
        "values": [
          "ALLOCATED",
          "FULFILLED",
          "CANCELLED"
        ]
      },
      {
        "path": "financialStatus",
        "type": "string",
        "required": false,
        "description": "Whether the add-on is paid.",
        "values": [
          "PAID",
          "UNPAID",
          "REFUNDED"
        ]
      }
    ]
  },
  "/v0/discount-codes/import": {
    "collection": "discountCodes",
    "fields": [
      {
        "path": "code",
        "type": "string",
        "required": true,
        "description": "The text that people enter at checkout.",
        "example": "EARLY10"
      },
      {
        "path": "discount.type",
        "type": "string",
        "required": true,
        "values": [
          "FLAT_RATE",
          "PERCENTAGE"
        ]
      },
      {
        "path": "discount.price.value",
        "type": "integer",
        "required": false,
        "description": "In minor units: 100 is one whole currency unit, 5 is five cents.",
        "example": 4500
      },
      {
        "path": "discount.price.currencyCode",
        "type": "string",
        "required": false,
        "description": "An ISO 4217 code, or `ZERO` for free items.",
        "values": [
          "AUD",
          "CAD",
          "DKK",
          "EUR",
          "GBP",
          "INR",
          "MXN",
          "PHP",
          "USD",
          "ZERO"
        ],
        "example": "GBP"
      },
      {
        "path": "discount.amount",
        "type": "number",
        "required": false,
        "description": "The percentage.",
        "example": 15
      },
      {
        "path": "discount.isAppliedToBookingFee",
        "type": "boolean",
        "required": false,
        "description": "Tells the checkout, which is a separate system, whether the discount also applies to the booking fee. Imports contain booking fees as separate line items, which do not change."
      },
      {
        "path": "appliesPer",
        "type": "string",
        "required": false,
        "description": "`TRANSACTION`: the code applies once to all matching entries of a booking, and limits count bookings. `ENTRY`: the code applies to each matching entry, and limits count entries.",
        "values": [
          "TRANSACTION",
          "ENTRY"
        ]
      },
      {
        "path": "limitUsage",
        "type": "integer",
        "required": false,
        "description": "The most uses. If absent, there is no limit.",
        "example": 500
      },
      {
        "path": "limitUsagePerTransaction",
        "type": "integer",
        "required": false,
        "description": "Only with `appliesPer` `ENTRY`: the most entries of one booking that the code applies to.",
        "example": 4
      },
      {
        "path": "group",
        "type": "string",
        "required": false,
        "description": "An internal name.",
        "example": "Spring campaign"
      },
      {
        "path": "eventOccurrenceIds",
        "type": "list",
        "required": false,
        "description": "Only for these occurrences."
      },
      {
        "path": "ticketIds",
        "type": "list",
        "required": false,
        "description": "Only for these tickets."
      },
      {
        "path": "partnerId",
        "type": "string",
        "required": false,
        "description": "The partner that the code was given to. It is shown with the code; bookings with the code are not attributed to it.",
        "format": "uuid"
      },
      {
        "path": "startDateTime",
        "type": "string",
        "required": false,
        "description": "The code is valid for bookings from this time on.",
        "format": "date-time"
      },
      {
        "path": "endDateTime",
        "type": "string",
        "required": false,
        "description": "The code is valid for bookings before this time.",
        "format": "date-time"
      }
    ]
  },
  "/v0/referrals/import": {
    "collection": "referrals",
    "fields": [
      {
        "path": "referralProgramId",
        "type": "string",
        "required": true,
        "format": "uuid"
      },
      {
        "path": "generatedReferralCode",
        "type": "string",
        "required": true,
        "description": "The referral code. Case is ignored.",
        "example": "ADA-7F3"
      },
      {
        "path": "referredBookingId",
        "type": "string",
        "required": false,
        "format": "uuid"
      },
      {
        "path": "referredExternalBookingId",
        "type": "string",
        "required": false,
        "example": "order-1815"
      },
      {
        "path": "status",
        "type": "string",
        "required": false,
        "description": "`REDEEMED`: the reward was given. `CANCELLED`: the referral does not count. If the referral was imported before, it changes from `ELIGIBLE` to `REDEEMED` or `CANCELLED`, and from `REDEEMED` to `CANCELLED`; other changes fail with `INVALID_TRANSITION`. If absent, it is `ELIGIBLE` or does not change.",
        "values": [
          "ELIGIBLE",
          "CANCELLED",
          "REDEEMED"
        ]
      }
    ]
  },
  "/v0/reserved-entries/participants/import": {
    "collection": "assignments",
    "fields": [
      {
        "path": "externalAssignmentId",
        "type": "string",
        "required": true,
        "description": "Your own id.",
        "example": "hospice-12"
      },
      {
        "path": "reservedEntryGroupId",
        "type": "string",
        "required": true,
        "description": "The group's id.",
        "example": "01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b"
      },
      {
        "path": "ticketSlug",
        "type": "string",
        "required": true,
        "description": "The slug of a ticket of the group.",
        "example": "charity-place"
      },
      {
        "path": "participant.firstName",
        "type": "string",
        "required": false,
        "example": "Ada"
      },
      {
        "path": "participant.lastName",
        "type": "string",
        "required": false,
        "example": "Lovelace"
      },
      {
        "path": "participant.dateOfBirth",
        "type": "string",
        "required": false,
        "description": "Between 1900-01-01 and today.",
        "format": "date",
        "example": "1990-04-12"
      },
      {
        "path": "participant.gender",
        "type": "string",
        "required": false,
        "description": "A value of the options of the form field `gender`.",
        "example": "FEMALE"
      },
      {
        "path": "participant.email",
        "type": "string",
        "required": true,
        "format": "email"
      }
    ]
  }
};
