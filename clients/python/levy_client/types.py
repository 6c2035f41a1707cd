# Code generated from the contract by clients/internal/generate. DO NOT EDIT.
"""The records of the contract. Amounts, rates and quantities are Decimal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union

# An amount, a rate or a quantity that is sent. A float holds no cent exactly, and is refused.
DecimalInput = Union[Decimal, int, str]

# When sales count.
AccountingModel = Literal["ACCRUAL", "CASH"]

# Precision with which a place is known.
AddressResolution = Literal["ADDRESS", "ZIP9", "ZIP5", "CITY", "STATE", "COUNTRY", "NONE"]

# UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part.
AddressStatus = Literal["UNVERIFIED", "INVALID", "PARTIALLY_VERIFIED", "VERIFIED", "UNVERIFIABLE", "BLANK"]

# Role of an address. The destination is SHIP_TO, else BILL_TO. The origin is SHIP_FROM.
AddressType = Literal["BILL_TO", "SHIP_TO", "SHIP_FROM", "BILL_FROM"]

# Id of an API key record.
ApiKeyId = str

# `read`: reads, and calculations that write nothing. `write`: changes of records. `people`: people, keys and personal data.
ApiKeyScope = Literal["read", "write", "people"]

# Status of an API key.
ApiKeyStatus = Literal["ACTIVE", "EXPIRED", "REVOKED"]

# Id of a document of an exemption.
AttachmentId = str

# Kind of a bank account.
BankAccountType = Literal["CHECKING", "SAVINGS"]

# Billing plan, set by the operator.
BillingPlan = Literal["FREE", "GROWTH", "PREMIUM"]

# Id of a calendar feed.
CalendarFeedId = str

# How far a change of the regime is.
ChangeRegimeStatus = Literal["REQUESTED", "APPROVED", "DONE", "ACKNOWLEDGED"]

# Type of a record with comments.
CommentSubjectType = Literal["transaction", "filing", "notice", "registration", "organization"]

# An authority that takes returns by a grant of access. `hmrc`: HM Revenue and Customs.
ConnectedAuthority = Literal["hmrc"]

# Exchange rate with exactly 9 decimals.
ConversionRate = Decimal

# ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory).
CountryCode = Literal["AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD", "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA", "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE", "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA", "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK", "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP", "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT", "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS", "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ", "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS", "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST", "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW", "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA", "ZM", "ZW", "XK", "ZZ_EU"]

# The same, or null, which clears the field.
CountryCodeOrNull = Optional[Literal["AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD", "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA", "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE", "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA", "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK", "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP", "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT", "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS", "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ", "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS", "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST", "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW", "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA", "ZM", "ZW", "XK", "ZZ_EU"]]

# PENDING reserves the amount, COMMITTED takes it, CANCELLED gives it back.
CreditNoteStatus = Literal["PENDING", "CANCELLED", "COMMITTED"]

# ISO 4217 code of a currency.
CurrencyCode = Literal["AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GGP", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "IMP", "INR", "IQD", "IRR", "ISK", "JEP", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLL", "SOS", "SPL", "SRD", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TVD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VEF", "VND", "VUV", "WST", "XAF", "XCD", "XDR", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWD"]

# The same, or null, which clears the field.
CurrencyCodeOrNull = Optional[Literal["AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GGP", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "IMP", "INR", "IQD", "IRR", "ISK", "JEP", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLL", "SOS", "SPL", "SRD", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TVD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VEF", "VND", "VUV", "WST", "XAF", "XCD", "XDR", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWD"]]

# Id of a customer.
CustomerId = str

# Status of a customer. Archived customers stay usable.
CustomerStatus = Literal["ACTIVE", "ARCHIVED"]

# Kind of a customer's tax registration.
CustomerTaxType = Literal["gst", "hst", "gst_hst", "qst", "pst", "rst", "vat", "unknown"]

# Days in the console: `DAY_MONTH_YEAR` is 2 Jan 2026, `MONTH_DAY_YEAR` is Jan 2, 2026, `ISO` is 2026-01-02. None of them can be read in two ways.
DateFormat = Literal["DAY_MONTH_YEAR", "MONTH_DAY_YEAR", "ISO"]

# TRANSACTION_ITEM discounts this line. TRANSACTION spreads the discount over all lines above zero, in proportion to what negative lines and line discounts leave of them.
DiscountTarget = Literal["TRANSACTION", "TRANSACTION_ITEM"]

# Kind of e-mail about work. `DIGEST` is the exceptions by cause, once a week; `DUE_DATES` is returns that are due in 7 days, tomorrow or today; `REJECTIONS` is returns that were not accepted; `MENTIONS` is comments that mention the person; `ASSIGNMENTS` is exceptions that others assigned to the person.
EmailKind = Literal["DIGEST", "DUE_DATES", "REJECTIONS", "MENTIONS", "ASSIGNMENTS"]

# Legal form of a company.
EntityType = Literal["C_CORPORATION", "S_CORPORATION", "CORPORATION", "LLC", "SINGLE_MEMBER_LLC", "MULTI_MEMBER_LLC", "LLC_TAXED_AS_C_CORPORATION", "LLC_TAXED_AS_S_CORPORATION", "HYBRID_LLC", "PROFESSIONAL_LLC", "PARTNERSHIP", "GENERAL_PARTNERSHIP", "LIMITED_PARTNERSHIP", "LIMITED_LIABILITY_PARTNERSHIP", "LIMITED_LIABILITY_LIMITED_PARTNERSHIP", "SOLE_PROPRIETORSHIP", "COOPERATIVE_CO_OP", "JOINT_VENTURE", "NONPROFIT"]

# Id of an event.
EventId = str

# What happened. More may follow.
EventType = Literal["organization.created", "organization.updated", "organization.archived", "onboarding.step_completed", "onboarding.updated", "onboarding.completed", "onboarding.cancelled", "onboarding.expired", "onboarding.failed", "onboarding.reminder", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.replacement_due", "product.created", "product.updated", "product.archived", "customer.created", "customer.updated", "exemption.created", "exemption.updated", "exemption.expiring", "exemption.expired", "transaction.created", "transaction.updated", "transaction.processed", "transaction.needs_attention", "transaction.locked", "transaction.archived", "credit_note.created", "credit_note.updated", "credit_note.processed", "physical_nexus.created", "physical_nexus.updated", "physical_nexus.deleted", "nexus.status_changed", "nexus.disregarded", "nexus.undisregarded", "registration.created", "registration.updated", "registration.registered", "registration.deregistered", "registration.cancelled", "filing.created", "filing.updated", "filing.ready_for_approval", "filing.approved", "filing.filed", "filing.paused", "filing.resumed", "filing.skipped", "filing.cancelled", "filing.issue", "filing.due_soon", "filing.overdue", "notice.created", "notice.updated", "content.activated", "webhook_endpoint.disabled", "test.ping"]

# Amount of money that is not rounded, with as many decimals as it needs.
ExactAmount = Decimal

# Whose people decide: those of the organization, of its partner under the grant, or of the operator.
ExceptionDecider = Literal["ORGANIZATION", "PARTNER", "STAFF"]

# What needs a person.
ExceptionType = Literal["TRANSACTION_UNRESOLVED", "FILING_ISSUE", "FILING_TO_APPROVE", "FILING_OVERDUE", "FILING_WAITING", "REGISTRATION_WAITING", "IMPORT_FAILED", "ONBOARDING_STUCK", "NEXUS_UNREGISTERED", "WEBHOOK_DISABLED", "REFUND_TO_CLAIM", "NOTICE_OPEN"]

# How much of a transaction is exempt from tax.
ExemptStatus = Literal["NOT_EXEMPT", "PARTIALLY_EXEMPT", "FULLY_EXEMPT", "ZERO_RATE_NOT_EXEMPT"]

# Whether exempt sales count. DEPENDS leaves out sales for resale; INCLUDE_IF_PRESENCE counts them with physical nexus only; YES_SALES_NO_TRANSACTIONS counts their amount and not their number.
ExemptTreatment = Literal["INCLUDED", "EXCLUDED", "DEPENDS", "INCLUDE_IF_PRESENCE", "YES_SALES_NO_TRANSACTIONS"]

# Why a buyer or a sale is exempt, in the words of returns.
ExemptionCategory = Literal["AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "RESALE", "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL", "FOREIGN_DIPLOMAT", "OTHER"]

# Id of an exemption.
ExemptionId = str

# Status of an exemption.
ExemptionStatus = Literal["ACTIVE", "INACTIVE", "EXPIRED", "DEACTIVATED", "ARCHIVED"]

# `customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction.
ExemptionType = Literal["customer", "wholesale", "transaction"]

# Id of an entry of a filing.
FilingEntryId = str

# Kind of an entry. PURCHASE: own purchases without tax; WITHDRAWAL: goods taken from stock; ACQUISITION: bought from another country; EXCESS_TAX: collected above the law in no transaction; NEW_PREPAYMENT: paid with this return for the next period; PRIOR_PAYMENT: paid elsewhere for this period; CREDIT: granted by the authority; BAD_DEBT: tax on sales that were never paid; INPUT_TAX: tax on purchases that is given back; INTEREST and PENALTY.
FilingEntryKind = Literal["PURCHASE", "WITHDRAWAL", "ACQUISITION", "EXCESS_TAX", "NEW_PREPAYMENT", "PRIOR_PAYMENT", "CREDIT", "BAD_DEBT", "INPUT_TAX", "INTEREST", "PENALTY"]

# How often returns are filed.
FilingFrequency = Literal["UNKNOWN", "MONTHLY", "QUARTERLY", "SEMI_ANNUALLY", "ANNUALLY", "ANNUAL_FISCAL_YEAR", "SEMI_MONTHLY", "BI_MONTHLY", "FOUR_MONTHLY", "QUARTERLY_PREPAYMENT"]

# How often returns are filed. `ANNUAL` means `ANNUALLY`.
FilingFrequencyInput = Literal["UNKNOWN", "MONTHLY", "QUARTERLY", "SEMI_ANNUALLY", "ANNUALLY", "ANNUAL", "ANNUAL_FISCAL_YEAR", "SEMI_MONTHLY", "BI_MONTHLY", "FOUR_MONTHLY", "QUARTERLY_PREPAYMENT"]

# Id of a filing.
FilingId = str

# Status of a filing.
FilingStatus = Literal["UNFILED", "FILING", "FILED", "PAUSED", "ISSUE", "SKIPPED", "CANCELLED"]

# What a partner may do for a client after its onboarding.
GrantRole = Literal["approver", "preparer", "as_before"]

# What a partner may do for a client now.
GrantedRole = Literal["admin", "approver", "preparer", "as_before"]

# Id of an import.
ImportId = str

# What the jurisdiction is: a state, a province, a whole country, or the European Union.
JurisdictionKind = Literal["STATE", "PROVINCE", "COUNTRY", "UNION"]

# Level of a taxing jurisdiction.
JurisdictionType = Literal["COUNTRY", "FEDERAL", "STATE", "COUNTY", "CITY", "SPECIAL", "OTHER", "HYBRID"]

# Amount of money with exactly 2 decimals.
Money = Decimal

# Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit.
Money18 = Decimal

# Amount of money: a number or a decimal string with at most 18 digits before the point and 2 after it.
Money18Input = DecimalInput

# The same, or null, which clears the field.
Money18InputOrNull = Optional[DecimalInput]

# Amount of money: a number or a decimal string with at most 10 digits before the point and 2 after it.
MoneyInput = DecimalInput

# The same, or null, which clears the field.
MoneyInputOrNull = Optional[DecimalInput]

# Id of a nexus record.
NexusId = str

# Kind of nexus.
NexusKind = Literal["ECONOMIC", "PHYSICAL", "COLLECTED_TAX"]

# Over which period sales are added up.
NexusPeriodModel = Literal["CURRENT_OR_PREVIOUS", "CALENDAR_YEAR", "PRECEDING_YEAR", "PREVIOUS_12_MONTHS", "PREVIOUS_4_QUARTERS", "PREVIOUS_4_QUARTERS_OFFSET", "PRECEDING_YEAR_QUARTERLY", "PRECEDING_YEAR_QUARTERLY_OFFSET", "PRECEDING_YEAR_FROM_OCTOBER"]

# Whether the record says what is known by now. NOT_READY was never evaluated; NEEDS_RERUN is evaluated within a second.
NexusProcessingStatus = Literal["NOT_READY", "UP_TO_DATE", "NEEDS_RERUN"]

# How one registers there.
NexusRegime = Literal["STANDARD", "SIMPLIFIED"]

# How far nexus is.
NexusStatus = Literal["NOT_EXPOSED", "APPROACHING", "PENDING_REGISTRATION", "EXPOSED", "REGISTERED"]

# Kind of nexus rule. STATE is also that of provinces and of countries outside Canada and the European Union; `jurisdiction_kind` tells them apart.
NexusType = Literal["STATE", "CANADA_FEDERAL", "EU_AGGREGATOR", "EU_MEMBER_STATE"]

# Id of a letter of a notice.
NoticeDocumentId = str

# Id of a notice.
NoticeId = str

# What the authority writes about. ASSESSMENT is tax that it has set itself, FREQUENCY_CHANGE that returns are due for other periods.
NoticeKind = Literal["ASSESSMENT", "PENALTY", "INFORMATION_REQUEST", "RATE_CHANGE", "FREQUENCY_CHANGE", "REFUND", "OTHER"]

# How far people are with the notice. OPEN and IN_PROGRESS need an answer.
NoticeStatus = Literal["OPEN", "IN_PROGRESS", "ANSWERED", "CLOSED"]

# Numbers in the console, as they are shown and typed: `COMMA` is 1,234.50, `SPACE` is 1 234.50, `APOSTROPHE` is 1'234.50, `NONE` is 1234.50, `POINT` is 1.234,50, `SPACE_COMMA` is 1 234,50. The API itself has 1234.50.
NumberFormat = Literal["COMMA", "SPACE", "APOSTROPHE", "NONE", "POINT", "SPACE_COMMA"]

# Where the onboarding of an organization stands.
OnboardingStatus = Literal["NOT_STARTED", "IN_PROGRESS", "COMPLETED", "CANCELLED", "EXPIRED", "FAILED"]

# Where a step stands.
OnboardingStepStatus = Literal["PENDING", "IN_PROGRESS", "COMPLETED", "COMPENSATING", "COMPENSATED"]

# Id of an organization.
OrganizationId = str

# How an organization came to the service.
OrganizationSource = Literal["PARTNER", "SEARCH", "REFERRAL", "UNKNOWN"]

# Status of an organization.
OrganizationStatus = Literal["ACTIVE", "ARCHIVED"]

# Kind of a registration for the European one-stop shop.
OssScheme = Literal["UNION", "NON_UNION"]

# Scheme of the one-stop shop of the European Union.
OssType = Literal["UNION", "NON_UNION"]

# Percentage: a number or a decimal string with at most 3 digits before the point and 2 after it.
PercentInput = DecimalInput

# The same, or null, which clears the field.
PercentInputOrNull = Optional[DecimalInput]

# Kind of presence.
PhysicalNexusCategory = Literal["PHYSICAL_BUSINESS_LOCATION", "OWN_LEASE_A_PROPERTY", "WAREHOUSE_AND_INVENTORY_PRESENCE", "INVENTORY", "CONSIGNMENT_STOCK_ARRANGEMENTS", "TELECOMMUTING_OR_REMOTE_EMPLOYEE", "IN_STATE_SALES_PERSON", "INDEPENDENT_CONTRACTOR_OR_THIRD_PARTY_SALES_PERSON", "EMPLOYEES_AGENTS_CONTRACTORS", "WARRANTY_AND_REPAIR_SERVICES", "ON_SITE_INSTALLATION_MAINTENANCE_SERVICES", "PERFORMING_SERVICES_IN_THE_JURISDICTION", "CATALOGUE_DISTRIBUTION_OR_ADVERTISING_MATERIAL", "DELIVERY_BY_COMMON_CARRIER", "DELIVERY_BY_OWN_VEHICLES", "DELIVERY_USING_COMPANY_VEHICLES", "OWN_BUSINESS_INFRASTRUCTURE_AND_EQUIPMENT", "SERVERS_DATA_CENTERS", "DIGITAL_INFRASTRUCTURE_LOCALIZED", "MANUFACTURING_FACILITIES", "MANUFACTURE_OR_PRODUCTION_IN_CANADA", "TRADE_SHOW_PRESENCE", "TRADE_SHOW_PRESENCE_WITHOUT_SALES", "FREQUENT_PARTICIPATION_IN_TRADE_SHOWS_EVENTS", "PERMANENT_ESTABLISHMENT", "ENTER_CONTRACTS_WITH_LOCALS"]

# Id of a physical nexus.
PhysicalNexusId = str

# How far the service is with a transaction. QUEUED when accepted, PROCESSED when tax is calculated, NEEDS_REFETCH when something is missing.
ProcessingStatus = Literal["NEW", "UPDATED", "QUEUED", "ADDRESS_DONE", "EXEMPT_DONE", "NEXUS_DONE", "PROCESSED", "FILING_STARTED", "FILING_DONE", "LOCKED", "PENDING", "ARCHIVED", "NEEDS_REFETCH", "EXCLUDED_IN_CALCULATION"]

# Where the tax class of a product comes from. AUTO_DEFAULT for the products the service created by itself.
ProductClassification = Literal["SUBCATEGORY", "CATEGORY_DEFAULT", "AUTO_DEFAULT"]

# Id of a product.
ProductId = str

# Status of a product. All of them may be referenced.
ProductStatus = Literal["APPROVED", "PARTIALLY_APPROVED", "PENDING", "ARCHIVED"]

# Quantity with at least 1 and at most 9 decimals.
Quantity = Decimal

# Quantity: a number or a decimal string with at most 12 digits before the point and 9 after it, 19 digits in all.
QuantityInput = DecimalInput

# Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`.
Rate = Decimal

# Tax rate as a fraction (8.25 % is 0.0825): a number or a decimal string with at most 3 digits before the point and 9 after it.
RateInput = DecimalInput

# The same, or null, which clears the field.
RateInputOrNull = Optional[DecimalInput]

# Id of a rate that the organization set.
RateOverrideId = str

# Id of a recorded payment of a filing.
RecordedPaymentId = str

# How a payment was made. DEBIT: the authority drew it; CREDIT: the bank of the organization sent it, such as by a bank file; PORTAL: at the site of the authority.
RecordedPaymentMethod = Literal["DEBIT", "CREDIT", "WIRE", "PORTAL", "CARD", "CHECK", "OTHER"]

# How much of a sale has been credited.
RefundStatus = Literal["FULLY_REFUNDED", "PARTIALLY_REFUNDED"]

# Id of a registration.
RegistrationId = str

# Where a registration is made.
RegistrationImportType = Literal["REGULAR", "OSS", "SST"]

# Regime of a registration.
RegistrationRegime = Literal["STANDARD", "SIMPLIFIED"]

# Status of a registration. `/v1/meta/state-machines` lists the transitions.
RegistrationStatus = Literal["UNREGISTERED", "PROCESSING", "VALIDATING", "AWAITING_CLARIFICATION", "REGISTERED", "DEREGISTERING", "DEREGISTERED", "CANCELLED"]

# Who bears a discount. What a manufacturer or another third party reimburses to the seller lowers the taxed price only where the law says so.
ReimbursedBy = Literal["SELLER", "MANUFACTURER", "THIRD_PARTY"]

# A report.
ReportName = Literal["LIABILITY", "EXEMPT_SALES", "ROUNDING", "PRODUCTS", "CUSTOMERS", "FILINGS", "NEXUS", "TAXABILITY"]

# Role of a person in an organization. `viewer` reads; `preparer` also corrects transactions, registrations, exemptions, imports and prepares filings; `approver` also approves, skips, cancels and retries filings; `admin` also manages people, keys, settings and the onboarding of clients.
Role = Literal["viewer", "preparer", "approver", "admin"]

# What is rounded once: TAX_PER_LINE, each tax on a line; TAX_PER_DOCUMENT, each tax on the whole document; JURISDICTION_PER_LINE, each jurisdiction on a line.
RoundingUnit = Literal["TAX_PER_LINE", "JURISDICTION_PER_LINE", "TAX_PER_DOCUMENT"]

# Which threshold counts: the amount, the number, one of the two, or both.
SalesOrTransactions = Literal["SALES", "TRANSACTIONS", "EITHER", "BOTH"]

# Id of a view.
SavedViewId = str

# `filings` is `GET /v1/due_filings`, `exceptions` `GET /v1/exceptions`, `transactions` `GET /v1/transactions`, `clients` `GET /v1/onboardings`.
SavedViewOf = Literal["filings", "exceptions", "transactions", "clients"]

# Kind of a record that was found.
SearchResultType = Literal["ORGANIZATION", "TRANSACTION", "FILING", "REGISTRATION", "CUSTOMER", "PRODUCT"]

# Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured.
Source = str

# The same, or null, which clears the field.
SourceOrNull = Optional[str]

# Whether a sale is taxed where it is delivered or where it starts.
SourcingRule = Literal["DESTINATION", "ORIGIN"]

# Role of a person of the operator. `auditor` reads every organization but no personal data; `operator` may do what an approver may, for every organization.
StaffRole = Literal["auditor", "operator"]

# What is sold, as far as tax law cares. NOT_TAXABLE is never taxed. The set is open. Where a place has no rule for a finer class, that of a coarser one holds.
TaxClass = Literal["PHYSICAL", "CLOTHING", "CLOTHING_CHILD", "FOOD", "PREPARED_FOOD", "DRUGS_RX", "BOOK", "DIGITAL", "SAAS", "SOFTWARE_DOWNLOAD", "SERVICE", "SHIPPING", "NOT_TAXABLE", "CANDY", "SOFT_DRINK", "BOTTLED_WATER", "SUPPLEMENT", "DRUGS_OTC", "MEDICAL_DEVICE", "FEMININE_HYGIENE", "DIAPER", "NEWSPAPER", "PERIODICAL", "ALCOHOL", "TOBACCO", "CANNABIS", "RENTAL_GOODS", "EBOOK", "AUDIO_VIDEO", "STREAMING", "DIGITAL_NEWS", "SAAS_B2B", "SAAS_B2C", "IAAS", "SOFTWARE_CUSTOM", "DATA_PROCESSING", "REPAIR", "INSTALLATION", "MAINTENANCE_PLAN", "LANDSCAPING", "CLEANING", "CONSTRUCTION", "SECURITY", "ADVERTISING", "PROFESSIONAL", "MEDICAL", "PERSONAL_CARE", "FITNESS", "EDUCATION", "ADMISSION", "TELECOM", "LODGING", "RENTAL_VEHICLE", "UTILITY", "GRATUITY", "HANDLING", "MOTOR_VEHICLE", "MOTOR_FUEL", "PET_FOOD", "CLOTHING_ACCESSORY", "SPORTS_CLOTHING", "FUR_CLOTHING", "PROSTHETIC", "EYEGLASSES", "HEARING_AID", "MOBILITY_AID", "INSULIN", "VETERINARY_DRUG", "ADULT_DIAPER", "BULLION", "BEER", "WINE", "SPIRITS", "CIGARETTE", "CIGAR", "VAPOUR", "SOFTWARE_SUPPORT", "DIGITAL_COURSE", "ONLINE_GAME", "WEB_HOSTING", "WEB_DESIGN", "IT_SUPPORT", "INFORMATION", "INTERNET_ACCESS", "PREPAID_PHONE", "PAY_TV", "LODGING_LONG", "CAMPGROUND", "HOME_ENERGY", "HEATING_FUEL", "WATER_SUPPLY", "PARKING", "TOWING", "CAR_WASH", "LAUNDRY", "PEST_CONTROL", "PHOTOGRAPHY", "STAFFING", "VETERINARY", "PET_CARE", "SELF_STORAGE", "MOVING", "TANNING", "MASSAGE", "TATTOO", "WASTE", "INTERIOR_DESIGN", "SNOW_REMOVAL", "POOL_CLEANING", "EVENT_PLANNING", "CREDIT_REPORT", "DEBT_COLLECTION", "PHONE_ANSWERING", "LIMOUSINE", "CHILD_CARE", "FUNERAL", "LEGAL", "ACCOUNTING", "ENGINEERING", "CONSULTING"]

# How precisely the place of the tax was found.
TaxCompleteness = Literal["STREET", "ZIP9", "ZIP5", "CITY", "STATE", "COUNTRY", "NONE"]

# How sure the least sure row is that the tax rests on. LOW where there is no rule for a line.
TaxConfidence = Literal["HIGH", "MED", "LOW"]

# Why a line is not taxed.
TaxExemption = Literal["PRODUCT", "TRANSACTION", "CUSTOMER", "WHOLESALE", "REGION", "REVERSE_CHARGE", "ZERO_RATE_TAX", "HIGH_VALUE_PHYSICAL_GOODS", "EXPORT", "ZERO_VALUE_ITEM", "NO_RULE_FOUND", "IMPORTED", "ZERO_RATE_NOT_EXEMPT"]

# IMPORTED lines come from the merchant, CALCULATED lines from the service.
TaxItemType = Literal["IMPORTED_ORIGINAL", "IMPORTED", "CALCULATED"]

# Whether the tax owed is the calculated or the collected one.
TaxLiabilitySource = Literal["CALCULATED", "COLLECTED"]

# Why a tax line is as it is.
TaxReason = Literal["RULE_FOUND_TAXABLE", "RULE_FOUND_NOT_TAXABLE", "RULE_FOUND_TAXABLE_ZERO_RATE", "BELOW_THRESHOLD", "TAX_HOLIDAY", "PRODUCT_EXEMPT", "CUSTOMER_EXEMPT", "TRANSACTION_EXEMPT", "REVERSE_CHARGE", "EXPORT", "RULE_EXCLUDED_IN_CALCULATION", "NO_RULE_FOUND", "FROM_IMPORT"]

# Colours of the console. `SYSTEM` follows the browser.
Theme = Literal["SYSTEM", "LIGHT", "DARK"]

# A CSV file with a header row and a row for each line of a transaction.
TransactionFile = str

# Id of a transaction, sale or credit note.
TransactionId = str

# What a file has: transactions, or amounts that returns get as entries.
TransactionImportKind = Literal["TRANSACTIONS", "FILING_ENTRIES"]

# State of an import.
TransactionImportStatus = Literal["QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]

# Something that happened to a transaction.
TransactionStage = Literal["ACCEPTED", "UPDATED", "QUEUED", "ADDRESS_DONE", "EXEMPT_DONE", "NEXUS_DONE", "PROCESSED", "PENDING", "NEEDS_REFETCH", "EXCLUDED_IN_CALCULATION", "FILING_STARTED", "FILING_DONE", "LOCKED", "RELEASED", "ARCHIVED", "CREDIT_NOTE_ADDED", "CREDIT_NOTE_CHANGED", "FAILED", "REPROCESS"]

# Commercial status of a transaction.
TransactionStatus = Literal["PENDING", "COMMITTED", "CANCELLED", "FULLY_REFUNDED", "PARTIALLY_REFUNDED", "INVALID", "ARCHIVED"]

# SALE: an ordinary sale. FULL_CREDIT_NOTE and PARTIAL_CREDIT_NOTE: a credit on the sale named in `related_to`; which of the two it is follows from the amounts. TAX_REFUND: refund of tax only. ARCHIVE: stored and never processed.
TransactionType = Literal["SALE", "FULL_CREDIT_NOTE", "PARTIAL_CREDIT_NOTE", "TAX_REFUND", "ARCHIVE"]

# Id of a person.
UserId = str

# INVITED: no password was set yet.
UserStatus = Literal["INVITED", "ACTIVE", "DISABLED"]

# Id of a delivery.
WebhookDeliveryId = str

# What became of an event: `PENDING` waits for an attempt, `FAILED` has had all of them.
WebhookDeliveryStatus = Literal["PENDING", "DELIVERED", "FAILED"]

# Id of a webhook endpoint.
WebhookEndpointId = str

# Whether events are sent to the endpoint.
WebhookEndpointStatus = Literal["ENABLED", "DISABLED"]

# A type of events, all types with a prefix, or all.
WebhookEventSelector = Literal["*", "organization.*", "onboarding.*", "api_key.*", "product.*", "customer.*", "exemption.*", "transaction.*", "credit_note.*", "physical_nexus.*", "nexus.*", "registration.*", "filing.*", "notice.*", "content.*", "webhook_endpoint.*", "test.*", "organization.created", "organization.updated", "organization.archived", "onboarding.step_completed", "onboarding.updated", "onboarding.completed", "onboarding.cancelled", "onboarding.expired", "onboarding.failed", "onboarding.reminder", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.replacement_due", "product.created", "product.updated", "product.archived", "customer.created", "customer.updated", "exemption.created", "exemption.updated", "exemption.expiring", "exemption.expired", "transaction.created", "transaction.updated", "transaction.processed", "transaction.needs_attention", "transaction.locked", "transaction.archived", "credit_note.created", "credit_note.updated", "credit_note.processed", "physical_nexus.created", "physical_nexus.updated", "physical_nexus.deleted", "nexus.status_changed", "nexus.disregarded", "nexus.undisregarded", "registration.created", "registration.updated", "registration.registered", "registration.deregistered", "registration.cancelled", "filing.created", "filing.updated", "filing.ready_for_approval", "filing.approved", "filing.filed", "filing.paused", "filing.resumed", "filing.skipped", "filing.cancelled", "filing.issue", "filing.due_soon", "filing.overdue", "notice.created", "notice.updated", "content.activated", "webhook_endpoint.disabled", "test.ping"]

# How messages are signed: `v1` by a secret that both sides know (HMAC-SHA256), `v1a` by a key of which you have the public half (ed25519).
WebhookSignatureScheme = Literal["v1", "v1a"]

# Day of the week of the digest, in the time zone of the person.
Weekday = Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]


class AddressBeginning(TypedDict):
    """The beginning of an address. At least one part is needed; ZIP and city are what places are found by."""

    city: NotRequired[str]
    """Beginning of the city."""
    country: NotRequired[CountryCode]
    """Country, US unless sent."""
    county: NotRequired[str]
    """Beginning of the county."""
    full_address: NotRequired[str]
    """The beginning as one text. Read only when city, state, county and ZIP are empty."""
    line1: NotRequired[str]
    """Street and number. Not needed."""
    line2: NotRequired[str]
    """Further address line. Not needed."""
    line3: NotRequired[str]
    """Further address line. Not needed."""
    postalCode: NotRequired[str]
    """Beginning of the ZIP."""
    postal_code: NotRequired[str]
    """Same as postalCode, which goes before it."""
    state: NotRequired[str]
    """State, code or name."""


class AddressFound(TypedDict):
    """The corrected address. A part that is not known is null."""

    city: Optional[str]
    """City."""
    country: Optional[str]
    """Code of the country."""
    county: Optional[str]
    """County."""
    full_address: Optional[str]
    """The parts in one line."""
    postal_code: Optional[str]
    """Postal code."""
    state: Optional[str]
    """Code of the state or province."""
    street_1: Optional[str]
    """Street and number, as sent."""
    street_2: Optional[str]
    """Further address line, as sent."""


class AddressMatch(TypedDict):
    """What an address may mean."""

    address_submitted: AddressSearch
    """The parts as sent."""
    ambiguous: bool
    """The address fits several sets of jurisdictions."""
    enrich_fields: List[str]
    """Names of the parts of response_address that were filled or changed."""
    jurisdictions: List[Jurisdiction]
    """Those that tax there."""
    resolution: AddressResolution
    """Precision with which a place is known."""
    response_address: AddressFound
    """The corrected address. A part that is not known is null."""
    verification_status: AddressStatus
    """UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part."""


class AddressSearch(TypedDict):
    """An address to be checked. At least one part is needed."""

    city: NotRequired[str]
    """City."""
    country: NotRequired[CountryCode]
    """Country. When absent, US if the state is a US state and the postal code looks like a ZIP code."""
    county: NotRequired[str]
    """County."""
    full_address: NotRequired[str]
    """The whole address as one text. Read only when all other parts are empty."""
    phone: NotRequired[str]
    """Telephone number: 7 to 15 digits, with `+ - ( ) .` and spaces. Returned as sent."""
    postal_code: NotRequired[str]
    """Postal code."""
    state: NotRequired[str]
    """State or province, code or name."""
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""


class AddressSuggestion(TypedDict):
    """A place."""

    city: str
    """City."""
    country: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: str
    """County."""
    postal_code: str
    """ZIP."""
    state: str
    """Code of the state."""


class AddressSuggestionList(TypedDict):
    """All suggestions on one page."""

    items: List[AddressSuggestion]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class Alarm(TypedDict):
    """An alarm whose condition is true."""

    after: str
    """For how long the condition has to be true until the alarm fires, as Prometheus says it, such as `10m`."""
    entry: str
    """The entry itself, in Markdown."""
    name: str
    """Its name in the rules for Prometheus."""
    runbook: str
    """Where its entry of the runbook is."""
    severity: Literal["page", "ticket"]
    """`page` is for now, `ticket` for today."""
    summary: str


class AmendedTotals(TypedDict):
    """What the return of the period should have been, by an amendment and everything that was filed before it. The sums of the filing itself are the differences."""

    amount_calculated: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_sales: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_tax_collected: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    previously_paid: Money18
    """What the authority has for them, without fees and penalties: paid, prepaid and credit taken off, less the credit that they left as far as another return has taken it."""
    previously_reported_liability: Money18
    """Liability of the return and its FILED amendments."""
    total_tax_liability: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    total_taxable_sales: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""


class AmendmentCause(TypedDict):
    """How many transactions came too late for the return of their period, and why."""

    reason: Literal["LATE", "CHANGED", "CREDIT_NOTE"]
    """`LATE` was posted too late, `CHANGED` was changed into the period, `CREDIT_NOTE` gives something back."""
    transactions: int


class ApiKey(TypedDict):
    """An API key record. The key itself is part of it only in the answer that created it."""

    allowed_addresses: List[str]
    """Addresses and networks from which the key may be used, as CIDR; none: from everywhere."""
    api_key: NotRequired[str]
    """The key. Shown once; store it safely."""
    api_key_id: ApiKeyId
    """Equal to `id`."""
    confirmed: bool
    """The key has been used at least once."""
    created_at: str
    expires_at: Optional[str]
    expires_at_seconds: Optional[int]
    """The same instant as Unix seconds."""
    granted: bool
    """The partner made the key under its grant for the client. The key ends with the grant, and does no more than the grant."""
    id: ApiKeyId
    """Id of an API key record."""
    last4: str
    """Last 4 characters of the key."""
    last_used_at: Optional[str]
    """Last use, to the minute."""
    made_by: Optional[str]
    """Id of the key, person or onboarding link that made this key; null where that is not known."""
    maker_ended_at: Optional[str]
    """When the maker was revoked or removed. A key that is still active then waits for your decision."""
    metadata: Dict[str, Any]
    """Values of your own, numbers to the last digit as they were sent."""
    name: Optional[str]
    organization_id: OrganizationId
    """Id of an organization."""
    prefix: str
    """First 14 characters of the key."""
    revoked_at: Optional[str]
    rotated_to: Optional[str]
    """Key that replaces this one."""
    scopes: List[ApiKeyScope]
    """What the key may be used for."""
    secret_available: bool
    """True exactly when `api_key` is present."""
    status: ApiKeyStatus
    """Status of an API key."""


class ApiKeyCreate(TypedDict):
    """A key to be created. All fields are optional."""

    allowed_addresses: NotRequired[List[str]]
    """The key may be used from these addresses and networks alone (CIDR, such as `203.0.113.0/24`), as a trusted proxy says them; a call from elsewhere is 403 `forbidden_for_key`. Absent means those of the key of this call, for others everywhere."""
    expires_at: NotRequired[str]
    """When the key ends, in the future. Not together with `expires_at_seconds`."""
    expires_at_seconds: NotRequired[int]
    """When the key ends, as Unix seconds. Not together with `expires_at`."""
    metadata: NotRequired[Dict[str, Any]]
    """Values of your own, at most 4 KiB."""
    name: NotRequired[str]
    """Name to recognise the key by."""
    scopes: NotRequired[List[ApiKeyScope]]
    """What the key may be used for; absent means all that the key of this call may be used for, for a person all."""


class ApiKeyEnd(TypedDict):
    """How an API key is revoked."""

    leaked: NotRequired[bool]
    """The key may be in wrong hands, so all keys that follow from it are revoked too."""


class ApiKeyList(TypedDict):
    """A page of API key records."""

    items: List[ApiKey]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class ApiKeyRotate(TypedDict):
    """How an API key is replaced."""

    overlap_seconds: NotRequired[int]
    """How long the old key goes on working, at most a week."""


class ApiKeyUpdate(TypedDict):
    """Changes of a key record. Absent fields stay, `null` clears a field."""

    allowed_addresses: NotRequired[Optional[List[str]]]
    """Addresses and networks from which the key may be used, in place of the others; null or none: from everywhere."""
    expires_at: NotRequired[Optional[str]]
    """When the key ends, in the future; null for a key without end. Where `expires_at_seconds` is sent too, the one that is changed counts."""
    expires_at_seconds: NotRequired[Optional[int]]
    """When the key ends, as Unix seconds. Where `expires_at` is sent too, the one that is changed counts."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Values of your own, at most 4 KiB."""
    name: NotRequired[Optional[str]]
    """Name to recognise the key by."""


class AuditActor(TypedDict):
    """Who changed it."""

    id: Optional[str]
    """The id of the key or of the person, or the name of the person of the operator; null for the service."""
    name: NotRequired[str]
    """Name of the person with a session at that time, or of the key as it is now."""
    type: Literal["API_KEY", "USER", "STAFF", "SERVICE"]
    """`API_KEY` is a request with a key, `USER` a person with a session, `STAFF` a person of the operator by a command or from the Temporal UI, `SERVICE` the service by itself."""


class AuditEntry(TypedDict):
    """One change of one record, or one export or read of personal data."""

    action: str
    """What was done, such as create, update, archive, revoke, rotate, delete, pause, resume, cancel, expire, remind, undo, export or read. More may follow."""
    actor: AuditActor
    """Who changed it."""
    at: str
    """When it was changed."""
    changes: Dict[str, Any]
    """What changed: `fields` are the names of changed fields. A member with the name of a field has its value before, `from`, and after, `to`: a status, a code, a day or an amount. Values that may be personal data, secrets, bank or tax numbers are never written. Further members, such as the states `from` and `to` of a filing, depend on the action. Empty where the action says it all."""
    object_id: str
    """The record."""
    object_name: NotRequired[str]
    """What people call the record, as it is now: the number of a transaction, the place and period of a filing, the name of a customer. Absent for one without a name, and for one that is gone."""
    object_type: str
    """Kind of the record, such as transaction, filing, registration, product, customer, api_key or organization_settings. More may follow."""
    request_id: Optional[str]
    """The request that did it, `X-Request-Id` of its answer; null when no request did."""


class AuditEntryList(TypedDict):
    """A page of the audit trail."""

    items: List[AuditEntry]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class AuthorityConnection(TypedDict):
    """The access of Levy to an authority in the name of an organization."""

    address: Optional[str]
    """In the answer to `BEGIN`: where the person grants access. Of a sandbox it is a path of this service."""
    authority: ConnectedAuthority
    """An authority that takes returns by a grant of access. `hmrc`: HM Revenue and Customs."""
    ends_at: Optional[str]
    """When it ends."""
    granted_at: Optional[str]
    """`null` where nothing is granted."""
    granted_by: Optional[str]
    """Name of the person who granted it."""
    status: Literal["NOT_CONNECTED", "CONNECTED", "ENDING", "ENDED"]
    """`NOT_CONNECTED`: no person has granted access, or it was ended. `ENDING`: within 30 days. `ENDED`: the authority renews it no more."""


class AuthorityConnectionChange(TypedDict):
    """A step of granting or ending access."""

    action: Literal["BEGIN", "FINISH", "END"]
    """The step."""
    authority: ConnectedAuthority
    """An authority that takes returns by a grant of access. `hmrc`: HM Revenue and Customs."""
    code: NotRequired[str]
    """Of `FINISH`: as it came back."""
    error: NotRequired[str]
    """Of `FINISH`, instead of `code`: as it came back."""
    state: NotRequired[str]
    """Of `FINISH`: as it came back."""


class AuthorityConnectionList(TypedDict):
    """The connections of an organization."""

    items: List[AuthorityConnection]


class BankDetails(TypedDict):
    """The account of an organization, its numbers masked."""

    account_holder_name: Optional[str]
    """Name of the account holder. One that differs from `business_name` gives the warning `account_holder_mismatch`."""
    account_number: Optional[str]
    """Account number, 4 to 17 digits. Answered masked."""
    account_type: Optional[str]
    """Kind of account."""
    bank_name: Optional[str]
    """Name of the bank."""
    created_at: str
    id: str
    """Id of the bank details."""
    onboarding: Onboarding
    """How far the onboarding of an organization is."""
    organization_id: OrganizationId
    """Id of an organization."""
    routing_number: Optional[str]
    """ABA routing number, 9 digits with a valid check digit. Answered masked."""
    updated_at: str
    warnings: List[Warning]
    """What should be looked at; empty when read."""


class BankDetailsUpdate(TypedDict):
    """Step 8: the account. The numbers are stored encrypted and answered masked."""

    account_holder_name: str
    """Name of the account holder. One that differs from `business_name` gives the warning `account_holder_mismatch`."""
    account_number: str
    """Account number, 4 to 17 digits. Answered masked."""
    account_type: BankAccountType
    """Kind of account."""
    bank_name: NotRequired[Optional[str]]
    """Name of the bank."""
    routing_number: str
    """ABA routing number, 9 digits with a valid check digit. Answered masked."""


class BusinessAddressUpdate(TypedDict):
    """Step 4: where the company is. The address is checked; one that cannot be verified gives a warning."""

    business_name: NotRequired[Optional[str]]
    """Name of the business."""
    company_address_1: NotRequired[Optional[str]]
    """Street."""
    company_address_2: NotRequired[Optional[str]]
    """Second line of the street."""
    company_city: NotRequired[Optional[str]]
    """City. Required unless sent before."""
    company_city_is_unincorporated: NotRequired[Optional[bool]]
    """The place is outside of city limits, false unless sent."""
    company_country_code: NotRequired[CountryCodeOrNull]
    """Country. Required unless sent before."""
    company_postal_code: NotRequired[Optional[str]]
    """Postal code. Required for US and CA unless sent before."""
    company_state: NotRequired[Optional[str]]
    """State or province, as code or name. Required for US and CA unless sent before."""


class BusinessContactUpdate(TypedDict):
    """Step 6: the person to talk to. Personal numbers are stored encrypted and answered masked; a masked value sent back keeps what is stored."""

    business_contact_address_1: str
    """Street of the contact."""
    business_contact_address_2: NotRequired[Optional[str]]
    """Second line of the street."""
    business_contact_city: str
    """City of the contact."""
    business_contact_country_code: CountryCode
    """Country of the contact."""
    business_contact_dl: NotRequired[Optional[str]]
    """Driver's licence: letters, digits and dashes. Answered masked."""
    business_contact_dob: str
    """Date of birth. Answered as the year."""
    business_contact_email: str
    """E-mail address of the contact."""
    business_contact_name: str
    """Name of the contact."""
    business_contact_phone: str
    """Telephone number of the contact."""
    business_contact_postal_code: NotRequired[Optional[str]]
    """Postal code. Required for US and CA."""
    business_contact_ssn: NotRequired[Optional[str]]
    """SSN or ITIN, 9 digits, dashes allowed. Required for contacts in the US. Answered masked."""
    business_contact_state: NotRequired[Optional[str]]
    """State or province. Required for US and CA."""
    business_contact_title: NotRequired[Optional[str]]
    """Title of the contact."""


class BusinessDetailsUpdate(TypedDict):
    """Step 3: what the company is. Absent fields stay, `null` clears a field to its default."""

    auto_file: NotRequired[Optional[bool]]
    """Approve filings by timer, false unless sent."""
    auto_register: NotRequired[Optional[bool]]
    """Create registrations where nexus is met, false unless sent."""
    business_description: NotRequired[Optional[str]]
    """What the company does."""
    business_name: NotRequired[Optional[str]]
    """Name of the business; the name of the organization unless sent."""
    company_address_1: NotRequired[Optional[str]]
    """Street of the company."""
    company_address_2: NotRequired[Optional[str]]
    """Second line of the street."""
    company_city: NotRequired[Optional[str]]
    """City of the company."""
    company_country_code: CountryCode
    """Country of the company."""
    company_postal_code: NotRequired[Optional[str]]
    """Postal code of the company."""
    company_state: NotRequired[Optional[str]]
    """State or province of the company, as code or name."""
    dba: NotRequired[Optional[str]]
    """Name under which the company does business."""
    ein: NotRequired[Optional[str]]
    """Employer identification number, `NN-NNNNNNN` or 9 digits."""
    entity_type: EntityType
    """Legal form."""
    first_operations_date: NotRequired[Optional[str]]
    """First day of business, not in the future."""
    home_state_registration: NotRequired[Optional[str]]
    """Registration number in the home state."""
    incorporation_country: CountryCode
    """Country of incorporation."""
    incorporation_date: NotRequired[Optional[str]]
    """Day of incorporation, not in the future."""
    incorporation_state: NotRequired[Optional[str]]
    """State of incorporation."""
    naics: NotRequired[Optional[str]]
    """NAICS code, 2 to 6 digits."""
    tax_id: NotRequired[Optional[str]]
    """Tax number of the company."""


class BusinessInformationUpdate(TypedDict):
    """Step 5: how the business is reached, and how it keeps its books."""

    accounting_model: NotRequired[Optional[Literal["ACCRUAL", "CASH"]]]
    """ACCRUAL unless sent."""
    business_address_1: NotRequired[Optional[str]]
    """Street of the business; the address of step 4 unless sent."""
    business_address_2: NotRequired[Optional[str]]
    """Second line of the street of the business; the address of step 4 unless sent."""
    business_city: NotRequired[Optional[str]]
    """City of the business; the address of step 4 unless sent."""
    business_country_code: NotRequired[CountryCodeOrNull]
    """Country of the business; the address of step 4 unless sent."""
    business_email: str
    """E-mail address of the business."""
    business_fiscal_year_end: str
    """Last day of the fiscal year; only month and day matter."""
    business_mailing_address_1: NotRequired[Optional[str]]
    """Street of mail; the address of the business unless sent."""
    business_mailing_address_2: NotRequired[Optional[str]]
    """Second line of the street of mail; the address of the business unless sent."""
    business_mailing_city: NotRequired[Optional[str]]
    """City of mail; the address of the business unless sent."""
    business_mailing_country_code: NotRequired[CountryCodeOrNull]
    """Country of mail; the address of the business unless sent."""
    business_mailing_postal_code: NotRequired[Optional[str]]
    """Postal code of mail; the address of the business unless sent."""
    business_mailing_state: NotRequired[Optional[str]]
    """State or province of mail; the address of the business unless sent, as code or name."""
    business_phone: str
    """Telephone number of the business."""
    business_postal_code: NotRequired[Optional[str]]
    """Postal code of the business; the address of step 4 unless sent."""
    business_state: NotRequired[Optional[str]]
    """State or province of the business; the address of step 4 unless sent, as code or name."""


class BusinessOwnersUpdate(TypedDict):
    """Step 7: up to three owners. If one has a share all must, and the shares sum to 100.00."""

    business_owner1_address_1: NotRequired[Optional[str]]
    """Street of owner 1."""
    business_owner1_address_2: NotRequired[Optional[str]]
    """Second line of the street of owner 1."""
    business_owner1_city: NotRequired[Optional[str]]
    """City of owner 1."""
    business_owner1_country_code: NotRequired[CountryCodeOrNull]
    """Country of owner 1."""
    business_owner1_dl: NotRequired[Optional[str]]
    """Driver's licence of owner 1. Answered masked."""
    business_owner1_dob: NotRequired[Optional[str]]
    """Date of birth of owner 1. Answered as the year."""
    business_owner1_email: NotRequired[Optional[str]]
    """E-mail address of owner 1."""
    business_owner1_name: NotRequired[Optional[str]]
    """Name of owner 1. Required."""
    business_owner1_percent_ownership: NotRequired[PercentInputOrNull]
    """Share of owner 1 in percent."""
    business_owner1_phone: NotRequired[Optional[str]]
    """Telephone number of owner 1."""
    business_owner1_postal_code: NotRequired[Optional[str]]
    """Postal code of owner 1."""
    business_owner1_ssn: NotRequired[Optional[str]]
    """SSN or ITIN of owner 1. Answered masked."""
    business_owner1_state: NotRequired[Optional[str]]
    """State or province of owner 1, as code or name."""
    business_owner1_title: NotRequired[Optional[str]]
    """Title of owner 1."""
    business_owner2_address_1: NotRequired[Optional[str]]
    """Street of owner 2."""
    business_owner2_address_2: NotRequired[Optional[str]]
    """Second line of the street of owner 2."""
    business_owner2_city: NotRequired[Optional[str]]
    """City of owner 2."""
    business_owner2_country_code: NotRequired[CountryCodeOrNull]
    """Country of owner 2."""
    business_owner2_dl: NotRequired[Optional[str]]
    """Driver's licence of owner 2. Answered masked."""
    business_owner2_dob: NotRequired[Optional[str]]
    """Date of birth of owner 2. Answered as the year."""
    business_owner2_email: NotRequired[Optional[str]]
    """E-mail address of owner 2."""
    business_owner2_name: NotRequired[Optional[str]]
    """Name of owner 2. `null` removes the owner."""
    business_owner2_percent_ownership: NotRequired[PercentInputOrNull]
    """Share of owner 2 in percent."""
    business_owner2_phone: NotRequired[Optional[str]]
    """Telephone number of owner 2."""
    business_owner2_postal_code: NotRequired[Optional[str]]
    """Postal code of owner 2."""
    business_owner2_ssn: NotRequired[Optional[str]]
    """SSN or ITIN of owner 2. Answered masked."""
    business_owner2_state: NotRequired[Optional[str]]
    """State or province of owner 2, as code or name."""
    business_owner2_title: NotRequired[Optional[str]]
    """Title of owner 2."""
    business_owner3_address_1: NotRequired[Optional[str]]
    """Street of owner 3."""
    business_owner3_address_2: NotRequired[Optional[str]]
    """Second line of the street of owner 3."""
    business_owner3_city: NotRequired[Optional[str]]
    """City of owner 3."""
    business_owner3_country_code: NotRequired[CountryCodeOrNull]
    """Country of owner 3."""
    business_owner3_dl: NotRequired[Optional[str]]
    """Driver's licence of owner 3. Answered masked."""
    business_owner3_dob: NotRequired[Optional[str]]
    """Date of birth of owner 3. Answered as the year."""
    business_owner3_email: NotRequired[Optional[str]]
    """E-mail address of owner 3."""
    business_owner3_name: NotRequired[Optional[str]]
    """Name of owner 3. `null` removes the owner."""
    business_owner3_percent_ownership: NotRequired[PercentInputOrNull]
    """Share of owner 3 in percent."""
    business_owner3_phone: NotRequired[Optional[str]]
    """Telephone number of owner 3."""
    business_owner3_postal_code: NotRequired[Optional[str]]
    """Postal code of owner 3."""
    business_owner3_ssn: NotRequired[Optional[str]]
    """SSN or ITIN of owner 3. Answered masked."""
    business_owner3_state: NotRequired[Optional[str]]
    """State or province of owner 3, as code or name."""
    business_owner3_title: NotRequired[Optional[str]]
    """Title of owner 3."""
    business_owners_incomplete: NotRequired[Optional[bool]]
    """Further owners exist, so that the shares may sum to less than 100. false unless sent."""


class CalendarFeed(TypedDict):
    """What is known of a calendar feed."""

    created_at: str
    expires_at: Optional[str]
    """The end of the key that made it; null for none."""
    id: CalendarFeedId
    """Id of a calendar feed."""
    last_read_at: Optional[str]
    """When it was last read, to the minute; null for never."""
    made_by: str
    """Name of the person who made it, or id of the key."""
    name: str
    """What it is for."""


class CalendarFeedCreate(TypedDict):
    """A calendar feed to be created."""

    name: str
    """What it is for."""


class CalendarFeedList(TypedDict):
    """The calendar feeds of an organization."""

    items: List[CalendarFeed]


class ClientHealth(TypedDict):
    """What an organization has to do."""

    exposed_count: int
    """Places where tax is owed and there is no registration."""
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    overdue_count: int
    """Returns whose due day is over."""
    untaxable_count: int
    """Sales that cannot be taxed."""


class Colleague(TypedDict):
    """A person who sees an organization."""

    id: str
    may_act: bool
    """Whether the person may change records of the organization."""
    name: str
    organization_id: OrganizationId
    """Id of an organization."""
    side: Literal["ORGANIZATION", "PARTNER", "STAFF"]
    """For whom the person works."""


class ColleagueList(TypedDict):
    """People who see an organization."""

    items: List[Colleague]


class Comment(TypedDict):
    """What a person wrote about a record."""

    author: CommentPerson
    """A person, by the name that the person has now."""
    created_at: str
    id: str
    may_change: bool
    """The caller wrote it, and it is not withdrawn."""
    mentions: List[CommentPerson]
    """Whom it is for."""
    object_id: str
    """The record that it is about."""
    object_type: CommentSubjectType
    """Type of a record with comments."""
    text: str
    """Its text now, empty after it was withdrawn."""
    versions: List[CommentVersion]
    """The texts that it had, the first one first."""
    withdrawn_at: Optional[str]


class CommentCreate(TypedDict):
    """A new comment."""

    mentions: NotRequired[List[str]]
    """Ids of people whom it is for: see `GET /v1/colleagues`."""
    text: str
    """What to say."""


class CommentList(TypedDict):
    """Comments of a record."""

    items: List[Comment]


class CommentPerson(TypedDict):
    """A person, by the name that the person has now."""

    id: str
    name: str


class CommentUpdate(TypedDict):
    """A correction of a comment, or its end: one of the two."""

    text: NotRequired[str]
    """The text from now on."""
    withdrawn: NotRequired[bool]
    """true: the comment is withdrawn."""


class CommentVersion(TypedDict):
    """A text that a comment had."""

    created_at: str
    text: str


# A rate that is another one for a time.
ContentChange = TypedDict(
    "ContentChange",
    {
        "from": "str",
        "jurisdiction": "str",
        # Likewise.
        "new": "Optional[str]",
        # In percent, such as `8.875 %`; null for none.
        "old": "Optional[str]",
        "state": "str",
        # Null for goods in general.
        "tax_class": "Optional[str]",
        # Null while no end is known.
        "until": "Optional[str]",
    },
)


# How the rates of two versions of the tax content differ.
ContentChanges = TypedDict(
    "ContentChanges",
    {
        # States whose boundary file is another one.
        "boundary_states": "List[str]",
        "changes": "List[ContentChange]",
        # The version that is compared; empty when there is no other.
        "from": "str",
        # The version in force; empty for what the program carries.
        "in_force": "str",
        # The version that it is compared with.
        "to": "str",
        "total": "int",
    },
)


class CreatedCalendarFeed(TypedDict):
    """A new calendar feed."""

    created_at: str
    expires_at: Optional[str]
    """The end of the key that made it; null for none."""
    id: CalendarFeedId
    """Id of a calendar feed."""
    last_read_at: Optional[str]
    """When it was last read, to the minute; null for never."""
    made_by: str
    """Name of the person who made it, or id of the key."""
    name: str
    """What it is for."""
    path: Optional[str]
    """Path at which calendars read the feed; shown only now."""
    secret_available: bool
    """`path` is in this answer. Repeats of a call have it no more."""


class CreditNoteCreate(TypedDict):
    """A credit note to be recorded."""

    addresses: NotRequired[List[TransactionAddressCreate]]
    """At most one address of each type. Those of the original unless sent. The tax follows the destination of the original."""
    currency: CurrencyCode
    """The currency of the original, else `currency_mismatch`."""
    date: str
    """Date and time of the refund. Its day in the shop decides the filing period, see `tax_date`; the tax follows the law of the original's date."""
    description: NotRequired[str]
    """Why something is given back."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier of the credit note. Unique in the organization over all transactions and credit notes."""
    shop_date: NotRequired[str]
    """Date of the refund in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It decides the filing period."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone decides the filing period. The zone of the original, if it has one, when neither is sent and `date` has no offset of its own."""
    source: NotRequired[Source]
    """The source of the original unless sent."""
    status: CreditNoteStatus
    """PENDING reserves the amount, COMMITTED takes it, CANCELLED gives it back."""
    tax_amount_imported: NotRequired[MoneyInput]
    """Tax given back by the merchant. When 0 or absent, the sum of the lines; when no line says it either, what was collected for what is given back."""
    tax_rate_imported: NotRequired[RateInput]
    """Overall rate the merchant used."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    total_amount: MoneyInput
    """Total of the credit note with tax. Either sign, not 0."""
    transaction_items: List[CreditNoteItemCreate]
    """The refunded lines."""
    type: NotRequired[TransactionType]
    """Without effect. The amounts decide between FULL_CREDIT_NOTE and PARTIAL_CREDIT_NOTE."""


class CreditNoteItemCreate(TypedDict):
    """One line of a credit note. It refunds the line of the original with the same `external_id` and product, else the first line of that product of which something is left."""

    amount: MoneyInput
    """Amount given back before tax, of either sign. 0 to give back tax alone. What is above the rest of the line that it refunds, such as the price before a discount, goes back as discount and counts as nothing."""
    date: NotRequired[str]
    """Date and time of the line, for information. The date of the credit note unless sent."""
    description: NotRequired[str]
    """Free text."""
    external_id: str
    """Your identifier of the line. Need not be unique."""
    external_product_id: str
    """A product of the original, else `item_not_in_original`."""
    product: NotRequired[str]
    """Name of the product as you know it."""
    product_name: NotRequired[str]
    """Name to show. The name of the catalogue's product unless sent."""
    quantity: NotRequired[QuantityInput]
    """Number of units given back, of either sign, at most those of the original line. 0 for an amount only."""
    tax_amount_imported: NotRequired[MoneyInput]
    """Tax given back for this line, 0 for none. When neither the credit note nor any of its lines sends it, each line gives back its share, by amount, of the tax collected for the line that it refunds; what uses a line or the sale up gives back the rest."""
    tax_exemption: NotRequired[TaxExemption]
    """Why a line is not taxed."""
    tax_items: NotRequired[List[TaxItemCreate]]
    """Tax lines of the merchant. CALCULATED ones are dropped, the service makes its own."""
    tax_rate_imported: NotRequired[RateInput]
    """Rate the merchant used for this line."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""


class CreditNoteUpdate(TypedDict):
    """Changes of a credit note. Absent fields stay, `null` clears a field to its default."""

    addresses: NotRequired[Optional[List[TransactionAddressCreate]]]
    """At most one address of each type. Those of the original unless sent. The tax follows the destination of the original."""
    currency: NotRequired[CurrencyCode]
    """The currency of the original, else `currency_mismatch`."""
    date: NotRequired[str]
    """Date and time of the refund. Its day in the shop decides the filing period, see `tax_date`; the tax follows the law of the original's date."""
    description: NotRequired[Optional[str]]
    """Why something is given back."""
    external_friendly_id: NotRequired[Optional[str]]
    """Readable identifier shown to people."""
    external_id: NotRequired[str]
    """Your identifier of the credit note. Unique in the organization over all transactions and credit notes."""
    shop_date: NotRequired[Optional[str]]
    """Date of the refund in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It decides the filing period. A stored one falls away with another `date` unless it is sent again."""
    shop_date_tz: NotRequired[Optional[str]]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone decides the filing period."""
    source: NotRequired[SourceOrNull]
    """The source of the original unless sent."""
    status: NotRequired[CreditNoteStatus]
    """PENDING reserves the amount, COMMITTED takes it, CANCELLED gives it back."""
    tax_amount_imported: NotRequired[MoneyInputOrNull]
    """Tax given back by the merchant. When 0 or absent, the sum of the lines; when no line says it either, what was collected for what is given back."""
    tax_rate_imported: NotRequired[RateInputOrNull]
    """Overall rate the merchant used."""
    taxable_amount: NotRequired[MoneyInputOrNull]
    """Shown until the service has calculated its own value."""
    total_amount: NotRequired[MoneyInput]
    """Total of the credit note with tax. Either sign, not 0, unless `status` is CANCELLED, where 0 is accepted and not stored."""
    transaction_items: NotRequired[List[CreditNoteItemCreate]]
    """The refunded lines."""
    type: NotRequired[Optional[Literal["SALE", "FULL_CREDIT_NOTE", "PARTIAL_CREDIT_NOTE", "TAX_REFUND", "ARCHIVE"]]]
    """Without effect. The amounts decide between FULL_CREDIT_NOTE and PARTIAL_CREDIT_NOTE."""


class Customer(TypedDict):
    """A customer. Optional fields without a value are left out."""

    address_status: AddressStatus
    """UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part."""
    city: NotRequired[str]
    connection_id: NotRequired[str]
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    created_at: str
    customer_tax_registrations: List[CustomerTaxRegistration]
    email: NotRequired[str]
    external_friendly_id: NotRequired[str]
    external_id: str
    full_address: NotRequired[str]
    id: CustomerId
    """Id of a customer."""
    name: NotRequired[str]
    organization_id: OrganizationId
    """Id of an organization."""
    phone: NotRequired[str]
    postal_code: NotRequired[str]
    registration_number: NotRequired[str]
    source: Source
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    state: NotRequired[str]
    status: CustomerStatus
    """Status of a customer. Archived customers stay usable."""
    street_1: NotRequired[str]
    street_2: NotRequired[str]
    updated_at: str


class CustomerCreate(TypedDict):
    """A customer to be created."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County."""
    customer_tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Tax numbers of the customer."""
    email: NotRequired[str]
    """E-mail address."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier of the customer."""
    full_address: NotRequired[str]
    """The whole address as one text."""
    name: str
    """Name of the customer."""
    phone: NotRequired[str]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[str]
    """Postal code."""
    registration_number: NotRequired[str]
    """Company registration number."""
    source: NotRequired[Source]
    state: NotRequired[str]
    """State or province, code or name."""
    status: NotRequired[CustomerStatus]
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""


class CustomerList(TypedDict):
    """A page of customers."""

    items: List[Customer]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class CustomerTaxRegistration(TypedDict):
    """A tax number of a customer."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    customer_id: CustomerId
    """Id of a customer."""
    id: str
    is_valid: bool
    """The number passed the test of its format and check digit."""
    tax_id: str
    tax_type: CustomerTaxType
    """Kind of a customer's tax registration."""


class CustomerTaxRegistrationCreate(TypedDict):
    """A tax number of a customer."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    tax_id: str
    """The number."""
    tax_type: CustomerTaxType
    """Kind of a customer's tax registration."""


class CustomerTransactionCreate(TypedDict):
    """A transaction to be recorded for the customer that the path names."""

    addresses: List[TransactionAddressCreate]
    """At most one address of each type. May be empty."""
    city: NotRequired[str]
    """City of the destination, used when no address is sent."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the transaction came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County of the destination, used when no address is sent."""
    currency: NotRequired[CurrencyCode]
    customer: NotRequired[TransactionCustomerCreate]
    """May be left out. Another customer than that of the path is refused."""
    customer_id: NotRequired[str]
    """Levy's id of the customer. Must exist and belong to `customer.external_id`."""
    date: str
    """Date and time of the sale. Written with an offset other than `Z`, its day as written is that of the shop."""
    description: NotRequired[str]
    """Free text."""
    exempt: NotRequired[ExemptStatus]
    """FULLY_EXEMPT makes every line exempt. Other values are information only."""
    exemptions: NotRequired[List[TransactionExemptionCreate]]
    """Exemptions to apply. An entry with `id` links a stored exemption, one without creates an exemption for this transaction."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier, for example the order number. Unique in the organization over all transactions and credit notes."""
    filing_id: NotRequired[str]
    """Must exist when sent, and has no effect."""
    marketplace: NotRequired[bool]
    """Sold through a marketplace that collects the tax."""
    postal_code: NotRequired[str]
    """Postal code of the destination, used when no address is sent."""
    prices_include_tax: NotRequired[bool]
    """Amounts and discounts of the lines include the tax. Levy finds the net prices: net and tax of each line come to its price to the cent. Credit notes inherit it."""
    refund_status: NotRequired[RefundStatus]
    """How much of a sale has been credited."""
    related_to: NotRequired[str]
    """Levy's id of the original transaction. Required for credit notes and tax refunds."""
    requires_exemption: NotRequired[RequiredExemption]
    """Creates an exemption for this transaction."""
    secondary_external_id: NotRequired[str]
    """Second identifier of your own."""
    secondary_source: NotRequired[str]
    """System the second identifier belongs to."""
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It is the tax date, which selects the law and the filing period."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone is the tax date."""
    source: NotRequired[Source]
    state: NotRequired[str]
    """State of the destination, code or name, used when no address is sent."""
    status: NotRequired[TransactionStatus]
    tax_id: NotRequired[str]
    """Deprecated, will be removed."""
    tax_liability_source: NotRequired[TaxLiabilitySource]
    """Shown until the service has calculated its own value."""
    tax_rate_calculated: NotRequired[RateInput]
    """Shown until the service has calculated its own value."""
    tax_rate_imported: NotRequired[RateInput]
    """Overall rate the merchant used."""
    tax_rounding: NotRequired[RoundingUnit]
    """What is rounded once in this document. The `tax_rounding` of the organization unless sent; kept until a PUT sends another."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    total_amount: NotRequired[MoneyInput]
    """Total of the document with tax. Stored as sent and not checked against the lines. Not negative for a SALE."""
    total_tax_amount_calculated: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    total_tax_amount_imported: NotRequired[MoneyInput]
    """Tax collected by the merchant. When 0 or absent, the sum of the lines."""
    total_tax_liability_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    transaction_items: List[TransactionItemCreate]
    """The lines."""
    type: NotRequired[TransactionType]


class CustomerUpdate(TypedDict):
    """Changes of a customer. Absent fields stay, `null` clears a field to its default."""

    city: NotRequired[Optional[str]]
    """City."""
    connection_id: NotRequired[Optional[str]]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCodeOrNull]
    """Country of the address."""
    county: NotRequired[Optional[str]]
    """County."""
    customer_tax_registrations: NotRequired[Optional[List[CustomerTaxRegistrationCreate]]]
    """Tax numbers of the customer, all of them."""
    email: NotRequired[Optional[str]]
    """E-mail address."""
    external_friendly_id: NotRequired[Optional[str]]
    """Readable identifier shown to people."""
    external_id: NotRequired[str]
    """Your identifier. One that another customer has is refused."""
    full_address: NotRequired[Optional[str]]
    """The whole address as one text."""
    name: NotRequired[str]
    """Name of the customer."""
    phone: NotRequired[Optional[str]]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[Optional[str]]
    """Postal code."""
    registration_number: NotRequired[Optional[str]]
    """Company registration number."""
    source: NotRequired[SourceOrNull]
    """Where the record comes from."""
    state: NotRequired[Optional[str]]
    """State or province, code or name."""
    status: NotRequired[Optional[Literal["ACTIVE", "ARCHIVED"]]]
    """ARCHIVED archives the customer; archived customers stay usable."""
    street_1: NotRequired[Optional[str]]
    """Street and number."""
    street_2: NotRequired[Optional[str]]
    """Further address line."""


class DayFigure(TypedDict):
    """What is due on a day, in a currency."""

    amount: str
    """What the returns add up to."""
    count: int
    """How many returns."""
    currency: str
    """Currency of the amount."""
    day: str


class Discount(TypedDict):
    """A discount as it was sent."""

    applied_to: DiscountTarget
    """TRANSACTION_ITEM discounts this line. TRANSACTION spreads the discount over all lines above zero, in proportion to what negative lines and line discounts leave of them."""
    discount_amount: Money
    """Amount of money with exactly 2 decimals."""
    external_id: NotRequired[str]
    """Your identifier of the discount."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Who bears a discount. What a manufacturer or another third party reimburses to the seller lowers the taxed price only where the law says so."""


class DiscountBuilder(TypedDict):
    """A discount."""

    applied_to: DiscountTarget
    """TRANSACTION_ITEM discounts this line. TRANSACTION spreads the discount over all lines above zero, in proportion to what negative lines and line discounts leave of them."""
    discount_amount: MoneyInput
    """Amount of the discount, not negative."""
    external_id: NotRequired[str]
    """Your identifier of the discount."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """SELLER unless sent."""


class DueCount(TypedDict):
    """How many filings with a status are due on a day."""

    count: int
    due_date: str
    status: FilingStatus
    """Status of a filing."""


class DueFiling(TypedDict):
    """A filing, with what a list over organizations needs."""

    amount: str
    """What is to be paid."""
    authority_unanswered_since: NotRequired[Optional[str]]
    """Since when the calls for it do not reach its authority; absent while they do. Levy tries again by itself."""
    country_code: str
    """Country."""
    currency: str
    """Currency of the amount."""
    due_date: str
    """Day on which it is due."""
    end_date: str
    """Last day of the period."""
    filing_category: str
    """REGULAR, PREPAYMENT, AMENDMENT or another."""
    id: str
    """Id of the filing."""
    layout: NotRequired[str]
    """Id of the layout of its worksheet, as `GET /v1/meta/return-formats` lists it."""
    missing_data: NotRequired[List[Literal["REGISTRATION_NUMBER", "REGISTRATION_FIELD", "TAXPAYER", "BANK_ACCOUNT", "TRANSACTIONS"]]]
    """Which data its return lacks while it is open. REGISTRATION_NUMBER: the registration has no number of the authority. REGISTRATION_FIELD: `jurisdiction_specific_fields` of the registration lacks a field that the form or its payment asks for, such as `certificate_county` in Florida. TAXPAYER: the organization lacks what a file or a payment names, such as its federal tax id. BANK_ACCOUNT: the return is paid by debit or credit, and the organization has no bank details. TRANSACTIONS: transactions of the period cannot be processed."""
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    start_date: str
    """First day of the period."""
    state_code: str
    """State; the country's code where the jurisdiction is a whole country."""
    state_name: Optional[str]
    status: FilingStatus
    """Status of a filing."""
    unresolved_transaction_count: int
    """Transactions of the period that cannot be processed."""
    waits_for: Optional[Literal["PERIOD_END", "UNBLOCKING", "PROCESSING", "CORRECTION", "APPROVAL", "AUTHORITY", "CONFIRMATION", "DECISION", "RESUMPTION"]]
    """What it waits for: the end of its period, unblocking, transactions that are processed or have to be corrected, approval, the authority, people who file it and enter the confirmation, a decision about an issue, or to be resumed. null when it is over."""


class DueFilingList(TypedDict):
    """A page of filings of many organizations."""

    counts: List[DueCount]
    """How many with each status are due on a day, under the filter."""
    items: List[DueFiling]
    money: NotRequired[List[DueMoney]]
    """With `money`: what open filings need, the first day first. Absent without it."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class DueMoney(TypedDict):
    """What open filings that are due on a day need in a currency. Amounts of filings that wait are those of now."""

    amount: str
    """The sum of what is to be paid."""
    count: int
    """How many filings."""
    currency: str
    """Currency of the amount."""
    due_date: str


class EndedApiKey(TypedDict):
    """A revoked key, and what became of the things that it has made."""

    api_key: ApiKey
    """An API key record. The key itself is part of it only in the answer that created it."""
    ended: List[MadeThing]
    """Things that ended with the key."""
    to_decide: List[MadeThing]
    """Things that still work. Decide about each."""


class EndedGrant(TypedDict):
    """An ended grant, and what became of the things that were made under it."""

    ended: List[MadeThing]
    """Things that ended with the grant."""
    grant: Grant
    """What the people and keys of a partner may do for a client. `admin`, during the onboarding, allows all that an admin may. `approver` and `preparer` allow what people with that role may, and keys without the scope `people`. `as_before` is of clients from before there were grants: the partner reads sales, nexus, registrations, filings, imports and events, manages the keys and the record of the client, and writes nothing else."""
    to_decide: List[MadeThing]
    """Things that still work. Decide about each."""


class Estimate(TypedDict):
    """The tax of a sale, which is also a page with this one estimate, for clients that read `items[0]`."""

    address_status: AddressStatus
    """Verdict on the destination."""
    addresses: List[EstimateAddress]
    """As sent."""
    ambiguous: bool
    """The destination fits several sets of jurisdictions."""
    completeness: TaxCompleteness
    """How precisely the place of the tax was found."""
    confidence: TaxConfidence
    """How sure the least sure row is that the tax rests on. LOW where there is no rule for a line."""
    content_version: str
    """Tax content used."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    customer: NotRequired[EstimateCustomer]
    date: str
    """Date and time of the sale."""
    description: NotRequired[str]
    explanation: List[ExplanationStep]
    """The calculation in sentences."""
    external_id: NotRequired[str]
    has_active_registration: bool
    """You are registered in the taxing state on the tax date, or simulate it."""
    items: List[EstimateResult]
    """The same estimate, once, without these five fields."""
    marketplace: bool
    page: int
    """Always 1."""
    pages: int
    """Always 1."""
    prices_include_tax: bool
    """Whether amounts and discounts include the tax."""
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, as it was sent."""
    simulate_active_registration: bool
    size: int
    """Always 1."""
    source: NotRequired[Source]
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    sourcing: SourcingRule
    """Whether a sale is taxed where it is delivered or where it starts."""
    tax_breakdown: List[EstimatedTax]
    """The tax by jurisdiction, rate, reason and rule over all lines. The amounts add up to total_tax_amount."""
    tax_date: str
    """Day that selects the law and the filing period: `shop_date` if sent, else the day of `date` in `shop_date_tz` if sent, else its day as written with an offset other than `Z`, else its UTC day."""
    tax_rate_calculated: Rate
    """Unrounded tax divided by the taxable amount."""
    tax_rounding: RoundingUnit
    """What is rounded once in this estimate."""
    tax_to_collect: Money
    """What to charge, the tax of the jurisdictions that a registration covers."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""
    total: int
    """Always 1."""
    total_tax_amount: Money
    """Tax by law."""
    total_tax_amount_calculated: Money
    """The same as total_tax_amount."""
    transaction_items: List[EstimateItem]
    """The lines as sent, each with its tax."""
    warnings: List[TaxWarning]
    """What makes the answer less sure than it looks; empty when there is nothing to say."""


class EstimateAddress(TypedDict):
    """An address, as sent."""

    city: NotRequired[str]
    connection_id: NotRequired[str]
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    full_address: NotRequired[str]
    is_unincorporated: bool
    phone: NotRequired[str]
    postal_code: NotRequired[str]
    state: NotRequired[str]
    street_1: NotRequired[str]
    street_2: NotRequired[str]
    type: AddressType
    """Role of an address. The destination is SHIP_TO, else BILL_TO. The origin is SHIP_FROM."""


class EstimateAddressCreate(TypedDict):
    """Where the sale goes. Send at least a country with a state or postal code, so that the tax can be calculated."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the address came through."""
    country: NotRequired[CountryCode]
    """Country. When absent, US if the state is a US state and the postal code looks like a ZIP code."""
    county: NotRequired[str]
    """County."""
    full_address: NotRequired[str]
    """The whole address as one text. Read only when all other parts are empty."""
    is_unincorporated: NotRequired[bool]
    """Outside city limits, so that no city tax applies."""
    phone: NotRequired[str]
    """Telephone number: 7 to 15 digits, with `+ - ( ) .` and spaces."""
    postal_code: NotRequired[str]
    """Postal code."""
    state: NotRequired[str]
    """State or province, code or name."""
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""


class EstimateCustomer(TypedDict):
    """The buyer, as sent."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County."""
    customer_tax_registrations: List[CustomerTaxRegistrationCreate]
    """Tax numbers of the customer."""
    email: NotRequired[str]
    """E-mail address."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: NotRequired[str]
    """Your identifier of the customer."""
    full_address: NotRequired[str]
    """The whole address as one text."""
    id: NotRequired[str]
    """Levy's id of a stored customer."""
    name: NotRequired[str]
    """Name of the customer."""
    phone: NotRequired[str]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[str]
    """Postal code."""
    registration_number: NotRequired[str]
    """Company registration number."""
    source: NotRequired[Source]
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    state: NotRequired[str]
    """State or province, code or name."""
    status: NotRequired[CustomerStatus]
    """Status of a customer. Archived customers stay usable."""
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""
    tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Another name of `customer_tax_registrations`, which counts where both are sent. Answers never have it."""


class EstimateCustomerCreate(TypedDict):
    """The buyer. With a known `id` or `external_id` the stored exemptions and tax numbers apply; an unknown `external_id` is an unknown buyer. Nothing is stored."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County."""
    customer_tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Tax numbers of the customer."""
    email: NotRequired[str]
    """E-mail address."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: NotRequired[str]
    """Your identifier of the customer."""
    full_address: NotRequired[str]
    """The whole address as one text."""
    id: NotRequired[str]
    """Levy's id of a stored customer."""
    name: NotRequired[str]
    """Name of the customer."""
    phone: NotRequired[str]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[str]
    """Postal code."""
    registration_number: NotRequired[str]
    """Company registration number."""
    source: NotRequired[Source]
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    state: NotRequired[str]
    """State or province, code or name."""
    status: NotRequired[CustomerStatus]
    """Status of a customer. Archived customers stay usable."""
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""
    tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Another name of `customer_tax_registrations`, which counts where both are sent. Answers never have it."""


class EstimateDiscount(TypedDict):
    """A discount, as sent."""

    applied_to: DiscountTarget
    """TRANSACTION_ITEM discounts this line. TRANSACTION spreads the discount over all lines above zero, in proportion to what negative lines and line discounts leave of them."""
    discount_amount: Money
    """Amount of money with exactly 2 decimals."""
    external_id: NotRequired[str]
    reimbursed_by: NotRequired[ReimbursedBy]
    """Who bears a discount. What a manufacturer or another third party reimburses to the seller lowers the taxed price only where the law says so."""


class EstimateItem(TypedDict):
    """One line, as sent, with its tax."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    date: NotRequired[str]
    description: NotRequired[str]
    discount_builder: NotRequired[EstimateDiscount]
    exempt: bool
    """An exemption or a rule frees the line, or the request says so."""
    exempt_reason: NotRequired[TaxExemption]
    """Why the line bears no tax; absent when it does."""
    external_id: NotRequired[str]
    external_product_id: NotRequired[str]
    gross_amount: NotRequired[Money]
    """Price after discounts with the tax, of prices that include it."""
    index: int
    """Number of the line, from 0."""
    net_amount: NotRequired[Money]
    """Price after discounts without the tax, of prices that include it."""
    product_category: NotRequired[str]
    product_description: NotRequired[str]
    product_name: NotRequired[str]
    product_subcategory: NotRequired[str]
    quantity: Quantity
    """Quantity with at least 1 and at most 9 decimals."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Who bears the discount. On negative lines alone."""
    tax_amount: Money
    """Amount of money with exactly 2 decimals."""
    tax_class: TaxClass
    """Class of the product or category, by which it is taxed."""
    tax_exemption: NotRequired[TaxExemption]
    """The same as exempt_reason."""
    tax_items: List[EstimatedTaxItem]
    """The part of each jurisdiction."""
    tax_rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    taxable_amount: Money
    """The largest base of a jurisdiction."""
    total_discount: Money
    """Discount of the line, with its share of those of the whole sale."""
    trade_in: NotRequired[bool]
    """Whether the line is what the buyer gives in part payment. On negative lines alone."""


class EstimateItemCreate(TypedDict):
    """One line of an estimate. It names a product of the catalogue, or a category. The product wins when both are sent."""

    amount: MoneyInput
    """Price of the whole line before tax (with `prices_include_tax` with it) and before discounts. A negative line beside a positive one is a discount, such as a coupon or a trade-in. It lowers the lines of its product, else of its class, else all lines, and bears no tax of its own."""
    date: NotRequired[str]
    """Date and time of the line, returned as sent."""
    description: NotRequired[str]
    """Free text, returned as sent."""
    discount_builder: NotRequired[DiscountBuilder]
    """A discount of the line or of the whole sale."""
    exempt: NotRequired[bool]
    """The line is exempt from tax."""
    external_id: NotRequired[str]
    """Your identifier of the line."""
    external_product_id: NotRequired[str]
    """`external_id` of a product in the catalogue."""
    product_category: NotRequired[str]
    """Category of something that is not in the catalogue, see `GET /v1/products/categories`. Unknown categories are refused with `invalid_category`."""
    product_description: NotRequired[str]
    """Description to show, returned as sent."""
    product_name: NotRequired[str]
    """Name to show, returned as sent."""
    product_subcategory: NotRequired[str]
    """More specific class. An unknown one leaves it to the category."""
    quantity: NotRequired[QuantityInput]
    """Number of units, for rules per unit. 0 for a line that is only an amount."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Of a negative line, which is a discount. Ignored on other lines. SELLER unless sent."""
    trade_in: NotRequired[bool]
    """The negative line is what the buyer gives in part payment. It lowers the taxed price only where the law says so. Only negative lines may say so."""


class EstimateRequest(TypedDict):
    """A sale to be taxed: with `transaction_items` and `addresses`, or in the short form with `amount` and `shipping_address`. Fields of the other form are not read, and named in `Levy-Ignored-Fields`."""

    addresses: NotRequired[List[TransactionAddressCreate]]
    """Where the sale goes and comes from, each type at most once. The destination is SHIP_TO, else BILL_TO."""
    amount: NotRequired[MoneyInput]
    """Short form: price of the one line before tax."""
    currency: NotRequired[CurrencyCode]
    customer: NotRequired[EstimateCustomerCreate]
    date: NotRequired[str]
    """Date and time of the sale, now unless sent. Its day in the shop selects the law, see `tax_date`."""
    description: NotRequired[str]
    """Free text, returned as sent."""
    external_id: NotRequired[str]
    """Your identifier, returned as sent. In the short form that of the estimate too."""
    external_product_id: NotRequired[str]
    """Short form: `external_id` of a product in the catalogue."""
    marketplace: NotRequired[bool]
    """A marketplace collects the tax of this sale, so that there is nothing to collect."""
    prices_include_tax: NotRequired[bool]
    """Amounts and discounts include the tax. Levy finds the net price: net and tax come to the price to the cent."""
    product_category: NotRequired[str]
    """Short form: category, when there is no `external_product_id`. PHYSICAL and PHYSICAL_GENERAL when neither is sent."""
    product_subcategory: NotRequired[str]
    """Short form: more specific class. An unknown one leaves it to the category."""
    quantity: NotRequired[QuantityInput]
    """Short form: number of units."""
    shipping_address: NotRequired[EstimateAddressCreate]
    """Short form: where the sale goes."""
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It is the tax date, which selects the law and the filing period."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone is the tax date."""
    simulate_active_registration: NotRequired[bool]
    """Calculate `tax_to_collect` as if you were registered everywhere."""
    source: NotRequired[Source]
    """Returned as sent. The same values as of a transaction."""
    tax_rounding: NotRequired[RoundingUnit]
    """What is rounded once in this estimate. The `tax_rounding` of the organization unless sent."""
    transaction_items: NotRequired[List[EstimateItemCreate]]
    """The lines."""


class EstimateResult(TypedDict):
    """The tax of a sale. Optional fields without a value are left out."""

    address_status: AddressStatus
    """Verdict on the destination."""
    addresses: List[EstimateAddress]
    """As sent."""
    ambiguous: bool
    """The destination fits several sets of jurisdictions."""
    completeness: TaxCompleteness
    """How precisely the place of the tax was found."""
    confidence: TaxConfidence
    """How sure the least sure row is that the tax rests on. LOW where there is no rule for a line."""
    content_version: str
    """Tax content used."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    customer: NotRequired[EstimateCustomer]
    date: str
    """Date and time of the sale."""
    description: NotRequired[str]
    explanation: List[ExplanationStep]
    """The calculation in sentences."""
    external_id: NotRequired[str]
    has_active_registration: bool
    """You are registered in the taxing state on the tax date, or simulate it."""
    marketplace: bool
    prices_include_tax: bool
    """Whether amounts and discounts include the tax."""
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, as it was sent."""
    simulate_active_registration: bool
    source: NotRequired[Source]
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    sourcing: SourcingRule
    """Whether a sale is taxed where it is delivered or where it starts."""
    tax_breakdown: List[EstimatedTax]
    """The tax by jurisdiction, rate, reason and rule over all lines. The amounts add up to total_tax_amount."""
    tax_date: str
    """Day that selects the law and the filing period: `shop_date` if sent, else the day of `date` in `shop_date_tz` if sent, else its day as written with an offset other than `Z`, else its UTC day."""
    tax_rate_calculated: Rate
    """Unrounded tax divided by the taxable amount."""
    tax_rounding: RoundingUnit
    """What is rounded once in this estimate."""
    tax_to_collect: Money
    """What to charge, the tax of the jurisdictions that a registration covers."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""
    total_tax_amount: Money
    """Tax by law."""
    total_tax_amount_calculated: Money
    """The same as total_tax_amount."""
    transaction_items: List[EstimateItem]
    """The lines as sent, each with its tax."""
    warnings: List[TaxWarning]
    """What makes the answer less sure than it looks; empty when there is nothing to say."""


class EstimatedTax(TypedDict):
    """The tax of one jurisdiction at one rate, by one rule, over all lines."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    country: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    has_active_registration: bool
    """A registration covers this jurisdiction."""
    jurisdiction_name: str
    """Name of the authority."""
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: TaxReason
    """Why a tax line is as it is."""
    rule_id: str
    """The rule that was applied."""
    state: NotRequired[str]
    """Code of the state or province; absent for a whole country."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""


class EstimatedTaxItem(TypedDict):
    """The part of one jurisdiction in the tax of a line."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    country: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    exempt: bool
    """The jurisdiction does not tax the line."""
    exempt_reason: NotRequired[TaxReason]
    """The same as reason, when the jurisdiction does not tax the line."""
    jurisdiction_name: str
    """Name of the authority."""
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    name: str
    """Name of the tax."""
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: TaxReason
    """Why a tax line is as it is."""
    rule: str
    """The same as rule_id."""
    rule_id: str
    """The rule that was applied."""
    source: NotRequired[str]
    """The statute, regulation or official publication that the rate or rule was taken from, with its version or date; absent where there is no rule."""
    state: NotRequired[str]
    """Code of the state or province; absent for a whole country."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""


class Event(TypedDict):
    """What happened to a record."""

    api_version: str
    """The contract that `data` follows."""
    created_at: str
    data: EventData
    """What it happened to."""
    id: EventId
    """Id of an event."""
    is_test: bool
    """Whether the organization is for tests."""
    organization_id: OrganizationId
    """Id of an organization."""
    request_id: Optional[str]
    """The request that caused it, `X-Request-Id` of its answer; null when none did."""
    sequence: int
    """Ascends strictly in the order of the feed; gaps are possible."""
    type: EventType
    """What happened. More may follow."""


class EventData(TypedDict):
    """What it happened to."""

    object: Dict[str, Any]
    """The record as the API shows it, as the change left it. Personal data of an onboarding is never part of it."""
    previous_attributes: Dict[str, Any]
    """The former values of the members of `object` that the change altered; empty for a new record."""


class EventList(TypedDict):
    """Events behind a cursor."""

    has_more: bool
    """Whether further events are there already."""
    items: List[Event]
    next_cursor: Optional[str]
    """`after` of the next call: the last id of `items`, or the `after` that was sent when there is none. For `now` the newest event; `null` without one."""


class Exception(TypedDict):
    """Something that needs a person."""

    actions: List[str]
    """What the caller can do about it, as names of operations."""
    amount: Optional[str]
    """Of a transaction its total, of nexus the tax that is owed there, of a return what is to be paid: before its transactions are claimed, what it adds up to now. null where there is none."""
    amount_from_lines: bool
    """The transaction was sent without `total_amount`: `amount` is what its lines come to with the tax."""
    assignee: Optional[str]
    currency: Optional[str]
    cursor: str
    """Its place in the list, for `after`. It stays valid when the exception is gone."""
    decided_by: List[ExceptionDecider]
    """Whose people can do the first thing that resolves it, if their role includes that."""
    due: Optional[str]
    note: Optional[str]
    object_id: str
    """The record that it is about."""
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    reason: str
    """Why it does not go on, in words."""
    reason_code: Optional[str]
    """Why it does not go on, as the record says it."""
    since: str
    title: str
    """What it is, in words."""
    type: ExceptionType
    """What needs a person."""
    workflow_id: Optional[str]


class ExceptionBulk(TypedDict):
    """What to do to many exceptions."""

    action: Literal["REPROCESS", "ASSIGN"]
    """What to do."""
    assignee: NotRequired[str]
    """With ASSIGN: who takes care of them; absent if no person does."""
    exceptions: List[ExceptionRef]
    """The exceptions."""


class ExceptionBulkItem(TypedDict):
    """What became of an exception."""

    code: Optional[str]
    """Of a refusal, a code of the problems."""
    message: Optional[str]
    """Why it was refused, in words."""
    object_id: str
    """The record that it is about."""
    status: Literal["DONE", "REFUSED"]
    type: ExceptionType
    """What needs a person."""


class ExceptionBulkResult(TypedDict):
    """What became of each exception."""

    done_count: int
    """How many were done."""
    items: List[ExceptionBulkItem]
    """In the order of the request."""
    refused_count: int
    """How many were refused."""


class ExceptionChange(TypedDict):
    """A page of exceptions is another one than before."""

    counts: List[ExceptionCount]
    mark: str
    """What the page is recognised by."""


class ExceptionCount(TypedDict):
    """How many of a type."""

    count: int
    type: ExceptionType
    """What needs a person."""


class ExceptionGroup(TypedDict):
    """Exceptions of one type and reason."""

    amounts: List[Figure]
    """The money at risk by currency."""
    count: int
    """How many exceptions."""
    due: Optional[str]
    """The earliest day on which one of them is due."""
    first_object_id: str
    """The record that the most urgent exception is about."""
    first_organization_id: str
    """The organization of the most urgent exception."""
    gone_automatically: bool
    """true if they go on by themselves when what they wait for is there."""
    organization_count: int
    """How many organizations have one."""
    reason_code: Optional[str]
    """Why they do not go on, as the records say it."""
    since: str
    """Since when the oldest waits."""
    title: str
    """What they wait for, in words."""
    type: ExceptionType
    """What needs a person."""


class ExceptionGroupList(TypedDict):
    """Causes of exceptions."""

    items: List[ExceptionGroup]
    total: int
    """How many exceptions they are together."""


class ExceptionList(TypedDict):
    """A page of exceptions."""

    counts: List[ExceptionCount]
    items: List[Exception]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class ExceptionRef(TypedDict):
    """An exception of the organization."""

    object_id: str
    """The record that it is about."""
    type: ExceptionType
    """What needs a person."""


class ExceptionUpdate(TypedDict):
    """Changes of an exception. Absent fields stay, null clears."""

    assignee: NotRequired[Optional[str]]
    """Who takes care of it."""
    done: NotRequired[bool]
    """true closes a REFUND_TO_CLAIM: it was claimed. Others close themselves."""
    note: NotRequired[Optional[str]]
    """What was found out."""


class Exemption(TypedDict):
    """An exemption that was applied."""

    FEIN: NotRequired[str]
    attachments: List[ExemptionAttachment]
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    customer_id: NotRequired[CustomerId]
    """Id of a customer."""
    customer_name: NotRequired[str]
    end_date: NotRequired[str]
    """Last day, inclusive."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why a buyer or a sale is exempt, in the words of returns."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    id: str
    """Levy's id of the exemption."""
    jurisdiction: NotRequired[str]
    """Code of the state; left out for the whole country."""
    organization_id: OrganizationId
    """Id of an organization."""
    reseller: bool
    sales_tax_id: NotRequired[str]
    start_date: str
    """First day, inclusive."""
    status: ExemptionStatus
    """Status of an exemption."""
    transaction_id: NotRequired[TransactionId]
    """Id of a transaction, sale or credit note."""
    updated_at: NotRequired[str]


class ExemptionAttachment(TypedDict):
    """A document stored with an exemption."""

    content_type: str
    created_at: str
    filename: str
    id: str
    sha256: str
    size: int
    """Bytes."""


class ExemptionAttachmentUpload(TypedDict):
    """A form with a document."""

    file: bytes
    """A PDF, PNG or JPEG."""


class ExemptionCreate(TypedDict):
    """An exemption to be created."""

    FEIN: NotRequired[str]
    """Federal employer identification number."""
    country_code: NotRequired[CountryCode]
    customer_id: NotRequired[str]
    """Levy's id of the customer. Required for the types customer and wholesale."""
    end_date: NotRequired[str]
    """Last day, inclusive. Open unless sent."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt, as returns ask for it. RESALE unless sent, if the type is wholesale or the buyer is a reseller."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    jurisdiction: NotRequired[str]
    """Code of the state the exemption is for. The whole country unless sent."""
    reseller: NotRequired[bool]
    """The buyer resells the goods. True for the type wholesale unless sent."""
    sales_tax_id: NotRequired[str]
    """Sales tax identification number."""
    start_date: str
    """First day, inclusive."""
    status: NotRequired[ExemptionStatus]
    """Status of the exemption. EXPIRED is set by the service, and is accepted where `end_date` is past."""
    transaction_id: NotRequired[str]
    """Levy's id of the transaction. Required for the type transaction."""


class ExemptionList(TypedDict):
    """A page of exemptions."""

    items: List[ExemptionRecord]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class ExemptionRecord(TypedDict):
    """A stored exemption."""

    FEIN: NotRequired[str]
    attachments: List[ExemptionAttachment]
    """Documents stored with the exemption, the oldest first."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    customer_id: NotRequired[str]
    """Levy's id of the customer."""
    customer_name: NotRequired[str]
    """Name of the customer."""
    end_date: NotRequired[str]
    """Last day, inclusive; absent while it is open."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt; absent while it is not known."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    id: ExemptionId
    """Id of an exemption."""
    jurisdiction: NotRequired[str]
    """Code of the state; absent for the whole country."""
    organization_id: OrganizationId
    """Id of an organization."""
    reseller: bool
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[str]
    start_date: str
    """First day, inclusive."""
    status: ExemptionStatus
    """Status of an exemption."""
    transaction_id: NotRequired[str]
    """Levy's id of the transaction."""
    updated_at: NotRequired[str]
    """Last change; absent while there was none."""


class ExemptionUpdate(TypedDict):
    """Changes of an exemption. Absent fields stay, `null` clears a field to its default."""

    FEIN: NotRequired[Optional[str]]
    """Federal employer identification number."""
    country_code: NotRequired[CountryCodeOrNull]
    """Country the exemption is for."""
    end_date: NotRequired[Optional[str]]
    """Last day, inclusive; null leaves it open."""
    exemption_category: NotRequired[Optional[Literal["AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "RESALE", "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL", "FOREIGN_DIPLOMAT", "OTHER"]]]
    """Why the buyer is exempt, as returns ask for it; null for RESALE of resellers, else none."""
    jurisdiction: NotRequired[Optional[str]]
    """Code of the state; null for the whole country."""
    reseller: NotRequired[Optional[bool]]
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[Optional[str]]
    """Sales tax identification number."""
    start_date: NotRequired[str]
    """First day, inclusive."""
    status: NotRequired[Optional[Literal["ACTIVE", "INACTIVE", "EXPIRED", "DEACTIVATED", "ARCHIVED"]]]
    """Status of the exemption. EXPIRED is set by the service. It may be repeated, and is accepted where `end_date` is past."""


class ExplainedAuthority(TypedDict):
    """What of the tax is owed to one authority."""

    amount: Money
    """What the sale alone owes to it."""
    calculated_amount: Money
    """Its tax by law."""
    case: int
    """As in the liability."""
    collected_amount: Money
    """The part of the collected tax that belongs to this authority."""
    country_code: str
    """Its country."""
    obligation: bool
    """The organization has an obligation there on the tax date."""
    state_code: str
    """As in registrations; the country for the authority of a whole country."""


class ExplainedConversion(TypedDict):
    """How amounts were converted to the currency of the country that taxes. Absent when they stand in it already."""

    from_currency: str
    """Currency of the transaction."""
    rate: str
    """Units of that currency for one of the transaction's, 9 decimals."""
    rate_date: str
    """Day of the reference rate, the tax date or one of the 7 days before."""
    source: str
    """Who published the rate."""
    to_currency: str
    """Currency of the country that taxes."""


class ExplainedDiscountTerms(TypedDict):
    """Who bears the discounts of a line. Absent where the seller bears them and none is shared."""

    by_manufacturer: NotRequired[str]
    """Part of the discount that the manufacturer reimburses."""
    by_third_party: NotRequired[str]
    """Part of the discount that another party reimburses."""
    coupons: NotRequired[str]
    """Of a refund, what its negative lines take off the line."""
    reimbursed_by: NotRequired[str]
    """Who reimburses a negative line. Absent for the seller."""
    shared: NotRequired[str]
    """Part of the discount that the line bears of discounts of the whole sale."""
    trade_in: NotRequired[bool]
    """The negative line is the value of goods that the buyer gave."""


class ExplainedExemption(TypedDict):
    """The exemption that a line was given."""

    category: NotRequired[str]
    """Why, in the words of returns."""
    country: NotRequired[str]
    """Country it is limited to."""
    exemption_id: NotRequired[str]
    """The stored exemption."""
    reason: NotRequired[str]
    """Reason code it gives."""
    state: NotRequired[str]
    """State it is limited to."""
    tax_exemption: str
    """Kind of exemption."""


class ExplainedInput(TypedDict):
    """What the calculation was told beside the tax date and the items, so that `levy explain` can do it again. Absent from explanations stored before it was kept."""

    below_union_threshold: NotRequired[bool]
    """The seller stays below the threshold of the European Union."""
    coupons: NotRequired[bool]
    """Negative lines beside positive ones were spread over these. Absent also where none were."""
    currency: str
    """Currency of the amounts."""
    customer_vat: NotRequired[List[str]]
    """Countries in which the customer has a valid VAT id."""
    destination: ExplainedPlace
    """A place as it was found, without its street."""
    items: List[ExplainedInputItem]
    """What the explained item of the same position lacks."""
    marketplace: bool
    """A marketplace collects and remits the tax."""
    origin: NotRequired[ExplainedPlace]
    """A place as it was found, without its street."""
    overrides: NotRequired[List[ExplainedOverride]]
    """Rates that the organization had set and that held there on the tax date."""
    prices_include_tax: NotRequired[bool]
    """Amounts and discounts of the items include the tax."""
    rates: NotRequired[Dict[str, str]]
    """Units of a currency for one of the sale's, by which limits of the law in that currency were converted."""
    registered: NotRequired[List[str]]
    """Of a sale through a marketplace: where the seller is registered, of the places that may tax it, such as `CA` and `CA-QC`. Absent where it was not known."""
    rounding: RoundingUnit
    """What is rounded once: TAX_PER_LINE, each tax on a line; TAX_PER_DOCUMENT, each tax on the whole document; JURISDICTION_PER_LINE, each jurisdiction on a line."""
    seller: NotRequired[str]
    """Of a sale through a marketplace, the country where the organization is established; absent where that is not known."""
    smallest_unit: NotRequired[int]
    """Hundredths of the smallest unit of a currency without cents, 100 for a yen. Absent for cents."""


class ExplainedInputItem(TypedDict):
    """What a line was told beside its explained item."""

    exempt: NotRequired[ExplainedExemption]
    """The exemption that a line was given."""
    quantity: Quantity
    """Quantity with at least 1 and at most 9 decimals."""
    terms: NotRequired[ExplainedDiscountTerms]
    """Who bears the discounts of a line. Absent where the seller bears them and none is shared."""


class ExplainedItem(TypedDict):
    """One line."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    classification: NotRequired[ProductClassification]
    """Where the tax class of a product comes from. AUTO_DEFAULT for the products the service created by itself."""
    exempt: bool
    """An exemption or a rule freed the line."""
    exemption_category: NotRequired[Literal["PRODUCT", "TRANSACTION", "CUSTOMER", "WHOLESALE", "REGION", "REVERSE_CHARGE", "ZERO_RATE_TAX", "HIGH_VALUE_PHYSICAL_GOODS", "EXPORT", "ZERO_VALUE_ITEM", "NO_RULE_FOUND", "IMPORTED", "ZERO_RATE_NOT_EXEMPT"]]
    """Category of the exemption in returns; absent where it follows from tax_exemption."""
    exemption_id: Optional[str]
    """The stored exemption that applied."""
    external_id: Optional[str]
    """Your identifier of the line."""
    external_product_id: Optional[str]
    """Your identifier of the product."""
    gross_amount: NotRequired[Money]
    """The same with the tax, of prices that include it."""
    item_id: Optional[str]
    """Id of the line."""
    lines: List[ExplainedTax]
    """The part of each jurisdiction."""
    net_amount: Money
    """Amount after discounts and negative lines. Of a negative line, the part that no other line had room for."""
    rounding: ExplainedRounding
    """The one rounding of a line."""
    spread: NotRequired[List[ExplainedSpread]]
    """Of a negative line, what it takes off the other lines."""
    tax_class: TaxClass
    """What is sold, as far as tax law cares. NOT_TAXABLE is never taxed. The set is open. Where a place has no rule for a finer class, that of a coarser one holds."""
    tax_exemption: Optional[str]
    """Why the line is free of tax."""
    total_discount: Money
    """Amount of money with exactly 2 decimals."""


class ExplainedLiability(TypedDict):
    """What of the tax is owed."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    authorities: NotRequired[List[ExplainedAuthority]]
    """Of a sale that several authorities tax, such as the country and a province of Canada. Each is judged by itself."""
    calculated_amount: Money
    """Tax by law."""
    case: NotRequired[int]
    """By which case the transaction owes: 1 a marketplace owes, 2 no obligation but tax was collected, 3 no obligation and none collected, 4 collected amounts are preferred, 5 the larger of calculated and collected tax. Of several authorities it is that of the first. Absent in explanations of earlier releases."""
    collected_amount: Money
    """Tax the merchant collected."""
    marketplace: bool
    """A marketplace collects and remits the tax."""
    nexus_id: Optional[str]
    """Nexus record of the taxing state."""
    nexus_status_on_tax_date: Optional[str]
    """Its status on the tax date."""
    obligation_start_date: Optional[str]
    """Day from which tax must be collected there."""
    rule: str
    """The rule in a sentence."""
    source: TaxLiabilitySource
    """Whether the tax owed is the calculated or the collected one."""


class ExplainedOriginal(TypedDict):
    """The transaction that a credit note refers to."""

    content_version: str
    method: str
    """How the credit follows from the original."""
    owed_after: NotRequired[Money]
    """What they owe with this credit note. The difference is its liability."""
    owed_before: NotRequired[Money]
    """What the sale and the credit notes decided before this one owe. Absent in explanations of earlier releases."""
    tax_date: str
    transaction_id: TransactionId
    """Id of a transaction, sale or credit note."""


# A rate that the organization had set.
ExplainedOverride = TypedDict(
    "ExplainedOverride",
    {
        # First day.
        "from": "str",
        # Id of a rate that the organization set.
        "id": "RateOverrideId",
        # Id of the jurisdiction in the tax content.
        "jurisdiction_id": "str",
        # The rate as a fraction.
        "rate": "str",
        # Why.
        "reason": "str",
        # Day on which it was set.
        "set_on": "str",
        # What is sold, as far as tax law cares. NOT_TAXABLE is never taxed. The set is open. Where a place has no rule for a finer class, that of a coarser one holds.
        "tax_class": "NotRequired[TaxClass]",
        # Last day.
        "to": "NotRequired[str]",
    },
)


class ExplainedPlace(TypedDict):
    """A place as it was found, without its street."""

    address_type: NotRequired[str]
    """Address the place came from."""
    alternatives: NotRequired[List[List[str]]]
    """Ids of the jurisdictions of each set that was not chosen."""
    ambiguous: bool
    """The address fits several sets of jurisdictions."""
    city: NotRequired[str]
    completeness: NotRequired[str]
    """Whether all levels that tax there are in the content."""
    confidence: NotRequired[str]
    """How sure the place is."""
    country: NotRequired[str]
    fault: NotRequired[str]
    """Why the address is invalid."""
    jurisdictions: List[str]
    """Ids of those that tax there."""
    postal_code: NotRequired[str]
    resolution: AddressResolution
    """Precision with which a place is known."""
    state: NotRequired[str]


class ExplainedRefund(TypedDict):
    """Of a credit note or tax refund: what its calculation was told beside the explanation of its sale, so that `levy explain --original` can do it again. Absent from explanations stored before it was kept."""

    collected: NotRequired[List[str]]
    """Collected tax of each line of the sale, after its coupon lines. Absent where none was collected."""
    earlier: NotRequired[List[ExplainedRefundedLine]]
    """Lines of the refunds of the sale that were decided before."""
    lines: List[ExplainedRefundLine]
    """The lines, in the order of items."""


class ExplainedRefundLine(TypedDict):
    """What a line gives back."""

    amount: str
    """Before tax, after coupon lines."""
    coupons: NotRequired[str]
    """What coupon lines take off it; of a coupon line below 0."""
    free: NotRequired[bool]
    """Units come back without an amount."""
    line: int
    """Position of the line of the sale, from 0."""
    quantity: str
    """Units that come back; 0 for a lower price."""
    tax: NotRequired[str]
    """Tax alone that is given back."""


class ExplainedRefundedLine(TypedDict):
    """What a line of an earlier refund took."""

    amount: str
    """Before tax."""
    collected: NotRequired[str]
    """Collected tax; below 0 that of a coupon line."""
    line: int
    """Position of the line of the sale, from 0."""
    quantity: str
    """Units that came back."""
    taxes: NotRequired[List[ExplainedRefundedTax]]
    """Its calculated tax."""


class ExplainedRefundedTax(TypedDict):
    """The part of one jurisdiction in an earlier refund."""

    amount: str
    """Tax that was given back."""
    jurisdiction_name: str
    """Its name."""
    jurisdiction_type: str
    """Kind of jurisdiction."""
    rule_id: str
    """Rule of the tax."""
    taxable_amount: str
    """Base that was given back."""


class ExplainedRounding(TypedDict):
    """The one rounding of a line."""

    allocation: List[str]
    """Jurisdictions that received a leftover cent."""
    mode: Literal["HALF_AWAY_FROM_ZERO"]
    rounded_total: Money
    """Amount of money with exactly 2 decimals."""
    unit: RoundingUnit
    """What is rounded once: TAX_PER_LINE, each tax on a line; TAX_PER_DOCUMENT, each tax on the whole document; JURISDICTION_PER_LINE, each jurisdiction on a line."""
    unrounded_total: ExactAmount
    """Amount of money that is not rounded, with as many decimals as it needs."""


class ExplainedSource(TypedDict):
    """A publication."""

    document: str
    """Name of the document."""
    effective_from: Optional[str]
    """First day it applies."""
    effective_to: Optional[str]
    """Last day it applies; null while it is open."""
    version: str
    """Its version or date."""


class ExplainedSourcing(TypedDict):
    """Which place taxes the sale, and how well it is known."""

    address_type: str
    """Address the place came from; TRANSACTION for the place fields of the transaction itself."""
    alternatives: List[List[str]]
    """Names of the jurisdictions of each set that was not chosen."""
    ambiguous: bool
    """The address fits several sets of jurisdictions."""
    reason: str
    """The rule in a sentence."""
    resolution: AddressResolution
    """Precision with which a place is known."""
    rule: SourcingRule
    """Whether a sale is taxed where it is delivered or where it starts."""


class ExplainedSpread(TypedDict):
    """What a negative line takes off another line."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    item_id: str
    """Id of the line that it lowers."""


class ExplainedTax(TypedDict):
    """The part of one jurisdiction in the tax of a line."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    base_rule: str
    """How the base follows from the amount, such as FULL."""
    jurisdiction_name: str
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: TaxReason
    """Why a tax line is as it is."""
    rule_id: str
    """The rule that applied."""
    source: Optional[ExplainedTaxSource]
    """The publication the rate or rule was taken from; null where there is no rule."""
    state: str
    tax_name: str
    """Name of the tax."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""
    unrounded_amount: ExactAmount
    """Amount of money that is not rounded, with as many decimals as it needs."""


class ExplainedTaxSource(TypedDict):
    """The publication the rate or rule was taken from; null where there is no rule."""

    document: str
    """Name of the document."""
    effective_from: Optional[str]
    """First day it applies."""
    effective_to: Optional[str]
    """Last day it applies; null while it is open."""
    version: str
    """Its version or date."""


class ExplainedTotals(TypedDict):
    """Sums of the lines."""

    tax_amount: Money
    """Amount of money with exactly 2 decimals."""
    tax_rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""


class ExplanationStep(TypedDict):
    """One sentence."""

    code: Literal["SOURCING", "JURISDICTIONS", "CLASSIFICATION", "EXEMPTION", "RATE", "ROUNDING", "LIABILITY", "CONVERSION", "REGISTRATION", "RESULT"]
    """What the sentence is about."""
    n: int
    """Number of the step, from 1."""
    text: str
    """The sentence."""


class Figure(TypedDict):
    """An amount in a currency, and how many records it is made of."""

    amount: str
    """Sum of the records."""
    count: int
    """How many records."""
    currency: str
    """Currency of the amount."""


class Figures(TypedDict):
    """What is owed and what needs a person."""

    as_of: str
    """The day that the figures are about (UTC)."""
    clients: List[ClientHealth]
    """The ten organizations with the most to do."""
    days: List[DayFigure]
    """What is due on the days from today until 30 days from now."""
    due_soon: List[Figure]
    """Open returns that are due within the next 14 days."""
    exposed: List[Figure]
    """Tax that is owed where there is no registration."""
    months: List[MonthFigures]
    """The 13 months until this one, each with the currencies that it has figures in."""
    owed_now: List[Figure]
    """Open returns that are due today or overdue."""
    places: List[PlaceFigure]
    """Where the tax of `exposed` is owed, by currency, the largest amount first."""
    untaxable: List[Figure]
    """Sales that cannot be taxed."""
    up_to_date: bool
    """false while a change waits to be added up, which takes some seconds."""


class Filing(TypedDict):
    """The return of a registration for a period. While it is UNFILED or PAUSED its sums are those of the transactions that it would claim now, afterwards those of its members."""

    amended_totals: NotRequired[AmendedTotals]
    """Of an AMENDMENT."""
    amendment_causes: List[AmendmentCause]
    """What made an AMENDMENT necessary; empty for other filings."""
    amends_filing_id: NotRequired[FilingId]
    """The filed return that an AMENDMENT corrects."""
    amount: Money18
    """What is to be paid, never below 0.00: liability + adjustment - discounts + fees + penalties - prepaid - credit applied. Where that is below 0.00, it is carried."""
    amount_adjusted: Money18
    """Adjustment, may be negative."""
    amount_calculated: Money18
    """Calculated tax."""
    amount_credit_applied: Money18
    """Credit of earlier returns of the registration that is taken off, the oldest first and never more than there is to pay."""
    amount_credit_carried: Money18
    """What the return takes off beyond what it owes: later returns take it off, or it is claimed."""
    amount_discounts: Money18
    """Discounts, taken off."""
    amount_fees: Money18
    """Fees, added."""
    amount_over_collected: Money18
    """By how much collected tax is above the calculated one. It is in total_tax_liability."""
    amount_penalties: Money18
    """Penalties, added."""
    amount_prepaid: Money18
    """Of a REGULAR return: what was paid with the FILED PREPAYMENT filings inside its period."""
    amount_sales: Money18
    """Net sales, credit notes negative."""
    amount_tax_collected: Money18
    """Imported tax."""
    amount_under_collected: Money18
    """By how much collected tax is below the calculated one."""
    approval_blockers: List[Literal["NOT_UNFILED", "PERIOD_OPEN", "BLOCKED", "TRANSACTIONS_IN_PROCESSING", "TRANSACTIONS_UNRESOLVED", "RETURN_INCOMPLETE"]]
    """What stands against its approval: the status, a period that still runs, `block_approval`, transactions of the period that are being processed or will be once an obligation is decided, unresolved ones, or a return that Levy sends and has no document of (`RETURN_INCOMPLETE`, where a filing is read by itself)."""
    approved_at: NotRequired[str]
    """When it was approved."""
    approved_by: NotRequired[str]
    """Who approved it; `auto` for the timer."""
    authority_unanswered_since: NotRequired[str]
    """Since when the calls for the return do not reach its authority; absent while they do, and when it is not FILING. Levy tries again by itself. What could not be handed over for three days becomes an ISSUE, `AUTHORITY_UNREACHABLE`."""
    auto_approved: NotRequired[bool]
    """It was approved by the timer."""
    awaits_confirmation: bool
    """People have to file it with the authority, to which Levy has no connection, and to enter the confirmation."""
    block_approval: NotRequired[bool]
    """No person may approve it."""
    can_approve: bool
    """Nothing stands against its approval."""
    cancelled_reason: NotRequired[str]
    """Why it was cancelled."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    """When it was made."""
    currency: CurrencyCode
    """Currency of the jurisdiction, and of all amounts."""
    date_filed: NotRequired[str]
    """Day on which it was filed."""
    due_date: NotRequired[str]
    """Day on which the return is due, a business day."""
    end_date: str
    """Last day of the period."""
    filing_category: str
    """REGULAR, PREPAYMENT, AMENDMENT or another one."""
    filing_frequency: NotRequired[str]
    """How often the registration files."""
    filing_website_url: Optional[str]
    """Where the return is filed: the website of the authority; null where none is known."""
    findings: List[FilingFinding]
    """What a person should know before the approval."""
    id: FilingId
    """Id of a filing."""
    internal_notes: NotRequired[str]
    """Notes."""
    is_manual: NotRequired[bool]
    """The confirmation was entered by a person."""
    issue_reason: NotRequired[str]
    """What the issue is."""
    jira_issue_key: NotRequired[str]
    """Key of a ticket elsewhere."""
    marketplace_transaction_count: int
    """Transactions of marketplaces, for which nothing is owed."""
    organization_id: OrganizationId
    """Id of an organization."""
    paused_until_date: NotRequired[str]
    """Day on which the pause ends; none until it is resumed."""
    payment_confirmation_id: NotRequired[str]
    """Confirmation of the payment."""
    recent_details_report_link: NotRequired[str]
    """Where the report is, as CSV."""
    registration_id: RegistrationId
    """Id of a registration."""
    report_hash: NotRequired[str]
    """SHA-256 of the canonical report; from FILED on."""
    return_confirmation_id: NotRequired[str]
    """Confirmation of the return by the authority."""
    return_document_hash: NotRequired[str]
    """SHA-256 of the document of the present attempt; null without one."""
    return_layout: NotRequired[str]
    """Edition of the file that the authority takes of it, such as US-WA-E-FILE/1.0: of its document, else of its period. Null where it takes none that Levy knows."""
    skip_reason: NotRequired[str]
    """Why it was skipped."""
    start_date: str
    """First day of the period."""
    state_code: NotRequired[str]
    """Code of the state or province; for a whole country that of the country."""
    state_name: NotRequired[str]
    """Its name."""
    status: FilingStatus
    """Status of a filing."""
    tax_remitted: Money18
    """What was paid; `amount` when it is filed without another word."""
    total_tax_liability: Money18
    """Tax that is owed."""
    total_taxable_sales: Money18
    """What of them is taxable."""
    transaction_count: int
    """Transactions, credit notes included, without those of marketplaces."""
    unresolved_amount: Money18
    """Their net, credit notes negative, in the currency of the filing. Those in a currency without a reference rate are only counted."""
    unresolved_transaction_count: int
    """Transactions of the period that cannot be processed (NEEDS_REFETCH, or failing again and again) and are delivered to the jurisdiction, or whose place of delivery is not known: these count for every filing of the country, or of all. 0 once it is SKIPPED or CANCELLED."""
    updated_at: str
    """When it was last changed."""
    workflow_id: NotRequired[str]
    """Workflow that carries the filing, for searching in the Temporal UI."""


class FilingAcknowledgement(TypedDict):
    """An acknowledgement that a state gave to a person."""

    content: str
    """The file of the site as text, unchanged: XML in UTF-8, with or without the message of SOAP around it."""


class FilingActor(TypedDict):
    """Who did it."""

    id: Optional[str]
    """Of the API key or the person."""
    name: Optional[str]
    """Name that was given, else that of the key; `auto` for the timer."""
    type: Literal["API_KEY", "USER", "STAFF", "SYSTEM"]
    """`API_KEY` by a call, `USER` a person by a call, `STAFF` in the Temporal UI, `SYSTEM` Levy itself."""


class FilingAmend(TypedDict):
    """Why a filed return is amended."""

    amount_adjusted: NotRequired[Money18Input]
    """Adjustment, may be negative."""
    amount_fees: NotRequired[Money18Input]
    """Fees."""
    amount_penalties: NotRequired[Money18Input]
    """Penalties."""
    reason: str
    """Why; the history keeps it, and `internal_notes` begin with it."""


class FilingApproval(TypedDict):
    """Who approves."""

    approved_by: NotRequired[str]
    """Name to be stored; the id of the API key unless sent."""
    attestation: NotRequired[str]
    """The statement that the approver signs, such as that of `GET /v1/filings/{filing_id}/review`. The history has it in these words."""
    exclude_unresolved: NotRequired[bool]
    """File it without its unresolved transactions."""
    expected_amount: NotRequired[Money18Input]
    """`amount` as you have seen it. Another one now is 409 `amount_changed`."""


class FilingApprovalItem(TypedDict):
    """What became of a filing."""

    code: Optional[str]
    """Of a refusal, a code of the problems."""
    filing: NotRequired[Filing]
    """The filing now; left out if there is none of the id."""
    filing_id: str
    """Id of the filing."""
    message: Optional[str]
    """Why it was refused, in words."""
    status: Literal["DONE", "READY", "REFUSED"]
    """DONE: it is approved. READY: a dry run, and it would be."""


class FilingApprovalResult(TypedDict):
    """What became of each filing."""

    attestation: Optional[str]
    """With `dry_run`, the statement to sign for those that would be approved; null if there are none."""
    done_count: int
    """How many were approved; with `dry_run`, how many would be."""
    items: List[FilingApprovalItem]
    """In the order of the request."""
    refused_count: int
    """How many were refused."""


class FilingApprovals(TypedDict):
    """The filings to approve, and who approves them."""

    approved_by: NotRequired[str]
    """Name to be stored; the id of the API key unless sent."""
    attestation: NotRequired[str]
    """The statement that the approver signs for all of them, such as that of a dry run. The history of each has it in these words."""
    dry_run: NotRequired[bool]
    """true: decide and approve nothing."""
    filings: List[FilingToApprove]
    """The filings, each once."""


class FilingAuthority(TypedDict):
    """What an authority got or said."""

    code: Optional[str]
    """Why it rejected the return."""
    confirmation_id: Optional[str]
    """Its confirmation."""
    message: Optional[str]
    """The same in its words."""
    name: Optional[str]
    """Adapter that speaks with the authority; null where people did."""


class FilingCheck(TypedDict):
    """A check before the approval of a filing."""

    code: str
    """What is checked; open: UNRESOLVED, NOTHING_COLLECTED, UNUSUAL_CHANGE, FINDINGS, FIGURES_MISSING, NOTHING_BEFORE."""
    count: int
    """How many records did not pass."""
    message: str
    """The result in words."""
    passed: bool
    """false: a person should look."""


class FilingCreate(TypedDict):
    """A filing to be made."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    date_filed: NotRequired[str]
    """Day on which it was filed, not in the future. FILED without it: today."""
    end_date: str
    """Last day of the period, at most 366 days."""
    filing_category: NotRequired[str]
    """REGULAR unless sent; PREPAYMENT, AMENDMENT, or a category of your own."""
    registration_id: str
    """Levy's id of the registration."""
    start_date: str
    """First day of the period."""
    state_code: str
    """State or province of the registration, by code or name; for a whole country that of the country."""
    state_name: Optional[str]
    """Name to show; `null`: that of the registration."""
    status: FilingStatus
    """Status of a filing."""


class FilingDifference(TypedDict):
    """A place that differs."""

    found: str
    """As recomputed."""
    stated: str
    """As filed."""
    where: str
    """Member of the report, such as `totals.amount_sales`, or the id of a transaction and what of it."""


class FilingEntry(TypedDict):
    """An amount of a return that no transaction makes."""

    amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    created_at: str
    """When it was added."""
    created_by: str
    """Who added it, a person or an API key."""
    external_id: NotRequired[str]
    """Your own number of it."""
    filing_id: FilingId
    """Id of a filing."""
    id: FilingEntryId
    """Id of an entry of a filing."""
    jurisdiction_id: NotRequired[str]
    """Id of the jurisdiction; absent for the authority of the filing."""
    jurisdiction_name: NotRequired[str]
    """Name of the jurisdiction."""
    jurisdiction_type: NotRequired[JurisdictionType]
    """Level of a taxing jurisdiction."""
    kind: FilingEntryKind
    """Kind of an entry. PURCHASE: own purchases without tax; WITHDRAWAL: goods taken from stock; ACQUISITION: bought from another country; EXCESS_TAX: collected above the law in no transaction; NEW_PREPAYMENT: paid with this return for the next period; PRIOR_PAYMENT: paid elsewhere for this period; CREDIT: granted by the authority; BAD_DEBT: tax on sales that were never paid; INPUT_TAX: tax on purchases that is given back; INTEREST and PENALTY."""
    line: NotRequired[str]
    """Line of the form that was named."""
    note: str
    """What it is."""
    taxable: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""


class FilingEntryCreate(TypedDict):
    """An amount to add to a return."""

    amount: Money18Input
    """Tax or payment in the currency of the filing: what the entry adds, or takes off for PRIOR_PAYMENT, CREDIT, BAD_DEBT and INPUT_TAX. Below zero it corrects an earlier return; never for INTEREST and PENALTY."""
    external_id: NotRequired[str]
    """Your own number of the entry, such as that of the document. A second entry of the organization with the same one is refused with 409 `duplicate_external_id`."""
    jurisdiction_id: NotRequired[str]
    """Id of a jurisdiction of the tax content, such as `US-TX-C453`; the authority of the filing unless sent."""
    jurisdiction_name: NotRequired[str]
    """Name of the jurisdiction, as the `tax_items` of transactions have it, with `jurisdiction_type`. Another way to say `jurisdiction_id`."""
    jurisdiction_type: NotRequired[JurisdictionType]
    """Level of the jurisdiction that `jurisdiction_name` names."""
    kind: FilingEntryKind
    """Kind of an entry. PURCHASE: own purchases without tax; WITHDRAWAL: goods taken from stock; ACQUISITION: bought from another country; EXCESS_TAX: collected above the law in no transaction; NEW_PREPAYMENT: paid with this return for the next period; PRIOR_PAYMENT: paid elsewhere for this period; CREDIT: granted by the authority; BAD_DEBT: tax on sales that were never paid; INPUT_TAX: tax on purchases that is given back; INTEREST and PENALTY."""
    line: NotRequired[str]
    """Line of the form, as its worksheet has it. That of the kind unless sent."""
    note: str
    """What it is, for who reads the return later. No personal data."""
    taxable: NotRequired[Money18Input]
    """Base of the tax. Required for PURCHASE, WITHDRAWAL and ACQUISITION."""


class FilingExclusion(TypedDict):
    """What an approval left out."""

    amount: Money18
    """Net of those with a reference rate, in the currency of the filing."""
    transaction_count: int
    transaction_ids: List[str]


class FilingFinding(TypedDict):
    """Something that a person should know before the approval of a filing."""

    amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    code: str
    """What it is; open: OVER_COLLECTED, UNDER_COLLECTED, PREPAYMENT_MISSING, PREPAYMENTS_NOT_PLANNED, CREDIT_APPLIED, CREDIT_CARRIED, CREDIT_TO_CLAIM, CREDIT_TAKEN, FORM_DIFFERS, UNCERTAIN_TAX, NO_OBLIGATION, EXCLUDED."""
    count: int
    """Of how many records."""
    message: str
    """The same in words."""
    severity: Literal["ERROR", "WARNING", "INFO"]


class FilingHistory(TypedDict):
    """A page of the history of a filing, the oldest first."""

    items: List[FilingHistoryEntry]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


# Something that happened to a filing.
FilingHistoryEntry = TypedDict(
    "FilingHistoryEntry",
    {
        # What was done. ENTRY_ADDED, ENTRY_DELETED, PAYMENT_RECORDED and PAYMENT_DELETED are no transitions. REJECTED is an issue that Levy, a person or the authority found; RELEASED gave the transactions back after an issue. SECOND_PERSON_ENDED let one person do both, for all open filings of the organization.
        "action": "Literal[\"CREATED\", \"APPROVED\", \"SUBMITTED\", \"FILED\", \"REJECTED\", \"RETRIED\", \"PAUSED\", \"RESUMED\", \"RELEASED\", \"SKIPPED\", \"CANCELLED\", \"ENTRY_ADDED\", \"ENTRY_DELETED\", \"PAYMENT_RECORDED\", \"PAYMENT_DELETED\", \"SECOND_PERSON_ENDED\"]",
        # Who did it.
        "actor": "FilingActor",
        # When it happened.
        "at": "str",
        # Which attempt at filing it belongs to; 0 before the first.
        "attempt": "int",
        # The statement that the approver signed, in its words.
        "attestation": "Optional[str]",
        # What went to the authority or came from it; null for what concerns none.
        "authority": "Optional[FilingHistoryEntryAuthority]",
        # The unresolved transactions that an approval left out; null where it left nothing out.
        "excluded_unresolved": "Optional[FilingHistoryEntryExcludedUnresolved]",
        # Status before; null when the filing was made.
        "from": "Optional[str]",
        # Of an issue, of SKIPPED and of CANCELLED; kind, amount and note of an entry; who asked for SECOND_PERSON_ENDED.
        "reason": "Optional[str]",
        # Status after it; that of before for a submission, which is no transition.
        "to": "str",
    },
)


class FilingHistoryEntryAuthority(TypedDict):
    """What went to the authority or came from it; null for what concerns none."""

    code: Optional[str]
    """Why it rejected the return."""
    confirmation_id: Optional[str]
    """Its confirmation."""
    message: Optional[str]
    """The same in its words."""
    name: Optional[str]
    """Adapter that speaks with the authority; null where people did."""


class FilingHistoryEntryExcludedUnresolved(TypedDict):
    """The unresolved transactions that an approval left out; null where it left nothing out."""

    amount: Money18
    """Net of those with a reference rate, in the currency of the filing."""
    transaction_count: int
    transaction_ids: List[str]


class FilingList(TypedDict):
    """A page of filings."""

    items: List[Filing]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class FilingPayment(TypedDict):
    """What is to be paid for a filing, until when and how."""

    account_number: Optional[str]
    """Account of the organization, masked."""
    amount: Money18
    """What is to be paid: of an approved return its amount, of a filed one what is `open`. One that counts as paid in full and has no recorded payments has its whole amount: a bank file may be how it is paid. For a return of the one-stop shop the total of its worksheet takes the place of its amount, and its amendments have 0.00."""
    bank_name: Optional[str]
    """Bank of the organization; null without bank details."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    currency: str
    """Currency of the amounts."""
    due_date: Optional[str]
    """Last day of the payment."""
    end_date: str
    """Last day of the period."""
    filing_id: FilingId
    """Id of a filing."""
    findings: List[WorksheetFinding]
    method: str
    """How it is paid: PORTAL, DEBIT or CREDIT, or what the registration has instead."""
    open: Money18
    """The amount of the filing, or for the one-stop shop the total of the worksheet, less what was paid. Before the return is filed, nothing is paid."""
    paid: Money18
    """What was paid: `tax_remitted` of the filing, with the recorded payments."""
    payable: bool
    """A bank file may have the payment now."""
    payments: List[RecordedPayment]
    """Payments that were recorded after the return was filed, the oldest first."""
    receiver_account_number: Optional[str]
    """Account of the authority, masked."""
    receiver_name: Optional[str]
    """Name of the authority at its bank."""
    settlement_date: Optional[str]
    """The day on which the bank of the authority has the money by a bank file that is made today: a day on which banks work. null but for CREDIT."""
    start_date: str
    """First day of the period."""
    state_code: str
    """Code of the state; the country's code where the jurisdiction is a whole country."""
    state_name: Optional[str]
    """Name of the jurisdiction."""
    status: FilingStatus
    """Status of a filing."""


class FilingPaymentList(TypedDict):
    """A page of what is to be paid."""

    items: List[FilingPayment]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class FilingPlaceChange(TypedDict):
    """The tax owed in a jurisdiction, in the filing and in the one of the period before."""

    cause: Optional[str]
    """Why it changed; open: NEW_PLACE, NO_SALES, RATE, MORE_TAXABLE, LESS_TAXABLE, OTHER. null if it did not."""
    change: str
    """The difference."""
    jurisdiction: str
    """Its name."""
    level: str
    """Type of the jurisdiction."""
    owed: str
    """Tax owed in this filing."""
    owed_before: str
    """Tax owed in the filing before."""


class FilingReport(TypedDict):
    """The report of a filing."""

    content_versions: List[str]
    """Versions of the tax content by which the transactions were taxed, sorted."""
    excluded_unresolved: NotRequired[ReportedExclusion]
    """What the approval left out because it could not be processed; absent where nothing was left out."""
    filing: ReportedFiling
    """What was filed for whom, and what came back."""
    generated_at: str
    """When it was filed; of a preview, now."""
    jurisdictions: List[ReportedJurisdiction]
    """What each jurisdiction gets, sorted by level and name. `tax_amount` of all of them together is `totals.total_tax_liability`, in reports of early releases `totals.amount_calculated`."""
    report_hash: Optional[str]
    """SHA-256 of the canonical report, in hexadecimal; null before FILED."""
    taxpayer: NotRequired[ReportedTaxpayer]
    """For whom the return is, fixed with FILED; absent in returns that were filed before Levy kept it."""
    totals: ReportedTotals
    """The amounts of the filing, credit notes negative."""
    transactions: List[ReportedTransaction]
    """All of them, sorted by id."""


class FilingReturn(TypedDict):
    """The file of a filing for its authority, and what is to be known of it."""

    attempt: Optional[int]
    """The attempt that it is of; null before the approval."""
    confidence: Optional[str]
    """How sure the layout is. Of LOW ones there is no document."""
    day: Optional[str]
    """The day of filing that it states, by the calendar of the authority; null without a document."""
    edition: Optional[str]
    """Edition of the file."""
    file_name: Optional[str]
    """Null without a document."""
    filing_id: FilingId
    """Id of a filing."""
    findings: List[WorksheetFinding]
    fixed: bool
    """The document is stored and never changes."""
    layout: Optional[str]
    """Edition of the file by its period, such as US-WA-E-FILE/1.0; null where the authority takes none that Levy knows."""
    media_type: Optional[str]
    """Null without a document."""
    name: Optional[str]
    """Name of the file."""
    sha256: Optional[str]
    """Of the document; null without one."""
    source: Optional[str]
    """What was read for the layout."""


class FilingReview(TypedDict):
    """What an approver should know of a filing."""

    amount: str
    """What is to be paid."""
    attestation: str
    """The statement to sign with the approval."""
    before_filing_id: Optional[str]
    """The filing of the period before, of the same registration, category and currency."""
    checks: List[FilingCheck]
    currency: str
    """Currency of the amounts."""
    decided_by_another: Optional[str]
    """Why the caller may not decide about it as it is now, in words. null: the second person refuses nothing."""
    filed_by_hand: Optional[bool]
    """true: no adapter reaches the authority, so a person files it there (`filing_website_url`) and enters the confirmation. null: it is not known before the approval."""
    filing_id: str
    places: List[FilingPlaceChange]
    """Jurisdictions by the size of the change. They add up figures of the worksheets of both filings."""
    second_person_required: bool
    """The organization requires a second person."""


class FilingToApprove(TypedDict):
    """A filing of the organization with the amount that you have seen."""

    expected_amount: NotRequired[Money18Input]
    """`amount` as you have seen it, needed unless `dry_run`. Another one now is refused with `amount_changed`."""
    filing_id: str
    """Id of the filing."""


class FilingUpdate(TypedDict):
    """Changes of a filing. Absent fields stay, `null` clears a field to its default."""

    amount_adjusted: NotRequired[Money18InputOrNull]
    """Adjustment, may be negative."""
    amount_discounts: NotRequired[Money18InputOrNull]
    """Discounts."""
    amount_fees: NotRequired[Money18InputOrNull]
    """Fees."""
    amount_penalties: NotRequired[Money18InputOrNull]
    """Penalties."""
    block_approval: NotRequired[Optional[bool]]
    """No person may approve it."""
    cancelled_reason: NotRequired[Optional[str]]
    """Why it is cancelled; needed for CANCELLED."""
    date_filed: NotRequired[Optional[str]]
    """Day on which it was filed, not in the future."""
    due_date: NotRequired[Optional[str]]
    """Day on which the return is due; `null`: that of the law, where it is known."""
    internal_notes: NotRequired[Optional[str]]
    """Notes."""
    is_manual: NotRequired[Optional[bool]]
    """The confirmation was entered by a person."""
    issue_reason: NotRequired[Optional[str]]
    """What the issue is; needed for ISSUE."""
    jira_issue_key: NotRequired[Optional[str]]
    """Key of a ticket elsewhere."""
    paused_until_date: NotRequired[Optional[str]]
    """Day in the future on which the pause ends; only with PAUSED."""
    payment_confirmation_id: NotRequired[Optional[str]]
    """Confirmation of the payment."""
    return_confirmation_id: NotRequired[Optional[str]]
    """Confirmation of the return."""
    skip_reason: NotRequired[Optional[str]]
    """Why it is skipped; needed for SKIPPED."""
    status: NotRequired[FilingStatus]
    """Status of a filing."""
    tax_remitted: NotRequired[Money18InputOrNull]
    """What was paid."""


class FilingVerification(TypedDict):
    """Whether a filing still is what was filed."""

    differences: List[FilingDifference]
    """What differs, at most 100 places."""
    differences_truncated: bool
    """There are more."""
    filing_id: FilingId
    """Id of a filing."""
    recomputed_hash: Optional[str]
    """Hash of the report as the members give it now."""
    report_hash: Optional[str]
    """Hash of the report as it was filed."""
    transactions: int
    """Members that were read."""
    verdict: Literal["SAME", "DIFFERENT", "NOT_FILED"]
    """SAME, DIFFERENT, or NOT_FILED as long as there is no report to compare with."""


class FilingWorksheet(TypedDict):
    """A return in the lines of its form."""

    confidence: Literal["HIGH", "MED", "LOW"]
    """The lowest of what the worksheet rests on."""
    currency: str
    """Currency of all amounts."""
    edition: str
    """Edition of the form."""
    figures: List[WorksheetFigure]
    filing_id: FilingId
    """Id of a filing."""
    findings: List[WorksheetFinding]
    form: str
    """Number of the form."""
    frozen: bool
    """The claim of the filing has fixed the figures."""
    layout: str
    """Edition of the form by its period, such as US-TX-01-114/2019-04; GENERAL/1 where the form was not read."""
    lines: List[WorksheetLine]
    missing_figures: int
    """Transactions of an earlier release whose figures are not written yet."""
    name: str
    """Name of the form."""
    notice: Optional[str]
    """What to compare before filing; null with HIGH."""
    source: str
    """What was read for the layout."""


class FoundRecord(TypedDict):
    """Something that was found."""

    amount: NotRequired[str]
    """Total of a transaction, or what is to be paid with a filing; absent if the record has none yet."""
    currency: NotRequired[str]
    """Currency of `amount`."""
    date: NotRequired[str]
    """Instant of a transaction."""
    end_date: NotRequired[str]
    """Last day of it."""
    object_id: str
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    place: NotRequired[str]
    """Name of the place of a filing or a registration."""
    start_date: NotRequired[str]
    """First day of the period of a filing."""
    status: NotRequired[str]
    """Status of a filing or a registration."""
    title: str
    type: SearchResultType
    """Kind of a record that was found."""


class Grant(TypedDict):
    """What the people and keys of a partner may do for a client. `admin`, during the onboarding, allows all that an admin may. `approver` and `preparer` allow what people with that role may, and keys without the scope `people`. `as_before` is of clients from before there were grants: the partner reads sales, nexus, registrations, filings, imports and events, manages the keys and the record of the client, and writes nothing else."""

    confirmed_at: Optional[str]
    """When an admin of the client confirmed, changed or gave it; null if no admin has."""
    created_at: str
    ended_at: Optional[str]
    """When the client ended it."""
    partner: OrganizationId
    """Id of an organization."""
    role: Optional[Literal["admin", "approver", "preparer", "as_before"]]
    """What the partner may do now; null after the end of the grant."""
    role_after_onboarding: GrantRole
    updated_at: str


class GrantUpdate(TypedDict):
    """A grant to confirm, change or give again."""

    role: GrantRole
    """What a partner may do for a client after its onboarding."""


class Health(TypedDict):
    """The process runs."""

    status: Literal["ok"]


class InstallationStatus(TypedDict):
    """How the installation is, in words."""

    advice: List[str]
    """What needs a person, the cause before what follows from it."""
    alarms: List[Alarm]
    """The alarms of docs/operations/alarms.yml whose condition is true now. Each fires after its time."""
    alarms_elsewhere: List[str]
    """Names of the alarms that follow from how figures changed, which only a Prometheus knows."""
    lines: List[StatusLine]


class InvitedUser(TypedDict):
    """A person, with a link when one was made."""

    created_at: str
    email: str
    id: UserId
    """Id of a person."""
    mailed: bool
    """A link was made and is sent to the person by e-mail. No answer has it."""
    memberships: List[UserMembership]
    """Where the person has which role, as far as you may know; `role` and `staff_role` say the same."""
    name: str
    passkeys: int
    """How many passkeys the person has."""
    role: Optional[str]
    """Role in the organization; null for staff."""
    second_factor: bool
    """Signing in asks for a code too."""
    secret_available: bool
    """`sign_in_path` is in this answer. Repeats of a call have it no more."""
    sign_in_path: Optional[str]
    """Path of the page on which the password is set, once; shown only now. null when no link was made, or it is sent by e-mail."""
    sign_in_path_expires_at: Optional[str]
    staff_role: Optional[str]
    """Role at the operator; null for others."""
    status: UserStatus
    """INVITED: no password was set yet."""


class Jurisdiction(TypedDict):
    """A taxing authority."""

    code: str
    """Code the authority itself uses; empty when there is none."""
    country: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    jurisdiction_name: str
    """Name of the authority."""
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    state: str
    """State or province it lies in; empty for a country."""


class MadeOnboardingLink(TypedDict):
    """A new link."""

    created_at: str
    """When it was made."""
    expires_at: str
    """Until when it works at most."""
    made_by: str
    """Name of the person who made it, or id of the key."""
    mail: Optional[OnboardingLinkMail]
    """The e-mail with the link; null where it was not sent by e-mail."""
    opened_at: Optional[str]
    """When it was first opened; null for never."""
    path: Optional[str]
    """Path of the page on which the client begins and goes on; shown only now."""
    secret_available: bool
    """`path` is in this answer. Repeats of a call have it no more."""


class MadeThing(TypedDict):
    """A thing that gives access, after the end of its maker."""

    id: str
    organization_id: OrganizationId
    """Id of an organization."""
    type: Literal["api_key", "calendar_feed", "invitation", "onboarding_link", "webhook_endpoint"]
    """Kind of the thing. Of an `invitation` the id is that of the person."""


class MasterKey(TypedDict):
    """A master key."""

    behind: bool
    """It was put behind the newest one, and nothing is made with it before it is in front."""
    id: str
    lost: bool
    """It was retired although something needed it."""
    needs: List[MasterKeyNeed]
    """What needs it."""
    newest: bool
    """It takes over from the others."""
    retired: bool


class MasterKeyHolder(TypedDict):
    """A key or codes that only the holder can move to another master key, by using or replacing them."""

    expires_at: Optional[str]
    id: str
    """Of the key, or of the person."""
    kind: Literal["api_key", "operator_key", "recovery_code"]
    last_used_at: Optional[str]
    master_key: Optional[str]
    """Null if it is not known, because an earlier release wrote it."""
    name: Optional[str]
    organization_id: Optional[str]
    """Null for the operator."""
    organization_name: Optional[str]


class MasterKeyNeed(TypedDict):
    """What needs a master key."""

    count: int
    remedy: str
    """How that ends."""
    until: Optional[str]
    """When the last of them ends by itself; null if they do not."""
    what: str
    """Such as `API keys`."""


class MasterKeys(TypedDict):
    """The master keys of the installation, without the keys themselves."""

    holders: List[MasterKeyHolder]
    """What only its holder can move to the newest master key."""
    keys: List[MasterKey]
    """The newest first."""
    total: int


class Mention(TypedDict):
    """A comment that waits for the person."""

    author_name: str
    """Who wrote it."""
    comment_id: str
    """Id of the comment."""
    created_at: str
    object_id: str
    """The record that it is about."""
    object_type: CommentSubjectType
    """Type of a record with comments."""
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    text: str
    """Its text now."""


class MentionList(TypedDict):
    """Comments that wait for the person."""

    items: List[Mention]


class MonthFigures(TypedDict):
    """Figures of a month, in a currency."""

    currency: str
    """Currency of the amounts."""
    due_amount: str
    """What the returns that are due in the month add up to, filed or not."""
    exposed_amount: str
    """Tax of the month's sales where tax is owed and there is no registration now."""
    start_date: str
    """First day of the month."""
    untaxable_amount: str
    """Total of the sales that still cannot be taxed, and of which that was found in the month."""
    untaxable_count: int
    """How many such sales."""


class NexusCrossing(TypedDict):
    """The sale that crossed the threshold, with what counted in its period up to and with it."""

    period_end_date: str
    """Last day of that period."""
    period_start_date: str
    """First day of the period that it crossed."""
    running_sales_total: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    running_transaction_count: int
    """Counted sales."""
    transaction_date: str
    """Date and time of the sale."""
    transaction_id: str
    """Levy's id of the sale."""


class NexusDisregard(TypedDict):
    """Which nexus is disregarded, why and how long."""

    nexus_types: NotRequired[List[NexusKind]]
    """The kinds of nexus; all unless sent."""
    reason: str
    """Why."""
    until: NotRequired[str]
    """First day on which it is not disregarded any more, in the future; without it for good."""


class NexusList(TypedDict):
    """A page of nexus records."""

    items: List[NexusRecord]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class NexusMonth(TypedDict):
    """Sales of a month that count."""

    included_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    start_date: str
    transaction_count: int


class NexusMonths(TypedDict):
    """Sales of a jurisdiction by month."""

    average_amount: Money18
    """What counted in a month, on average of the last six full ones."""
    average_count: int
    """How many sales counted in a month on that average, rounded."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    months: List[NexusMonth]
    nexus_id: NexusId
    """Id of a nexus record."""


class NexusOutlook(TypedDict):
    """Where the organization would stand."""

    confidence_level: NotRequired[int]
    """How steady the last months are, 0 to 100."""
    economic_nexus_met: bool
    """Whether sales make nexus."""
    economic_nexus_met_date: NotRequired[str]
    """Since when."""
    obligation_start_date: NotRequired[str]
    """First day on which tax would have to be collected because of the sales."""
    physical_nexus_met: bool
    """Whether a presence makes nexus."""
    predicted_month_from_today: NotRequired[int]
    """Months until the threshold is crossed; absent: not within 12."""
    status: NexusStatus
    """How far nexus is."""
    threshold_sales: Decimal
    """Threshold of the amount; absent: there is none."""
    threshold_transactions: int
    """Threshold of the number; absent: there is none."""
    transaction_count: int
    """Counted sales of the period."""
    transactions_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""


class NexusPeriod(TypedDict):
    """What counted in one period."""

    crossing_transaction_id: NotRequired[str]
    """The sale that crossed it."""
    end_date: str
    """Last day."""
    exempt_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    included_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    marketplace_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    met: bool
    """Whether the threshold was met."""
    met_date: NotRequired[str]
    """Day on which it was met."""
    start_date: str
    """First day."""
    transaction_count: int
    """Counted sales."""
    transactions_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""


class NexusPlace(TypedDict):
    """A jurisdiction with a nexus record."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    state_code: str
    """Code or name of the state; the country's code where the jurisdiction is a whole country."""


class NexusRecord(TypedDict):
    """Where the organization stands in a jurisdiction. Amounts are in `currency`."""

    calculated_tax_liability: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    collected_tax_nexus_met: bool
    """By tax that was collected."""
    collected_tax_nexus_met_date: NotRequired[str]
    """First day of collected tax."""
    confidence_level: NotRequired[int]
    """How steady those months are, 0 to 100."""
    counted_sales: NotRequired[str]
    """Which sales the threshold counts, in words; absent without a threshold."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    """When the record was made."""
    crossing: NotRequired[NexusCrossing]
    """The sale that crossed the threshold."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    disregard_reason: NotRequired[str]
    """Why."""
    disregarded_at: NotRequired[str]
    """When nexus was disregarded."""
    disregarded_by: NotRequired[str]
    """Id of the API key that did it."""
    disregarded_nexus_types: List[NexusKind]
    """The kinds that are disregarded."""
    disregarded_until: NotRequired[str]
    """First day on which it is not disregarded any more."""
    earliest_collected_date: str
    """First sale with collected tax, also if it was given back. When nothing was collected it is `2018-01-01T00:00:00Z`, which is no day of a sale."""
    earliest_transaction_date: NotRequired[str]
    """First sale."""
    economic_nexus_met: bool
    """By sales."""
    economic_nexus_met_date: NotRequired[str]
    """Day that made economic nexus."""
    id: NexusId
    """Id of a nexus record."""
    imported_tax_liability: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    is_currently_disregarded: bool
    """Whether it is disregarded at present."""
    is_vda_eligible: bool
    """Whether a voluntary disclosure is possible: nexus was met more than 90 days ago and there never was a registration."""
    jurisdiction_kind: JurisdictionKind
    """What the jurisdiction is: a state, a province, a whole country, or the European Union."""
    last_processed_at: NotRequired[str]
    """When it was last evaluated."""
    last_tax_liability_processed_at: NotRequired[str]
    """When the taxes were last added up."""
    marketplace_included: bool
    """Whether sales through marketplaces count."""
    most_recent_transaction_date: NotRequired[str]
    """Last sale."""
    nexus_met: bool
    """Whether there is nexus of a kind that is not disregarded."""
    nexus_met_date: NotRequired[str]
    """Since when there is nexus."""
    nexus_type: NexusType
    """Kind of nexus rule. STATE is also that of provinces and of countries outside Canada and the European Union; `jurisdiction_kind` tells them apart."""
    obligation_start_date: NotRequired[str]
    """First day on which tax has to be collected."""
    organization_id: OrganizationId
    """Id of an organization."""
    period_end_date: str
    """Last day of the period in evaluation."""
    period_model: NexusPeriodModel
    """Over which period sales are added up."""
    period_start_date: str
    """First day of the period in evaluation."""
    periods: List[NexusPeriod]
    """The periods of the last years, newest first."""
    physical_nexus_met: bool
    """By presence."""
    physical_nexus_met_date: NotRequired[str]
    """First day of the presence."""
    predicted_month_from_today: NotRequired[int]
    """Months until the threshold is crossed at the average of the last 6 full months, 1 to 12; absent: not within 12."""
    previous_period_end_date: str
    """Last day of the period before that one."""
    previous_period_start_date: str
    """First day of the period before that one."""
    previous_transaction_count: int
    """Counted sales of the previous period."""
    previous_transactions_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    processing_status: NexusProcessingStatus
    """Whether the record says what is known by now. NOT_READY was never evaluated; NEEDS_RERUN is evaluated within a second."""
    registration: NotRequired[NexusRegistration]
    """The registration in the jurisdiction."""
    registration_regime: NexusRegime
    """How one registers there."""
    sales_or_transactions: SalesOrTransactions
    """Which threshold counts: the amount, the number, one of the two, or both."""
    start_date: str
    """Day from which the threshold applies."""
    state_code: str
    """Code of the state; the country's code where the jurisdiction is a whole country."""
    state_name: str
    """Name of the jurisdiction."""
    status: NexusStatus
    """How far nexus is."""
    tax_liability: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    threshold_sales: Decimal
    """Threshold of the amount; 0 where `sales_or_transactions` says that only the number counts."""
    threshold_source: NotRequired[str]
    """The statute or regulation of the threshold; absent without one."""
    threshold_transactions: int
    """Threshold of the number of sales; 0 where `sales_or_transactions` says that only the amount counts."""
    total_transactions: int
    """All sales of the periods in evaluation."""
    total_transactions_exempted: int
    """Of these, those that are exempt as a whole."""
    total_transactions_included: int
    """Of these, those that count."""
    total_transactions_marketplace: int
    """Of these, those through marketplaces."""
    transaction_count: int
    """Counted sales of the period."""
    transactions_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    treatment_of_exempt_transactions: ExemptTreatment
    """Whether exempt sales count. DEPENDS leaves out sales for resale; INCLUDE_IF_PRESENCE counts them with physical nexus only; YES_SALES_NO_TRANSACTIONS counts their amount and not their number."""
    trigger: str
    """When collecting must begin after nexus is met, such as NEXT_TRANSACTION, FIRST_OF_NEXT_MONTH, DAYS_30 or NEXT_CALENDAR_YEAR. The set is open."""
    updated_at: str
    """When it last changed."""
    vda_eligible: bool
    """The same."""


class NexusRegister(TypedDict):
    """The registration to be made for a nexus record. The jurisdiction is that of the record; the other fields are those of a registration, all of them optional."""

    amount_fees: NotRequired[Money18Input]
    """Fees of the registration."""
    change_regime_status: NotRequired[ChangeRegimeStatus]
    """How far a change of the regime is."""
    comment: NotRequired[str]
    """Note."""
    create_filings_from: NotRequired[str]
    """First day that filings cover, at most 10 years back; `registration_date` unless sent."""
    deregistration_completed: NotRequired[str]
    """When its end was confirmed. Set by the service unless sent."""
    deregistration_requested: NotRequired[str]
    """When its end was asked for. Set by the service unless sent."""
    do_not_file: NotRequired[bool]
    """No filings are made for it."""
    filing_frequency: NotRequired[FilingFrequencyInput]
    """How often returns are filed. `ANNUAL` means `ANNUALLY`. May be left out for `OSS`, whose returns are quarterly, and for `SST`, where the usual frequency of the state is taken."""
    imported: NotRequired[bool]
    """It exists already and is REGISTERED at once."""
    initial_sync: NotRequired[bool]
    """Mark of your own."""
    jurisdiction_specific_fields: NotRequired[Dict[str, Any]]
    """What only this jurisdiction asks for, at most 8 KiB."""
    marked_collecting: NotRequired[bool]
    """The organization collects tax there."""
    member_state_of_identification_code: NotRequired[CountryCode]
    """Another name of `oss_member_state_of_identification_code`."""
    oss_member_state_of_identification_code: NotRequired[CountryCode]
    """Member state where the one-stop shop is used. Required for `OSS`."""
    oss_type: NotRequired[OssType]
    """Scheme of the one-stop shop; for `OSS` UNION unless sent, if the business is established in the European Union, else NON_UNION."""
    password_metadata_plain_text: NotRequired[str]
    """What else the account needs, such as answers to its questions. Stored encrypted and never returned."""
    password_plain_text: NotRequired[str]
    """Password of that account. Stored encrypted and never returned."""
    registration_completed: NotRequired[str]
    """When it was confirmed. Set by the service unless sent."""
    registration_date: NotRequired[str]
    """Day from which it counts. Today or a day that has passed makes the registration REGISTERED at once; one with a day to come goes to the authority, and counts from that day on once it is confirmed."""
    registration_email: NotRequired[str]
    """E-mail address that the authority knows."""
    registration_import_type: NotRequired[RegistrationImportType]
    """Where it is made: at the jurisdiction (`REGULAR`), through Streamlined Sales Tax (`SST`), or at the one-stop shop of the European Union (`OSS`), whose `country_code` is `ZZ_EU`."""
    registration_requested: NotRequired[str]
    """When it was asked for. Set by the service unless sent."""
    registrations_regime: NotRequired[RegistrationRegime]
    """Regime of the registration; `STANDARD` unless sent."""
    sales_tax_id: NotRequired[str]
    """Number that the authority gave."""
    sst_import: NotRequired[bool]
    """It came from a Streamlined Sales Tax import."""
    start_date: NotRequired[str]
    """Another name of `registration_date`."""
    tax_id: NotRequired[str]
    """Tax number of the organization there."""
    username: NotRequired[str]
    """Name of the account at the portal of the authority."""
    vda: NotRequired[bool]
    """It follows a voluntary disclosure."""


class NexusRegistration(TypedDict):
    """The registration in the jurisdiction."""

    filing_frequency: str
    """How often returns are filed."""
    id: str
    """Levy's id of the registration."""
    registration_date: NotRequired[str]
    """First day that it covers."""
    registrations_regime: NexusRegime
    """How one registers there."""
    sales_tax_id: NotRequired[str]
    """Number with the authority."""
    status: RegistrationStatus
    """Status of a registration. `/v1/meta/state-machines` lists the transitions."""


class NexusSimulated(TypedDict):
    """The outcome of a simulation."""

    changed: int
    """In how many jurisdictions something would be different."""
    items: List[SimulatedNexus]
    """By country and state."""
    on: str
    """The day that was looked at."""


class NexusSimulation(TypedDict):
    """What is to be different. An empty body simulates the present."""

    additional_sales: NotRequired[List[SimulatedSales]]
    """Sales to be added."""
    jurisdictions: NotRequired[List[NexusPlace]]
    """Those to be answered; all unless sent."""
    marketplace_share: NotRequired[int]
    """The share of all sales that goes through marketplaces, in percent; as it is unless sent."""
    on: NotRequired[str]
    """The day on which it is looked at; today unless sent. At most 366 days from now."""
    sales_change_percent: NotRequired[int]
    """By how much all sales grow, or shrink below zero, in percent of their amount and number."""
    thresholds: NotRequired[List[SimulatedThreshold]]
    """Other thresholds."""


class Notice(TypedDict):
    """A letter of a tax authority."""

    amount: Optional[str]
    """What the authority wants, or pays for the kind REFUND; two decimals."""
    answer: Optional[str]
    """What was answered, or why nothing is."""
    answered_at: Optional[str]
    """When it became ANSWERED or CLOSED."""
    assignee: Optional[str]
    """Who takes care of it, as of its exception."""
    authority: str
    """Name of the authority, as the letter has it."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    currency: Optional[str]
    description: Optional[str]
    documents: List[NoticeDocument]
    """The letters, the oldest first."""
    due_date: Optional[str]
    """Last day for an answer; null: the letter sets none."""
    filing_id: Optional[str]
    """The return that the letter is about; null: the registration itself."""
    id: NoticeId
    """Id of a notice."""
    kind: NoticeKind
    """What the authority writes about. ASSESSMENT is tax that it has set itself, FREQUENCY_CHANGE that returns are due for other periods."""
    organization_id: OrganizationId
    """Id of an organization."""
    received_date: str
    reference: Optional[str]
    """By which the authority knows the letter."""
    registration_id: str
    """The registration that the letter is about; of a letter about a return, that of the return."""
    revision: int
    """Raised by each change."""
    state_code: str
    """Code of the state; the country's code where the jurisdiction is a whole country."""
    status: NoticeStatus
    """How far people are with the notice. OPEN and IN_PROGRESS need an answer."""
    updated_at: str


class NoticeCreate(TypedDict):
    """A letter of a tax authority to be recorded. It is about a return or a registration."""

    amount: NotRequired[Money18Input]
    """What the authority wants, or pays for the kind REFUND; not negative, with `currency`."""
    assignee: NotRequired[str]
    """Who takes care of it."""
    authority: str
    """Name of the authority, as the letter has it."""
    currency: NotRequired[CurrencyCode]
    """ISO 4217 code of a currency."""
    description: NotRequired[str]
    """What it is about. No personal data."""
    due_date: NotRequired[str]
    """Last day for an answer; without it the letter sets none."""
    filing_id: NotRequired[str]
    """The return that the letter is about."""
    kind: NoticeKind
    """What the authority writes about. ASSESSMENT is tax that it has set itself, FREQUENCY_CHANGE that returns are due for other periods."""
    received_date: str
    """Day on which the letter was received, not in the future."""
    reference: NotRequired[str]
    """By which the authority knows the letter."""
    registration_id: NotRequired[str]
    """The registration that the letter is about."""


class NoticeDocument(TypedDict):
    """A letter that is stored with a notice."""

    content_type: str
    created_at: str
    filename: str
    id: str
    notice_id: NoticeId
    """Id of a notice."""
    sha256: str
    size: int
    """Bytes."""


class NoticeList(TypedDict):
    """A page of notices."""

    items: List[Notice]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class NoticeUpdate(TypedDict):
    """Changes of a notice. Absent fields stay, `null` clears a field that may be absent."""

    amount: NotRequired[Money18InputOrNull]
    """What the authority wants, or pays for the kind REFUND; not negative, with `currency`."""
    answer: NotRequired[Optional[str]]
    """What was answered, or why nothing is. No personal data."""
    assignee: NotRequired[Optional[str]]
    """The person who takes care of it, or null."""
    authority: NotRequired[str]
    """Name of the authority, as the letter has it."""
    currency: NotRequired[CurrencyCodeOrNull]
    """Currency of `amount`."""
    description: NotRequired[Optional[str]]
    """What it is about. No personal data."""
    due_date: NotRequired[Optional[str]]
    """Last day for an answer; null if the letter sets none."""
    kind: NotRequired[NoticeKind]
    received_date: NotRequired[str]
    """Day on which the letter was received, not in the future."""
    reference: NotRequired[Optional[str]]
    """By which the authority knows the letter."""
    revision: NotRequired[int]
    """The revision that you have read."""
    status: NotRequired[NoticeStatus]
    """A transition of the notice."""


class Onboarding(TypedDict):
    """How far the onboarding of an organization is."""

    compensation: Optional[OnboardingCompensation]
    """How what was done is undone; null for an onboarding that is not undone."""
    completed_steps: List[int]
    current_step: int
    """Highest completed step; while the onboarding is undone the step that is being undone."""
    expires_at: Optional[str]
    """When the onboarding expires without further progress; null when it does not."""
    first_admin: NotRequired[str]
    """For a call with an onboarding link, the masked e-mail address of a person of the organization. It is missing while there is none, or only the one whom this link invited and who has not signed in."""
    next_step: Optional[int]
    """The step that is next; null when there is none."""
    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    """Name of the organization."""
    reason: Optional[str]
    """Why the onboarding ended before it was completed - what the call that cancelled it gave as a reason, or what failed. Long numbers in it are masked. Null while there is none."""
    reminded_at: Optional[str]
    """When the client was last reminded, by the timer or by a call; null when it never was."""
    since: str
    """When the onboarding came to where it is - to its next step, to its completion or to its end."""
    status: OnboardingStatus
    """Where the onboarding of an organization stands."""
    steps: List[OnboardingStep]
    """All eight steps in their order."""
    updated_at: str
    workflow_id: str
    """Id of the workflow, for staff who look into the Temporal UI."""


class OnboardingCancel(TypedDict):
    """Why an onboarding is cancelled."""

    reason: NotRequired[str]
    """Reason, for the people who look at it later."""


class OnboardingCompensation(TypedDict):
    """How what was done is undone."""

    finished_at: Optional[str]
    reason: Literal["CANCELLED", "EXPIRED", "FAILED"]
    started_at: str
    status: Literal["RUNNING", "DONE"]


class OnboardingCount(TypedDict):
    """How many onboardings have a status and are at a step."""

    count: int
    next_step: Optional[int]
    """The step that is next; null when there is none."""
    status: OnboardingStatus
    """Where the onboarding of an organization stands."""
    without_progress: NotRequired[int]
    """How many of them, while they are open, have been where they are for at least seven days."""


class OnboardingLink(TypedDict):
    """What is known of the link with which a client does the steps of its onboarding."""

    created_at: str
    """When it was made."""
    expires_at: str
    """Until when it works at most."""
    made_by: str
    """Name of the person who made it, or id of the key."""
    mail: Optional[OnboardingLinkMail]
    """The e-mail with the link; null where it was not sent by e-mail."""
    opened_at: Optional[str]
    """When it was first opened; null for never."""


class OnboardingLinkCreate(TypedDict):
    """To whom a link is sent by e-mail; empty if it is not sent."""

    email: NotRequired[str]
    """An address; not together with to_contact."""
    to_contact: NotRequired[bool]
    """True for the address of the contact that the client has named (step 6)."""


class OnboardingLinkMail(TypedDict):
    """What became of the e-mail with a link; null where it was not sent by e-mail."""

    advice: Optional[str]
    """Why it was not sent until now and what to do about it; null for nothing."""
    email: str
    """To whom it is sent; empty once the link has ended."""
    reminded_at: Optional[str]
    """When the mail server took the reminder."""
    sent_at: Optional[str]
    """When the mail server took it."""
    status: Literal["PENDING", "SENT", "FAILED", "DROPPED"]
    """`PENDING` waits or is tried again, `SENT` was taken by the mail server, `FAILED` was given up, `DROPPED` was not sent because the link had ended or a week was over."""


class OnboardingList(TypedDict):
    """A page of onboardings."""

    counts: List[OnboardingCount]
    """How many there are of each status and at each step, of those that pass the other filters."""
    items: List[Onboarding]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class OnboardingStep(TypedDict):
    """One step."""

    attempts: int
    """Accepted calls of the step."""
    completed_at: Optional[str]
    """When it was first accepted."""
    error: Optional[str]
    """Why the last call of the step was refused, or the last error of the work behind it; null once a call was accepted."""
    errors: List[ProblemError]
    """What was wrong with the last call that was refused, by field, and nothing of what was sent; empty once a call was accepted."""
    name: Literal["ORGANIZATION", "API_KEY", "BUSINESS_DETAILS", "BUSINESS_ADDRESS", "BUSINESS_INFORMATION", "BUSINESS_CONTACT", "BUSINESS_OWNERS", "BANK_DETAILS"]
    number: int
    refused: int
    """Calls of the step that were refused because of their fields."""
    started_at: Optional[str]
    """When it became the next step."""
    status: OnboardingStepStatus
    """Where a step stands."""


class Organization(TypedDict):
    """An organization."""

    archival_reason: NotRequired[str]
    archived_at: NotRequired[str]
    billing_plan: BillingPlan
    """Billing plan, set by the operator."""
    created_at: str
    customer_id: Optional[str]
    """Always null."""
    disable_emails: bool
    email_group: Optional[str]
    external_id: str
    grants: List[Grant]
    """What its partner may do for a client; `[]` for a root organization."""
    id: OrganizationId
    """Id of an organization."""
    internal_use: Optional[bool]
    """Used for internal testing only."""
    is_test: bool
    name: Optional[str]
    onboarding_status: OnboardingStatus
    """Where the onboarding of an organization stands."""
    organization_id: OrganizationId
    """Always equal to `id`."""
    parent_organization_id: NotRequired[str]
    """The root organization of a client; absent for a root organization."""
    promo: Optional[str]
    scheduled_deletion: Optional[str]
    settings: OrganizationSettings
    """Settings of an organization."""
    source: Optional[Literal["PARTNER", "SEARCH", "REFERRAL", "UNKNOWN"]]
    """How the organization came to the service; PARTNER for clients."""
    status: OrganizationStatus
    """Status of an organization."""
    subscription_id: Optional[str]
    """Always null."""
    updated_at: str


class OrganizationCreate(TypedDict):
    """A client organization to be created."""

    disable_emails: NotRequired[bool]
    """Send no e-mails about work of this organization. E-mails about access, such as invitations, are sent."""
    email_group: NotRequired[str]
    """Group for e-mails."""
    external_id: NotRequired[str]
    """Your identifier. The new `id` unless sent."""
    is_test: NotRequired[bool]
    """A test organization. Its keys start with `levy_test_`, its filings go to a simulated authority. Cannot be changed by calls; the operator may make a partner live with its clients, if they have no records."""
    name: str
    """Legal name. Unique among the clients that are not archived."""
    promo: NotRequired[str]
    """Promotion code."""
    source: NotRequired[OrganizationSource]


class OrganizationDetails(TypedDict):
    """What an organization has said of itself in the steps 3 to 7. What was not said yet is null; personal values are masked."""

    accounting_model: Optional[str]
    """ACCRUAL unless sent."""
    address_status: AddressStatus
    """UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part."""
    auto_file: Optional[bool]
    """Approve filings by timer, false unless sent."""
    auto_register: Optional[bool]
    """Create registrations where nexus is met, false unless sent."""
    business_address_1: Optional[str]
    """Street of the business; the address of step 4 unless sent."""
    business_address_2: Optional[str]
    """Second line of the street of the business; the address of step 4 unless sent."""
    business_city: Optional[str]
    """City of the business; the address of step 4 unless sent."""
    business_contact_address_1: Optional[str]
    """Street of the contact."""
    business_contact_address_2: Optional[str]
    """Second line of the street."""
    business_contact_city: Optional[str]
    """City of the contact."""
    business_contact_country_code: Optional[str]
    """Country of the contact."""
    business_contact_dl: Optional[str]
    """Driver's licence: letters, digits and dashes. Answered masked."""
    business_contact_dob: Optional[str]
    """Date of birth. Answered as the year."""
    business_contact_email: Optional[str]
    """E-mail address of the contact."""
    business_contact_name: Optional[str]
    """Name of the contact."""
    business_contact_phone: Optional[str]
    """Telephone number of the contact."""
    business_contact_postal_code: Optional[str]
    """Postal code."""
    business_contact_ssn: Optional[str]
    """SSN or ITIN, 9 digits, dashes allowed."""
    business_contact_state: Optional[str]
    """State or province."""
    business_contact_title: Optional[str]
    """Title of the contact."""
    business_country_code: Optional[str]
    """Country of the business; the address of step 4 unless sent."""
    business_description: Optional[str]
    """What the company does."""
    business_email: Optional[str]
    """E-mail address of the business."""
    business_fiscal_year_end: Optional[str]
    """Last day of the fiscal year; only month and day matter."""
    business_mailing_address_1: Optional[str]
    """Street of mail; the address of the business unless sent."""
    business_mailing_address_2: Optional[str]
    """Second line of the street of mail; the address of the business unless sent."""
    business_mailing_city: Optional[str]
    """City of mail; the address of the business unless sent."""
    business_mailing_country_code: Optional[str]
    """Country of mail; the address of the business unless sent."""
    business_mailing_postal_code: Optional[str]
    """Postal code of mail; the address of the business unless sent."""
    business_mailing_state: Optional[str]
    """State or province of mail; the address of the business unless sent, as code or name."""
    business_name: Optional[str]
    """Name of the business; the name of the organization unless sent."""
    business_owner1_address_1: Optional[str]
    """Street of owner 1."""
    business_owner1_address_2: Optional[str]
    """Second line of the street of owner 1."""
    business_owner1_city: Optional[str]
    """City of owner 1."""
    business_owner1_country_code: Optional[str]
    """Country of owner 1."""
    business_owner1_dl: Optional[str]
    """Driver's licence of owner 1. Answered masked."""
    business_owner1_dob: Optional[str]
    """Date of birth of owner 1. Answered as the year."""
    business_owner1_email: Optional[str]
    """E-mail address of owner 1."""
    business_owner1_name: Optional[str]
    """Name of owner 1."""
    business_owner1_percent_ownership: Optional[str]
    """Share of owner 1 in percent."""
    business_owner1_phone: Optional[str]
    """Telephone number of owner 1."""
    business_owner1_postal_code: Optional[str]
    """Postal code of owner 1."""
    business_owner1_ssn: Optional[str]
    """SSN or ITIN of owner 1. Answered masked."""
    business_owner1_state: Optional[str]
    """State or province of owner 1, as code or name."""
    business_owner1_title: Optional[str]
    """Title of owner 1."""
    business_owner2_address_1: Optional[str]
    """Street of owner 2."""
    business_owner2_address_2: Optional[str]
    """Second line of the street of owner 2."""
    business_owner2_city: Optional[str]
    """City of owner 2."""
    business_owner2_country_code: Optional[str]
    """Country of owner 2."""
    business_owner2_dl: Optional[str]
    """Driver's licence of owner 2. Answered masked."""
    business_owner2_dob: Optional[str]
    """Date of birth of owner 2. Answered as the year."""
    business_owner2_email: Optional[str]
    """E-mail address of owner 2."""
    business_owner2_name: Optional[str]
    """Name of owner 2. `null` removes the owner."""
    business_owner2_percent_ownership: Optional[str]
    """Share of owner 2 in percent."""
    business_owner2_phone: Optional[str]
    """Telephone number of owner 2."""
    business_owner2_postal_code: Optional[str]
    """Postal code of owner 2."""
    business_owner2_ssn: Optional[str]
    """SSN or ITIN of owner 2. Answered masked."""
    business_owner2_state: Optional[str]
    """State or province of owner 2, as code or name."""
    business_owner2_title: Optional[str]
    """Title of owner 2."""
    business_owner3_address_1: Optional[str]
    """Street of owner 3."""
    business_owner3_address_2: Optional[str]
    """Second line of the street of owner 3."""
    business_owner3_city: Optional[str]
    """City of owner 3."""
    business_owner3_country_code: Optional[str]
    """Country of owner 3."""
    business_owner3_dl: Optional[str]
    """Driver's licence of owner 3. Answered masked."""
    business_owner3_dob: Optional[str]
    """Date of birth of owner 3. Answered as the year."""
    business_owner3_email: Optional[str]
    """E-mail address of owner 3."""
    business_owner3_name: Optional[str]
    """Name of owner 3. `null` removes the owner."""
    business_owner3_percent_ownership: Optional[str]
    """Share of owner 3 in percent."""
    business_owner3_phone: Optional[str]
    """Telephone number of owner 3."""
    business_owner3_postal_code: Optional[str]
    """Postal code of owner 3."""
    business_owner3_ssn: Optional[str]
    """SSN or ITIN of owner 3. Answered masked."""
    business_owner3_state: Optional[str]
    """State or province of owner 3, as code or name."""
    business_owner3_title: Optional[str]
    """Title of owner 3."""
    business_owners_incomplete: Optional[bool]
    """Further owners exist, so that the shares may sum to less than 100. false unless sent."""
    business_phone: Optional[str]
    """Telephone number of the business."""
    business_postal_code: Optional[str]
    """Postal code of the business; the address of step 4 unless sent."""
    business_state: Optional[str]
    """State or province of the business; the address of step 4 unless sent, as code or name."""
    company_address_1: Optional[str]
    """Street of the company."""
    company_address_2: Optional[str]
    """Second line of the street."""
    company_city: Optional[str]
    """City of the company."""
    company_city_is_unincorporated: Optional[bool]
    """The place is outside of city limits, false unless sent."""
    company_country_code: Optional[str]
    """Country of the company."""
    company_postal_code: Optional[str]
    """Postal code of the company."""
    company_state: Optional[str]
    """State or province of the company, as code or name."""
    created_at: str
    dba: Optional[str]
    """Name under which the company does business."""
    ein: Optional[str]
    """Employer identification number, `NN-NNNNNNN` or 9 digits."""
    entity_type: Optional[str]
    """Legal form."""
    first_operations_date: Optional[str]
    """First day of business, not in the future."""
    home_state_registration: Optional[str]
    """Registration number in the home state."""
    id: str
    """Id of the details."""
    incorporation_country: Optional[str]
    """Country of incorporation."""
    incorporation_date: Optional[str]
    """Day of incorporation, not in the future."""
    incorporation_state: Optional[str]
    """State of incorporation."""
    naics: Optional[str]
    """NAICS code, 2 to 6 digits."""
    onboarding: Onboarding
    """How far the onboarding of an organization is."""
    organization_id: OrganizationId
    """Id of an organization."""
    tax_id: Optional[str]
    """Tax number of the company."""
    updated_at: str
    warnings: List[Warning]
    """What should be looked at; empty when read."""


class OrganizationList(TypedDict):
    """A page of organizations."""

    items: List[Organization]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class OrganizationNameCheck(TypedDict):
    """Whether a name is free."""

    is_valid: bool
    """A client organization with this name could be created."""
    name: str
    """The name as sent."""
    reason: Optional[Literal["DUPLICATE", "INVALID"]]
    """`DUPLICATE` when a client has the name, `INVALID` when it is white space or longer than 200 characters; null when it is free."""


class OrganizationSettings(TypedDict):
    """Settings of an organization."""

    disable_ai_classification: Optional[bool]
    """No effect."""
    disable_onboarding: bool
    """No onboarding reminders and no expiry."""
    enable_business_address_fallback: Optional[bool]
    """A transaction without a usable address uses the organization's business address."""
    enable_eu_registration: Optional[bool]
    """Automatic registration may act in the European Union."""
    enable_new_auto_filing_experience: bool
    """No effect."""
    enable_new_filing_ui: Optional[bool]
    """No effect."""
    enabled_jurisdictions: List[str]
    """Country codes, or country and state (`US-NY`). Empty means all that are covered. Set by the operator."""
    filing_lookback_periods: int
    """Waiting time before automatic approval of a filing, in periods of a day."""
    oss_scheme: Optional[Literal["UNION", "NON_UNION"]]
    """Kind of the OSS registration."""
    prefer_collected_tax_amounts: bool
    """The tax owed is what the merchant collected."""
    product_category_version: str
    """Version of the category catalogue."""
    require_second_person: bool
    """No person approves, files, skips, cancels, retries or long pauses a filing that rests on that person's own work since it could be approved: the filing, its registration, sales of its period. Neither does a person who, within the last 7 days, got access from that person, gave it to that person, or got it from the same admin. A key decides nothing. A pause is long if it has no end, or ends after the due date."""
    second_person_end_requested_at: Optional[str]
    """When that admin asked. The request ends after 7 days."""
    second_person_end_requested_by: Optional[str]
    """The admin who asked to end `require_second_person`. Another admin ends it."""
    special_tax_circumstances: bool
    """Filings are never approved automatically. Set by the operator."""
    sst_id: Optional[str]
    """Id of the Streamlined Sales Tax registration, the same in all states."""
    tax_rounding: RoundingUnit
    """What is rounded once: each tax on a line, each tax on the whole document, or each jurisdiction on a line."""
    time_zone: Optional[str]
    """Time zone in which the console shows instants of the organization to people without a time zone of their own, by its name in the IANA database; null for UTC. It decides no tax date, period or due date."""


class OrganizationSettingsUpdate(TypedDict):
    """Changes of the settings. Absent fields stay."""

    disable_onboarding: NotRequired[Optional[bool]]
    """No onboarding reminders and no expiry. `null` leaves it as it is."""
    enable_business_address_fallback: NotRequired[Optional[bool]]
    """A transaction without a usable address uses the organization's business address."""
    enable_eu_registration: NotRequired[Optional[bool]]
    """Automatic registration may act in the European Union."""
    prefer_collected_tax_amounts: NotRequired[Optional[bool]]
    """The tax owed is what was collected. `null` leaves it as it is."""
    require_second_person: NotRequired[Optional[bool]]
    """No person decides about a filing that rests on that person's own work: see the description of the settings. `false` takes two admins: the first one asks for it, which `second_person_end_requested_by` shows, and another one ends it with the same call within 7 days. For the only admin the operator ends it. A key cannot. `true` takes back a request. `null` leaves it as it is."""
    sst_id: NotRequired[Optional[str]]
    """Id of the Streamlined Sales Tax registration: S and 8 digits, the same in all states. `null` clears it."""
    tax_rounding: NotRequired[Optional[Literal["TAX_PER_LINE", "JURISDICTION_PER_LINE", "TAX_PER_DOCUMENT"]]]
    """What is rounded once in documents that are recorded from then on: each tax on a line, each tax on the whole document, or each jurisdiction on a line. `null` leaves it as it is."""
    time_zone: NotRequired[Optional[str]]
    """Time zone in which the console shows instants of the organization to people without a time zone of their own: a name of the IANA database. It decides no tax date, period or due date. `null` is UTC again."""


class OrganizationUpdate(TypedDict):
    """Changes of an organization. Absent fields stay, `null` clears a field to its default."""

    disable_emails: NotRequired[Optional[bool]]
    """No e-mails about work of this organization."""
    email_group: NotRequired[Optional[str]]
    """Group that e-mails go to."""
    external_id: NotRequired[Optional[str]]
    """Your identifier of the organization; null makes it the id."""
    name: NotRequired[str]
    """Legal name."""
    promo: NotRequired[Optional[str]]
    """Promotion code."""


class Passkey(TypedDict):
    """A key pair of a person's device. Only its public key is stored."""

    created_at: str
    id: str
    """Its credential id, in base64url."""
    last_used_at: Optional[str]
    """When it last signed in or proved a session; null for never."""
    name: str


class PasskeyAnswer(TypedDict):
    """The answer of a browser to a challenge."""

    credential: Dict[str, Any]
    """The `toJSON()` of the browser's `PublicKeyCredential`."""
    token: str
    """That of the challenge. It stays with the page that asked for it."""


class PasskeyChallenge(TypedDict):
    """What a browser needs to answer with a passkey."""

    options: Optional[Dict[str, Any]]
    """For `PublicKeyCredential.parseRequestOptionsFromJSON`, of a registration for `parseCreationOptionsFromJSON`; null where there are no passkeys."""
    token: Optional[str]
    """To be sent back with the answer; null where there are no passkeys."""
    unavailable: Optional[str]
    """Why this installation has no passkeys; null where it has."""


class PasskeyList(TypedDict):
    """The passkeys of a person."""

    items: List[Passkey]
    proof: PasskeyChallenge
    """What a browser needs to answer with a passkey."""
    registration: PasskeyChallenge
    """What a browser needs to answer with a passkey."""


class PasskeyUpdate(TypedDict):
    """A passkey to add or to remove."""

    name: NotRequired[str]
    """The name by which the person tells it from others, such as that of the device."""
    passkey: NotRequired[PasskeyAnswer]
    """The answer of a browser to a challenge."""
    remove: NotRequired[str]
    """The `id` of the one to remove."""


class PasswordChange(TypedDict):
    """Another password of a person."""

    password: str
    """The new password."""


class PaymentFile(TypedDict):
    """A file for a bank."""

    content: Optional[str]
    """The file: ASCII, records of 94 characters, each followed by CR and LF. Null without a file."""
    file_name: Optional[str]
    """Null without a file."""
    findings: List[WorksheetFinding]
    layout: str
    """Edition of the records and of the addendum."""
    media_type: Optional[str]
    """Null without a file."""
    payments: List[FilingPayment]
    """The payments, in the order of the request."""
    sha256: Optional[str]
    """Of the content; null without one."""


class PaymentFileMake(TypedDict):
    """The returns to pay."""

    company_id: NotRequired[str]
    """The number that the bank has given to the organization, in letters and digits; `1` and the federal tax id unless sent."""
    file_modifier: NotRequired[Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"]]
    """Tells files of one day apart. A second file of a day needs another one."""
    filing_ids: List[str]
    """The filings, each once."""
    offset: NotRequired[bool]
    """Adds the debit of the own account, where the bank wants balanced files."""


class PhysicalNexus(TypedDict):
    """A presence of the organization in a jurisdiction."""

    category: PhysicalNexusCategory
    """Kind of presence."""
    city: NotRequired[str]
    """City."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    """When it was recorded."""
    end_date: NotRequired[str]
    """Last day; absent: it goes on."""
    external_id: NotRequired[str]
    """Your identifier."""
    id: PhysicalNexusId
    """Id of a physical nexus."""
    organization_id: OrganizationId
    """Id of an organization."""
    postal_code: NotRequired[str]
    """Postal code."""
    source: str
    """Where the record came from."""
    start_date: str
    """First day."""
    state_code: str
    """Code of the state; the country's code where the jurisdiction is a whole country."""
    street_1: NotRequired[str]
    """Street."""
    street_2: NotRequired[str]
    """Street, continued."""
    updated_at: str
    """When it last changed."""


class PhysicalNexusCategoryDetails(TypedDict):
    """A kind of presence."""

    description: str
    """What it means."""
    example: str
    """An example."""
    is_category_assigned: bool
    """Whether the organization has recorded such a presence."""
    name: PhysicalNexusCategory
    """Kind of presence."""
    title: str
    """Name for people."""


class PhysicalNexusCategoryList(TypedDict):
    """All categories."""

    items: List[PhysicalNexusCategoryDetails]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class PhysicalNexusCreate(TypedDict):
    """A presence to be recorded."""

    category: PhysicalNexusCategory
    """Kind of presence."""
    city: NotRequired[str]
    """City."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    end_date: NotRequired[str]
    """Last day; without it the presence goes on."""
    external_id: NotRequired[str]
    """Your identifier. It need not be unique."""
    postal_code: NotRequired[str]
    """Postal code."""
    source: NotRequired[str]
    """Where the record comes from."""
    start_date: str
    """First day."""
    state_code: str
    """Code or name of the state; the country's code where the jurisdiction is a whole country."""
    street_1: NotRequired[str]
    """Street."""
    street_2: NotRequired[str]
    """Street, continued."""


class PhysicalNexusList(TypedDict):
    """A page of physical nexus."""

    items: List[PhysicalNexus]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class PhysicalNexusUpdate(TypedDict):
    """Changes of a presence. Absent fields stay as they are, `null` clears a field."""

    category: NotRequired[PhysicalNexusCategory]
    """Kind of presence."""
    city: NotRequired[Optional[str]]
    """City."""
    country_code: NotRequired[str]
    """Cannot be changed; that of the presence may be repeated."""
    end_date: NotRequired[Optional[str]]
    """Last day; `null`: it goes on."""
    external_id: NotRequired[Optional[str]]
    """Your identifier."""
    postal_code: NotRequired[Optional[str]]
    """Postal code."""
    start_date: NotRequired[str]
    """First day."""
    state_code: NotRequired[str]
    """Cannot be changed; that of the presence may be repeated, as code or name."""
    street_1: NotRequired[Optional[str]]
    """Street."""
    street_2: NotRequired[Optional[str]]
    """Street, continued."""


class PlaceFigure(TypedDict):
    """Tax that is owed in a place without a registration, in a currency."""

    amount: str
    """The tax."""
    count: int
    """How many organizations owe it."""
    country_code: str
    """Country of the authority."""
    currency: str
    """Currency of the amount."""
    state_code: str
    """State or province; the code of the country for a whole country."""


class Preferences(TypedDict):
    """How the console looks to a person, and which e-mails the person gets."""

    date_format: DateFormat
    """Days in the console: `DAY_MONTH_YEAR` is 2 Jan 2026, `MONTH_DAY_YEAR` is Jan 2, 2026, `ISO` is 2026-01-02. None of them can be read in two ways."""
    digest_day: Weekday
    """Day of the week of the digest, in the time zone of the person."""
    emails_off: List[EmailKind]
    """Kinds of e-mail about work that the person does not get. Where the operator has set up no e-mail, there are none."""
    number_format: NumberFormat
    """Numbers in the console, as they are shown and typed: `COMMA` is 1,234.50, `SPACE` is 1 234.50, `APOSTROPHE` is 1'234.50, `NONE` is 1234.50, `POINT` is 1.234,50, `SPACE_COMMA` is 1 234,50. The API itself has 1234.50."""
    page_size: Optional[int]
    """Rows of a page of a list; null for the number of each list."""
    theme: Theme
    """Colours of the console. `SYSTEM` follows the browser."""
    time_zone: str
    """Time zone of instants, by its name in the IANA database; `UTC` for a person without a choice. Days, such as due dates, have none."""
    time_zone_chosen: bool
    """The person has chosen the time zone. For others, pages of an organization have the time zone of its settings."""


class PreferencesUpdate(TypedDict):
    """Preferences to change. What is left out stays."""

    date_format: NotRequired[DateFormat]
    """Days in the console: `DAY_MONTH_YEAR` is 2 Jan 2026, `MONTH_DAY_YEAR` is Jan 2, 2026, `ISO` is 2026-01-02. None of them can be read in two ways."""
    digest_day: NotRequired[Weekday]
    """Day of the week of the digest, in the time zone of the person."""
    emails_off: NotRequired[List[EmailKind]]
    """All kinds of e-mail about work that the person does not want. `[]` turns all on."""
    number_format: NotRequired[NumberFormat]
    """Numbers in the console, as they are shown and typed: `COMMA` is 1,234.50, `SPACE` is 1 234.50, `APOSTROPHE` is 1'234.50, `NONE` is 1234.50, `POINT` is 1.234,50, `SPACE_COMMA` is 1 234,50. The API itself has 1234.50."""
    page_size: NotRequired[Optional[int]]
    """`null` gives each list its own number of rows again."""
    theme: NotRequired[Theme]
    """Colours of the console. `SYSTEM` follows the browser."""
    time_zone: NotRequired[Optional[str]]
    """Name of a time zone in the IANA database, such as `America/Chicago`. `null` takes back the choice."""


# An error (RFC 9457). Some codes add further members.
Problem = TypedDict(
    "Problem",
    {
        # With invalid_status_transition: statuses that are possible.
        "allowed": "NotRequired[List[str]]",
        # With amount_changed: the amount of the filing now.
        "amount": "NotRequired[str]",
        # With filing_period_open: from when on the filing can be approved.
        "available_at": "NotRequired[str]",
        # With second_factor_required: what to send together with the code.
        "challenge": "NotRequired[str]",
        # Of /readyz: state of each dependency.
        "checks": "NotRequired[Dict[str, str]]",
        # Stable code for programs.
        "code": "str",
        # With credit_exceeds_original: its currency.
        "currency": "NotRequired[str]",
        # With original_not_committed: status of the original. With registration_not_active: of the registration.
        "current_status": "NotRequired[str]",
        # One sentence about this occurrence.
        "detail": "str",
        # Every problem found, at most 100; `[]` when the problem has no place.
        "errors": "List[ProblemError]",
        # True when more than 100 problems were found.
        "errors_truncated": "NotRequired[bool]",
        # With duplicate_…: id of the object that exists.
        "existing_id": "NotRequired[str]",
        # With amount_changed: the amount that was sent.
        "expected_amount": "NotRequired[str]",
        # With transaction_locked: the filing, null for an archived transaction.
        "filing_id": "NotRequired[Optional[str]]",
        # With filing_without_document: the codes of the findings that keep the return from its file.
        "findings": "NotRequired[List[str]]",
        # With invalid_status_transition: current status.
        "from": "NotRequired[str]",
        # With forbidden_for_key, for a partner: what it may do for this client; null after the end of the grant.
        "grant": "NotRequired[Optional[str]]",
        # Path of the request.
        "instance": "str",
        # With …_limit_reached: the limit. With rate_limited and organizations: how many in 24 hours.
        "limit": "NotRequired[int]",
        # With payload_too_large: largest body in bytes.
        "limit_bytes": "NotRequired[int]",
        # With rate_limited: rate, concurrency, authentication, organizations or onboarding_mails.
        "limit_type": "NotRequired[str]",
        # With forbidden_for_key, for a partner: the grant that would allow the call. An admin of the client can give it. Absent when none does.
        "needed_grant": "NotRequired[str]",
        # With onboarding_step_out_of_order: number of the step that comes next.
        "next_step": "NotRequired[int]",
        # With onboarding_step_out_of_order: name of that step.
        "next_step_name": "NotRequired[str]",
        # With onboarding_step_out_of_order: path of its call.
        "next_step_path": "NotRequired[str]",
        # With onboarding_not_active: status of the onboarding.
        "onboarding_status": "NotRequired[str]",
        # With 503: not_applied when nothing was written, unknown when it cannot be told.
        "outcome": "NotRequired[str]",
        # With filing_not_ready: how many transactions of the period are still processed.
        "pending_transactions": "NotRequired[int]",
        # With not_processed: what a transaction in NEEDS_REFETCH waits for.
        "processing_reason": "NotRequired[str]",
        # With not_processed: how far the transaction is.
        "processing_status": "NotRequired[str]",
        # With onboarding_step_failed: why it failed.
        "reason": "NotRequired[str]",
        # With credit_note_endpoint_required: the original transaction.
        "related_to": "NotRequired[str]",
        # With credit_exceeds_original: what is left of the original.
        "remaining_amount": "NotRequired[str]",
        # Same as the header `X-Request-Id`.
        "request_id": "str",
        # The identical request may succeed later.
        "retryable": "bool",
        # With notice_changed: the revision of the notice now.
        "revision": "NotRequired[int]",
        # With forbidden_for_key: the scope that the key lacks; absent when another key of this kind would be refused too.
        "scope": "NotRequired[str]",
        # The HTTP status.
        "status": "int",
        # With onboarding_step_failed: number of the step.
        "step": "NotRequired[int]",
        # Fixed text of the code.
        "title": "str",
        # With invalid_status_transition: status asked for; null when the call asks for none.
        "to": "NotRequired[Optional[str]]",
        # With filing_has_liability: the tax that is owed.
        "total_tax_liability": "NotRequired[str]",
        # Page about the code, relative to the base address.
        "type": "str",
        # With filing_has_unresolved_transactions: their net, in the currency of the filing.
        "unresolved_amount": "NotRequired[str]",
        # With filing_has_unresolved_transactions: how many there are.
        "unresolved_transaction_count": "NotRequired[int]",
    },
)


class ProblemError(TypedDict):
    """One problem of a request."""

    code: str
    """missing_field, invalid_type, invalid_format, invalid_enum, invalid_category, out_of_range, too_precise, too_long, too_short, too_many, too_few, duplicate_key, duplicate_value, not_allowed, mismatch, currency_mismatch, item_not_in_original, total_mismatch, no_net_price, unknown_order_field, unknown_parameter, url_not_allowed or not_found."""
    location: str
    """Place of the problem."""
    message: str
    """What is wrong, in words."""


class Product(TypedDict):
    """A product of the catalogue."""

    classification: ProductClassification
    """Where the tax class of a product comes from. AUTO_DEFAULT for the products the service created by itself."""
    classification_failed: bool
    """The subcategory that was sent is not of the catalogue; the default class of the category applies."""
    code: str
    """Your own tax code of another system, as sent; empty when there is none."""
    connection_id: str
    """Empty when there is none."""
    created_at: str
    description: str
    """Empty when there is none."""
    external_id: str
    """Your identifier."""
    id: ProductId
    """Id of a product."""
    name: str
    organization_id: OrganizationId
    """Id of an organization."""
    product_category: str
    """Category as sent."""
    product_subcategory: NotRequired[str]
    """Subcategory as sent."""
    sku: List[str]
    source: Source
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    status: ProductStatus
    """Status of a product. All of them may be referenced."""
    tax_class: str
    """Class the tax engine uses. New values may be added."""
    tax_exempt: bool
    updated_at: str


class ProductCategory(TypedDict):
    """A product category."""

    default_subcategory: str
    display_name: str
    name: str
    """Value for `product_category`."""
    subcategories: List[ProductSubcategory]


class ProductClass(TypedDict):
    """How a product is classified."""

    classification: ProductClassification
    """Where the tax class of a product comes from. AUTO_DEFAULT for the products the service created by itself."""
    product_category: str
    product_subcategory: Optional[str]
    tax_class: str
    """Class the tax engine uses. New values may be added."""
    tax_exempt: bool


class ProductCreate(TypedDict):
    """A product to be created."""

    code: NotRequired[str]
    """Your own tax code of another system. It is kept, and decides nothing."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the product came through."""
    description: NotRequired[str]
    """Free text."""
    external_id: str
    """Your identifier, unique in the organization. Cannot be changed later."""
    name: str
    """Name of the product."""
    product_category: str
    """Category, which decides how the product is taxed: PHYSICAL, CLOTHING, FOOD, DIGITAL, SOFTWARE, SERVICE, MISCELLANEOUS or UNKNOWN. Letter case, spaces and dashes do not matter. Unknown categories are refused with `invalid_category`."""
    product_subcategory: NotRequired[str]
    """More specific class, see `GET /v1/products/categories`. An unknown one is stored, and the category decides."""
    sku: NotRequired[List[str]]
    """Stock keeping units."""
    source: NotRequired[Source]
    status: NotRequired[ProductStatus]
    tax_exempt: NotRequired[bool]
    """The product is never taxed."""


class ProductList(TypedDict):
    """A page of products."""

    items: List[Product]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class ProductSubcategory(TypedDict):
    """A more specific class within a category."""

    description: str
    display_name: str
    example: str
    """What belongs here."""
    is_frequent: bool
    """Used often; worth offering first."""
    name: str
    """Value for `product_subcategory`."""
    tax_class: str
    """Class the tax engine uses."""


class ProductTaxability(TypedDict):
    """How the states tax a product."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    content_version: str
    """Version of the tax content."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    product_id: ProductId
    """Id of a product."""
    states: List[StateTaxability]
    """The states in the order of their codes."""
    tax_class: str
    """Class the tax engine uses. New values may be added."""


class ProductUpdate(TypedDict):
    """Changes of a product. Absent fields stay, `null` clears a field to its default."""

    code: NotRequired[Optional[str]]
    """Your own tax code of another system."""
    description: NotRequired[Optional[str]]
    """Free text."""
    external_id: NotRequired[str]
    """Cannot be changed. Accepted when it is equal to the stored one, else `not_allowed`."""
    name: NotRequired[str]
    """Name of the product."""
    product_category: NotRequired[str]
    """Category, see `GET /v1/products/categories`. Unknown categories are refused with `invalid_category`."""
    product_subcategory: NotRequired[Optional[str]]
    """More specific class."""
    sku: NotRequired[Optional[List[str]]]
    """Stock keeping units."""
    source: NotRequired[SourceOrNull]
    """Where the record comes from."""
    status: NotRequired[Optional[Literal["APPROVED", "PARTIALLY_APPROVED", "PENDING", "ARCHIVED"]]]
    """Status of the product."""
    tax_exempt: NotRequired[Optional[bool]]
    """The product is never taxed."""


class RateOverride(TypedDict):
    """A rate that the organization set for a jurisdiction."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    created_at: str
    """When it was set."""
    end_date: NotRequired[str]
    """Last day; absent: it goes on."""
    id: RateOverrideId
    """Id of a rate that the organization set."""
    jurisdiction_name: str
    """Name of the taxing place."""
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    organization_id: OrganizationId
    """Id of an organization."""
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: str
    """Why, as explanations show it."""
    start_date: str
    """First day."""
    state_code: str
    """Code of the state; empty for a country."""
    tax_class: NotRequired[TaxClass]
    """What is sold, as far as tax law cares. NOT_TAXABLE is never taxed. The set is open. Where a place has no rule for a finer class, that of a coarser one holds."""


class RateOverrideCreate(TypedDict):
    """A rate to be set."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    end_date: NotRequired[str]
    """Last day; without it the rate goes on."""
    jurisdiction_name: str
    """Name of the taxing place, as the `tax_items` of transactions and estimates have it."""
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    rate: RateInput
    """Tax rate as a fraction (8.25 % is 0.0825): a number or a decimal string with at most 3 digits before the point and 9 after it."""
    reason: str
    """Why, with the notice or law if there is one. It stands in every explanation; no personal data."""
    start_date: str
    """First day."""
    state_code: NotRequired[str]
    """Code of the state; absent for a country."""
    tax_class: NotRequired[TaxClass]
    """What is sold, as far as tax law cares. NOT_TAXABLE is never taxed. The set is open. Where a place has no rule for a finer class, that of a coarser one holds."""


class RateOverrideList(TypedDict):
    """A page of rates."""

    items: List[RateOverride]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class Readiness(TypedDict):
    """State of the service and what it needs."""

    checks: Dict[str, str]
    """`ok`, `degraded` or `failed` for each dependency."""
    status: str


class Reclassification(TypedDict):
    """Another classification of a product. Absent fields stay as they are."""

    product_category: NotRequired[str]
    """Category, see `GET /v1/products/categories`. Unknown categories are refused with `invalid_category`."""
    product_subcategory: NotRequired[Optional[str]]
    """More specific class."""
    tax_exempt: NotRequired[Optional[bool]]
    """The product is never taxed."""


class ReclassificationPreview(TypedDict):
    """What another classification would have changed."""

    after: ProductClass
    """How a product is classified."""
    before: ProductClass
    """How a product is classified."""
    lines: int
    """Lines of the product that were calculated again."""
    product_id: ProductId
    """Id of a product."""
    since: str
    """First day of the sales that were looked at."""
    states: List[ReclassifiedState]
    """Sums by state and currency."""


class ReclassifiedState(TypedDict):
    """The difference in one state, in one currency."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    difference: Money
    """tax_after less tax_before."""
    lines: int
    state_code: str
    """State; the country where there is none."""
    tax_after: Money
    """Tax of the lines as it would be."""
    tax_before: Money
    """Tax of the lines as the product is classified now."""


class RecordedPayment(TypedDict):
    """A payment that was recorded after the return was filed."""

    amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    created_at: str
    """When it was recorded."""
    created_by: str
    """The person or API key that recorded it."""
    filing_id: FilingId
    """Id of a filing."""
    id: RecordedPaymentId
    """Id of a recorded payment of a filing."""
    method: RecordedPaymentMethod
    """How a payment was made. DEBIT: the authority drew it; CREDIT: the bank of the organization sent it, such as by a bank file; PORTAL: at the site of the authority."""
    paid_on: str
    """The day on which the money left."""
    reference: str
    """Number by which bank or authority know it."""


class RecordedPaymentCreate(TypedDict):
    """A payment that was made for a filed return."""

    amount: NotRequired[Money18Input]
    """What was paid, in the currency of the filing, above zero; all that is open unless sent."""
    method: RecordedPaymentMethod
    """How a payment was made. DEBIT: the authority drew it; CREDIT: the bank of the organization sent it, such as by a bank file; PORTAL: at the site of the authority."""
    paid_on: str
    """The day on which the money left. Not in the future, and not before the period begins."""
    reference: str
    """Number by which bank or authority know the payment. No personal data, and no number of an account."""


class Registration(TypedDict):
    """A registration with a tax authority."""

    amount_fees: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    authority_unanswered_since: NotRequired[Optional[str]]
    """Since when the calls for the registration, or its end, do not reach its authority; absent while they do, and when it is with no authority. Levy tries again by itself."""
    auto_registered: bool
    """The service made it because of nexus."""
    awaits_confirmation: bool
    """People have to register with the authority, to which Levy has no connection, or to end that, and to enter what it confirms."""
    change_regime_status: NotRequired[Literal["REQUESTED", "APPROVED", "DONE", "ACKNOWLEDGED"]]
    """How far a change of the regime is."""
    clarification: NotRequired[str]
    """What the authority wants to know."""
    comment: NotRequired[str]
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    create_filings_from: NotRequired[str]
    """First day that filings cover; absent: `registration_date`."""
    created_at: str
    credits_total_available: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    deregistration_completed: NotRequired[str]
    """When its end was confirmed."""
    deregistration_date: NotRequired[str]
    """The last day that it covers, once it is to end."""
    deregistration_reason: NotRequired[str]
    """Why it ends."""
    deregistration_requested: NotRequired[str]
    """When its end was asked for."""
    do_not_file: bool
    """No filings are made for it."""
    field_warnings: NotRequired[List[RegistrationFieldWarning]]
    """What of these fields, and of `sales_tax_id` and `tax_id`, is not as the tax content knows it. It prevents nothing."""
    filing_days: int
    """Days from the end of a period to the regular due date of its return; 0 where the tax content has no rule."""
    filing_frequency: FilingFrequency
    """How often returns are filed."""
    id: RegistrationId
    """Id of a registration."""
    imported: bool
    """It existed already."""
    initial_sync: bool
    """Mark of your own."""
    jurisdiction_specific_fields: NotRequired[Dict[str, Any]]
    """What only this jurisdiction asks for."""
    marked_collecting: bool
    """The organization collects tax there."""
    marked_collecting_date: NotRequired[str]
    """Since when the organization collects tax there."""
    needs_mark_as_collecting: bool
    """It is REGISTERED, and the organization does not collect tax there yet."""
    next_filing_due_date: NotRequired[str]
    """Due date of the next return."""
    nexus_id: NotRequired[str]
    """Levy's id of the nexus record of the jurisdiction."""
    organization_id: OrganizationId
    """Id of an organization."""
    oss_member_state_of_identification_code: NotRequired[str]
    """Member state where the one-stop shop is used."""
    oss_type: NotRequired[Literal["UNION", "NON_UNION"]]
    """Scheme of the one-stop shop."""
    registration_category: Literal["REGULAR", "IMPORTED", "DEREGISTRATION"]
    """`IMPORTED` when it was sent with `imported`, `DEREGISTRATION` from DEREGISTERING on."""
    registration_completed: NotRequired[str]
    """When it was confirmed."""
    registration_date: NotRequired[str]
    """Day from which it counts; of a REGISTERED registration it may be to come."""
    registration_email: NotRequired[str]
    registration_import_type: RegistrationImportType
    """Where a registration is made."""
    registration_requested: NotRequired[str]
    """When it was asked for."""
    registration_type: Literal["EU_OSS", "OTHER"]
    """`EU_OSS` for the one-stop shop."""
    registrations_regime: RegistrationRegime
    """Regime of a registration."""
    sales_tax_id: NotRequired[str]
    """Number that the authority gave."""
    sst_import: bool
    """It came from a Streamlined Sales Tax import."""
    state_code: str
    """Code of the state or province; for a whole country that of the country."""
    state_name: str
    status: RegistrationStatus
    """Status of a registration. `/v1/meta/state-machines` lists the transitions."""
    tax_id: NotRequired[str]
    """Tax number of the organization there."""
    third_party_enabled: bool
    """Another person may act for the organization."""
    two_factor_enabled: bool
    """The account asks for a second factor."""
    updated_at: str
    username: NotRequired[str]
    """Name of the account at the portal of the authority."""
    vda: bool
    """It follows a voluntary disclosure."""


class RegistrationCreate(TypedDict):
    """A registration to be made, or one that exists already."""

    amount_fees: NotRequired[Money18Input]
    """Fees of the registration."""
    change_regime_status: NotRequired[ChangeRegimeStatus]
    """How far a change of the regime is."""
    comment: NotRequired[str]
    """Note."""
    country_code: NotRequired[CountryCode]
    """Country; `ZZ_EU` for the one-stop shop of the European Union. May be left out for `OSS` and `SST`, which are schemes of the European Union and of the United States."""
    create_filings_from: NotRequired[str]
    """First day that filings cover, at most 10 years back; `registration_date` unless sent."""
    deregistration_completed: NotRequired[str]
    """When its end was confirmed. Set by the service unless sent."""
    deregistration_requested: NotRequired[str]
    """When its end was asked for. Set by the service unless sent."""
    do_not_file: NotRequired[bool]
    """No filings are made for it."""
    filing_frequency: NotRequired[FilingFrequencyInput]
    """How often returns are filed. `ANNUAL` means `ANNUALLY`. May be left out for `OSS`, whose returns are quarterly, and for `SST`, where the usual frequency of the state is taken."""
    imported: NotRequired[bool]
    """It exists already and is REGISTERED at once."""
    initial_sync: NotRequired[bool]
    """Mark of your own."""
    jurisdiction_specific_fields: NotRequired[Dict[str, Any]]
    """What only this jurisdiction asks for, at most 8 KiB."""
    marked_collecting: NotRequired[bool]
    """The organization collects tax there."""
    member_state_of_identification_code: NotRequired[CountryCode]
    """Another name of `oss_member_state_of_identification_code`."""
    oss_member_state_of_identification_code: NotRequired[CountryCode]
    """Member state where the one-stop shop is used. Required for `OSS`."""
    oss_type: NotRequired[OssType]
    """Scheme of the one-stop shop; for `OSS` UNION unless sent, if the business is established in the European Union, else NON_UNION."""
    password_metadata_plain_text: NotRequired[str]
    """What else the account needs, such as answers to its questions. Stored encrypted and never returned."""
    password_plain_text: NotRequired[str]
    """Password of that account. Stored encrypted and never returned."""
    registration_completed: NotRequired[str]
    """When it was confirmed. Set by the service unless sent."""
    registration_date: NotRequired[str]
    """Day from which it counts. Today or a day that has passed makes the registration REGISTERED at once; one with a day to come goes to the authority, and counts from that day on once it is confirmed."""
    registration_email: NotRequired[str]
    """E-mail address that the authority knows."""
    registration_import_type: NotRequired[RegistrationImportType]
    """Where it is made: at the jurisdiction (`REGULAR`), through Streamlined Sales Tax (`SST`), or at the one-stop shop of the European Union (`OSS`), whose `country_code` is `ZZ_EU`."""
    registration_requested: NotRequired[str]
    """When it was asked for. Set by the service unless sent."""
    registrations_regime: NotRequired[RegistrationRegime]
    """Regime of the registration; `STANDARD` unless sent."""
    sales_tax_id: NotRequired[str]
    """Number that the authority gave."""
    sst_import: NotRequired[bool]
    """It came from a Streamlined Sales Tax import."""
    start_date: NotRequired[str]
    """Another name of `registration_date`."""
    state_code: NotRequired[str]
    """State or province by code or name. For a whole country, also the federal authority of Canada, it repeats `country_code`. May be left out for `OSS`."""
    state_name: NotRequired[str]
    """Name to show. That of the tax content unless sent."""
    tax_id: NotRequired[str]
    """Tax number of the organization there."""
    username: NotRequired[str]
    """Name of the account at the portal of the authority."""
    vda: NotRequired[bool]
    """It follows a voluntary disclosure."""


class RegistrationDeregister(TypedDict):
    """How a registration is to end."""

    deregistration_date: NotRequired[str]
    """The last day that the registration covers; today unless sent."""
    reason: NotRequired[str]
    """Why it ends."""


class RegistrationFieldWarning(TypedDict):
    """A field of a registration that is not as the tax content knows it."""

    code: Literal["MALFORMED", "UNKNOWN"]
    """`MALFORMED` is not as expected, `UNKNOWN` is a field that the return of this jurisdiction does not ask for."""
    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure that is."""
    field: str
    """Name of the field; one of `jurisdiction_specific_fields` has that before it and a point."""
    message: str
    """What is expected."""
    source: str
    """Where it was read; empty for UNKNOWN."""


class RegistrationList(TypedDict):
    """A page of registrations."""

    items: List[Registration]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class RegistrationUpdate(TypedDict):
    """Changes of a registration. Absent fields stay, `null` clears a field to its default."""

    amount_fees: NotRequired[Money18InputOrNull]
    """Fees of the registration."""
    change_regime_status: NotRequired[Optional[Literal["REQUESTED", "APPROVED", "DONE", "ACKNOWLEDGED"]]]
    """How far a change of the regime is."""
    comment: NotRequired[Optional[str]]
    """Note."""
    create_filings_from: NotRequired[Optional[str]]
    """First day that filings cover, at most 10 years back; `registration_date` unless sent."""
    deregistration_completed: NotRequired[Optional[str]]
    """When its end was confirmed. Set by the service unless sent."""
    deregistration_requested: NotRequired[Optional[str]]
    """When its end was asked for. Set by the service unless sent."""
    do_not_file: NotRequired[Optional[bool]]
    """No filings are made for it."""
    filing_frequency: NotRequired[FilingFrequencyInput]
    """How often returns are filed. `ANNUAL` means `ANNUALLY`."""
    initial_sync: NotRequired[Optional[bool]]
    """Mark of your own."""
    jurisdiction_specific_fields: NotRequired[Optional[Dict[str, Any]]]
    """What only this jurisdiction asks for, at most 8 KiB."""
    marked_collecting: NotRequired[Optional[bool]]
    """The organization collects tax there."""
    password_metadata_plain_text: NotRequired[Optional[str]]
    """What else the account needs, such as answers to its questions. Stored encrypted and never returned."""
    password_plain_text: NotRequired[Optional[str]]
    """Password of that account. Stored encrypted and never returned."""
    registration_completed: NotRequired[Optional[str]]
    """When it was confirmed. Set by the service unless sent."""
    registration_date: NotRequired[Optional[str]]
    """Day from which it counts. Today or a day that has passed makes a registration REGISTERED at once that is on its way to the authority. A day to come changes no status; where the registration is REGISTERED, or becomes so by `status`, tax is collected and returns are filed from that day on, no longer from the day before."""
    registration_email: NotRequired[Optional[str]]
    """E-mail address that the authority knows."""
    registration_requested: NotRequired[Optional[str]]
    """When it was asked for. Set by the service unless sent."""
    registrations_regime: NotRequired[Optional[Literal["STANDARD", "SIMPLIFIED"]]]
    """Regime of the registration; `STANDARD` unless sent."""
    sales_tax_id: NotRequired[Optional[str]]
    """Number that the authority gave."""
    start_date: NotRequired[Optional[str]]
    """Another name of `registration_date`."""
    status: NotRequired[RegistrationStatus]
    """Status of a registration. `/v1/meta/state-machines` lists the transitions."""
    tax_id: NotRequired[Optional[str]]
    """Tax number of the organization there."""
    third_party_enabled: NotRequired[Optional[bool]]
    """Another person may act for the organization."""
    two_factor_enabled: NotRequired[Optional[bool]]
    """The account asks for a second factor."""
    username: NotRequired[Optional[str]]
    """Name of the account at the portal of the authority."""
    vda: NotRequired[Optional[bool]]
    """It follows a voluntary disclosure."""


class Report(TypedDict):
    """A page of a report."""

    columns: List[ReportColumn]
    """The values of each row, in order."""
    end_date: Optional[str]
    """Last day; null for a report about today."""
    items: List[ReportRow]
    """The rows, by organization and then by the first columns."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    report: ReportName
    """A report."""
    size: int
    """Rows of a page."""
    start_date: Optional[str]
    """First day; null for a report about today."""
    total: int
    """Rows in the whole list."""


class ReportColumn(TypedDict):
    """A column of a report."""

    kind: Literal["TEXT", "DAY", "MONTH", "COUNT", "QUANTITY", "AMOUNT"]
    """What its values are. A MONTH is such as 2026-01; amounts have two decimals."""
    name: str
    """Name of its values in each row."""


class ReportRow(TypedDict):
    """A row of a report."""

    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    """Its name."""
    report_row: NotRequired[str]
    """Names the row. `GET /v1/transactions` of its organization lists with it the transactions that the row adds up. Absent in the reports `FILINGS`, whose transactions have a `filing_id`, `NEXUS` and `TAXABILITY`."""
    values: Dict[str, str]
    """A value for each column by its name; empty where there is none."""


class ReportedExcluded(TypedDict):
    """A transaction that was left out, as it was then."""

    amount: Optional[str]
    """Net, credit notes negative, in the currency of the report; null without a reference rate."""
    external_id: str
    reason: Optional[str]
    """Why it could not be processed."""
    tax_date: str
    transaction_id: str
    type: str


class ReportedExclusion(TypedDict):
    """Unresolved transactions that an approval left out by decision. They are not part of any amount of the report."""

    amount: Money18
    """Net of those with a reference rate, in the currency of the report."""
    decided_at: Optional[str]
    """When it was decided."""
    decided_by: Optional[str]
    """Who decided it."""
    transaction_count: int
    transactions: List[ReportedExcluded]
    """All of them, sorted by id."""


class ReportedFiling(TypedDict):
    """What was filed for whom, and what came back."""

    amended_totals: NotRequired[AmendedTotals]
    """Of an AMENDMENT, except in reports of early releases."""
    amends_filing_id: Optional[str]
    """Filing that this one amends."""
    approved_at: Optional[str]
    approved_by: Optional[str]
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    currency: Optional[str]
    """Currency of all amounts of the report."""
    date_filed: Optional[str]
    due_date: Optional[str]
    end_date: str
    """Last day of the period."""
    filing_category: str
    """REGULAR, AMENDMENT, PREPAYMENT or another one."""
    filing_frequency: Optional[str]
    findings: NotRequired[List[FilingFinding]]
    """What a person should know of the return, as of its claim; of a preview, now. Absent in reports of early releases."""
    id: FilingId
    """Id of a filing."""
    organization_id: OrganizationId
    """Id of an organization."""
    payment_confirmation_id: Optional[str]
    registration_id: str
    """Registration that the filing belongs to."""
    return_confirmation_id: Optional[str]
    start_date: str
    """First day of the period."""
    state_code: Optional[str]
    state_name: Optional[str]
    status: str
    """Status of the filing."""


class ReportedJurisdiction(TypedDict):
    """What the transactions owe to one of the places that tax them."""

    code: str
    """Code the authority itself uses; empty when there is none."""
    jurisdiction_name: str
    jurisdiction_type: JurisdictionType
    """Level of a taxing jurisdiction."""
    tax_amount: Money18
    """What is owed there. They add up to total_tax_liability."""
    tax_calculated: NotRequired[Money18]
    """Tax by law of all transactions. Reports of early releases do not have it: there tax_amount and taxable_amount are calculated."""
    taxable_amount: Money18
    """Base of the tax by law, without sales of marketplaces and of days without an obligation."""
    taxable_calculated: NotRequired[Money18]
    """Base of the tax by law of all transactions."""


class ReportedTaxpayer(TypedDict):
    """For whom a return is, as the organization said it in its onboarding. What it has not said is left out."""

    address: NotRequired[List[str]]
    """Line by line."""
    dba: NotRequired[str]
    """The name under which it does business."""
    ein: NotRequired[str]
    """Employer Identification Number, United States."""
    legal_name: NotRequired[str]
    sales_tax_id: NotRequired[str]
    """That of the registration with the authority."""
    tax_id: NotRequired[str]


class ReportedTotals(TypedDict):
    """The amounts of the filing, credit notes negative."""

    amount: Money18
    """total_tax_liability + amount_adjusted - amount_discounts + amount_fees + amount_penalties - amount_prepaid - amount_credit_applied + amount_credit_carried - amount_deferred."""
    amount_adjusted: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_calculated: Money18
    """Tax by law."""
    amount_credit_applied: NotRequired[Money18]
    """Credit that is taken off."""
    amount_credit_carried: NotRequired[Money18]
    """Credit that is left."""
    amount_deferred: NotRequired[Money18]
    """What of the tax of a prepayment is not paid with it."""
    amount_discounts: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_fees: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_penalties: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    amount_prepaid: NotRequired[Money18]
    """Prepayments that are taken off. Reports of early releases have none of these."""
    amount_sales: Money18
    """Net sales."""
    amount_tax_collected: Money18
    """Tax that the merchant collected."""
    marketplace_transaction_count: int
    """Transactions for which the marketplace pays."""
    tax_remitted: Money18
    """What was paid."""
    total_tax_liability: Money18
    """Tax that is owed."""
    total_taxable_sales: Money18
    """Sales that are taxed."""
    transaction_count: int
    """Transactions without marketplace; credit notes count like sales."""


class ReportedTransaction(TypedDict):
    """What a sale or credit note adds to the filing, in its currency."""

    exempt: str
    """NOT_EXEMPT, PARTIALLY_EXEMPT, FULLY_EXEMPT or ZERO_RATE_NOT_EXEMPT."""
    external_id: str
    """Your identifier of the transaction."""
    marketplace: bool
    net_amount: Money18
    """Net of the lines, before tax."""
    tax_calculated: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    tax_collected: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    tax_date: str
    tax_liability: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    taxable_amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    transaction_id: TransactionId
    """Id of a transaction, sale or credit note."""
    type: str
    """SALE, FULL_CREDIT_NOTE, PARTIAL_CREDIT_NOTE or TAX_REFUND."""


class RequiredExemption(TypedDict):
    """An exemption made for one transaction."""

    FEIN: NotRequired[str]
    """Federal employer identification number."""
    country_code: NotRequired[CountryCode]
    customer_id: NotRequired[str]
    """Levy's id of the customer."""
    end_date: NotRequired[str]
    """Last day, inclusive. Open unless sent. A date-time counts by its date part."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt, as returns ask for it. RESALE unless sent, if the type is wholesale or the buyer is a reseller."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    jurisdiction: NotRequired[str]
    """Code of the state the exemption is for. The whole country unless sent."""
    reseller: NotRequired[bool]
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[str]
    """Sales tax identification number."""
    start_date: NotRequired[str]
    """First day, inclusive. The tax date unless sent. A date-time counts by its date part."""
    status: NotRequired[ExemptionStatus]
    """Only ACTIVE makes the exemption apply. EXPIRED is set by the service."""


class ReturnAllowance(TypedDict):
    """What a state leaves to sellers that file and pay in time. Levy proposes it on worksheets until the due day."""

    basis: Optional[str]
    """The tax that the rates apply to."""
    cap_per: Optional[str]
    """The period of the caps."""
    condition: Optional[str]
    """Which sellers get it."""
    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure it is: the lowest of what it rests on."""
    days: Literal["PERIOD_END", "DUE"]
    """Which days these are: the last ones of periods, or those on which returns are due."""
    filing_frequencies: List[str]
    """The frequencies of those that get it; none for all."""
    paid_by_day: Optional[int]
    """Paid until this day of the month after the period; null for the due day."""
    program: str
    """SALES is the ordinary return. Levy proposes nothing for other programs."""
    source: str
    """What was read."""
    state_code: str
    """State."""
    tier_by: Optional[str]
    """Which amount decides about the tier; null for one tier."""
    tier_kind: Literal["MARGINAL", "WHOLE"]
    """MARGINAL: each part of the tax at the rate of its tier. WHOLE: all at one rate."""
    tiers: List[ReturnAllowanceTier]
    valid_from: Optional[str]
    """First day; null for no beginning."""
    valid_to: Optional[str]
    """Last day; null for no end."""


# A tier of an allowance. Rate 0 without a minimum says that there is none.
ReturnAllowanceTier = TypedDict(
    "ReturnAllowanceTier",
    {
        # At most this amount.
        "cap": "Optional[str]",
        # Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit.
        "from": "Money18",
        # At least this amount or all of the tax.
        "minimum": "Optional[str]",
        # Rate, such as 0.025.
        "rate": "str",
        # Its upper end which belongs to it; null for none.
        "to": "Optional[str]",
    },
)


class ReturnField(TypedDict):
    """A field of registrations that returns or their payments ask for. Those of payments are of `US` without a state."""

    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure it is."""
    country_code: str
    """Country of the registration."""
    expected: str
    """What is expected."""
    field: str
    """Its name: `sales_tax_id`, `tax_id`, or `jurisdiction_specific_fields.` and the name there."""
    source: str
    """What was read."""
    state_code: Optional[str]
    """State; null for the whole country."""


class ReturnFormat(TypedDict):
    """An edition of the return of an authority."""

    amends: Literal["REPLACES", "CORRECTS"]
    """Whether an amended return REPLACES the first one, or CORRECTS it by differences."""
    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure it is: the lowest of what it rests on."""
    country_code: str
    """Country; `*` is the layout for authorities without one."""
    edition: str
    """Edition that was read."""
    filing_frequencies: List[str]
    """The frequencies of those that file it; none for all."""
    form: str
    """Number of the form."""
    layout: str
    """Id of the layout, as worksheets name it."""
    lines: List[ReturnFormatLine]
    name: str
    """Name of the form."""
    rounding: Literal["CENT_ACCRUED", "CENT_OF_BASE", "DOLLAR_BASE", "DOLLAR_ALL", "DOLLAR_HEAD", "UNIT_FLAT", "UNIT_DOWN"]
    """Where the form rounds. CENT_ACCRUED: tax is the sum of the taxes of sales. CENT_OF_BASE: base x rate to the cent. DOLLAR_BASE: bases in whole dollars, tax of them to the cent. DOLLAR_ALL: bases and taxes in whole dollars. DOLLAR_HEAD: the bases of the authority in whole dollars, the rest to the cent. UNIT_FLAT: bases in whole units of which no tax is computed. UNIT_DOWN: the same, and their hundredths are left out."""
    source: str
    """What was read."""
    state_code: Optional[str]
    """Code of the state; the country's code where the jurisdiction is a whole country; null for the layout of authorities without one."""
    valid_from: str
    """For periods that end on this day or later."""
    valid_to: Optional[str]
    """For periods that end on this day or earlier; null for no end."""


class ReturnFormatFile(TypedDict):
    """An edition of the file that an authority takes. One with the confidence LOW was not read in full: nobody gets it."""

    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure it is: the lowest of what it rests on."""
    country_code: str
    """Country of the authority. A file of the one-stop shop is of the member that identifies the seller, and `country_code=ZZ_EU` lists these, too."""
    edition: str
    """Edition that was read."""
    filing_frequencies: List[str]
    """The frequencies of those that file it; none for all."""
    form: str
    """The form among files."""
    format: Literal["CSV", "JSON", "TEXT", "XML"]
    """What its bytes are."""
    layout: str
    """Id of the layout, as `GET /v1/filings/{filing_id}/return?format=findings` names it."""
    media_type: str
    """Its media type."""
    name: str
    """Name of the file."""
    only_sent: bool
    """Whether Levy makes it only for returns that an adapter sends. Other files are for people who upload them."""
    source: str
    """What was read."""
    state_code: Optional[str]
    """Code of the state; the country's code where the jurisdiction is a whole country, such as `GB`; `OSS` for the one-stop shop."""
    valid_from: str
    """For periods that end on this day or later."""
    valid_to: Optional[str]
    """For periods that end on this day or earlier; null for no end."""


class ReturnFormatLine(TypedDict):
    """A line of a form. A `*` in its number stands for each of several lines."""

    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure it is: the lowest of what it rests on."""
    formula: str
    """The same as the program computes it."""
    line: str
    """Number of the line on the form."""
    name: str
    """Name of the line on the form."""
    rule: str
    """How it is computed."""
    source: str
    """What was read."""
    unit: Literal["CENT", "DOLLAR"]
    """To what the form rounds the amount."""


class ReturnFormats(TypedDict):
    """The layouts of returns, the files for authorities, the allowances of states, and the fields that returns ask of registrations."""

    allowances: List[ReturnAllowance]
    content_version: str
    """Version of the tax content that has them."""
    fields: List[ReturnField]
    files: List[ReturnFormatFile]
    formats: List[ReturnFormat]


class RowProblem(TypedDict):
    """Why one row of a request was refused, in the words of the errors of single requests."""

    code: str
    """Stable code of the problem."""
    detail: str
    """What is wrong, in words."""
    errors: List[ProblemError]
    """Problems of fields."""
    existing_id: NotRequired[str]
    """Id of the record that is in the way."""
    status: int
    """Status a single request would have been answered with."""


class SavedView(TypedDict):
    """A filter of a list that a person has given a name."""

    id: SavedViewId
    """Id of a view."""
    list: SavedViewOf
    """`filings` is `GET /v1/due_filings`, `exceptions` `GET /v1/exceptions`, `transactions` `GET /v1/transactions`, `clients` `GET /v1/onboardings`."""
    name: str
    query: str
    """Parameters of the list as a query string, sorted by name."""
    shared_with: Optional[str]
    """The organization whose people see the view; null if only its person does."""
    updated_at: str


class SavedViewList(TypedDict):
    """The views of a person."""

    items: List[SavedView]
    shared: List[SharedView]
    """Those that others share with an organization in which the person has a role."""


class SavedViewUpdate(TypedDict):
    """What becomes of a view."""

    list: SavedViewOf
    """`filings` is `GET /v1/due_filings`, `exceptions` `GET /v1/exceptions`, `transactions` `GET /v1/transactions`, `clients` `GET /v1/onboardings`."""
    name: str
    """Compared without case."""
    new_name: NotRequired[str]
    """The name that the view gets."""
    query: NotRequired[Optional[str]]
    """Parameters of the list as a query string, each as the list takes it, at least one, without `page` and `size`. `null` removes the view."""
    shared_with: NotRequired[Optional[str]]
    """An organization in which you have a role, whose people see the view from now on. `null` makes it private."""


class SearchChange(TypedDict):
    """A search finds something else than before."""

    found: int
    """How many records are found."""
    mark: str
    """What the results are recognised by."""


class SearchResults(TypedDict):
    """What was found."""

    items: List[FoundRecord]
    more: List[SearchResultType]
    """Types of which more match than are in `items`. Look for more of the name, or use the list of that type."""


class SecondFactor(TypedDict):
    """The second step of a sign-in."""

    confirmed: bool
    """From now on signing in asks for a code."""
    otpauth_uri: Optional[str]
    """The secret as the address that apps open."""
    recovery_codes: Optional[List[str]]
    """Ten codes for who has not got the app, each of which works once; null until it is confirmed."""
    secret: Optional[str]
    """The secret for the app, in base32; null once it is confirmed."""


class SecondFactorUpdate(TypedDict):
    """A step of setting up the second step of a sign-in."""

    code: NotRequired[str]
    """The six digits that the app shows; absent for a new secret."""


class Session(TypedDict):
    """Who is signed in."""

    api_key_id: Optional[str]
    """The key; null for a person."""
    organizations: List[SessionOrganization]
    passkeys_ended: NotRequired[int]
    """How many passkeys have ended with the link by which the person signs in. Absent for none."""
    preferences: Optional[Dict[str, Any]]
    """How the console looks to the person; null for a key, and while a session begins."""
    staff_role: Optional[str]
    """Role at the operator; null for others."""
    user: Optional[SessionUser]
    """The person; null for a key."""


class SessionOrganization(TypedDict):
    """A role in an organization."""

    organization_id: OrganizationId
    """Id of an organization."""
    organization_name: Optional[str]
    role: Role
    """Role of a person in an organization. `viewer` reads; `preparer` also corrects transactions, registrations, exemptions, imports and prepares filings; `approver` also approves, skips, cancels and retries filings; `admin` also manages people, keys, settings and the onboarding of clients."""
    root: bool
    """It is a partner, and the role counts for its clients too."""
    time_zone: Optional[str]
    """Time zone of the settings of the organization; null for UTC."""


class SessionProof(TypedDict):
    """What proves who uses a session."""

    code: NotRequired[str]
    """The code of the app, or a recovery code, of a person with a second step. Each works once."""
    passkey: NotRequired[PasskeyAnswer]
    """The answer of a browser to a challenge."""
    password: NotRequired[str]
    """The password, of a person without a second step."""


class SessionUser(TypedDict):
    """A person."""

    email: str
    id: UserId
    """Id of a person."""
    name: str
    passkeys: int
    """How many passkeys the person has. With one, signing in asks for it, or for a code, too."""
    recovery_codes_left: int
    """How many codes are left that sign in without the app, of ten; 0 without a second step."""
    second_factor: bool
    """Signing in asks for a code too."""


class SharedView(TypedDict):
    """A view that another person has shared. It holds a filter and no record, so a person who opens it sees what that person may see."""

    id: SavedViewId
    """Id of a view."""
    list: SavedViewOf
    """`filings` is `GET /v1/due_filings`, `exceptions` `GET /v1/exceptions`, `transactions` `GET /v1/transactions`, `clients` `GET /v1/onboardings`."""
    name: str
    query: str
    """Parameters of the list as a query string, sorted by name."""
    shared_by: str
    """Name of the person."""
    shared_with: Optional[str]
    """The organization whose people see the view; null if only its person does."""
    updated_at: str


class SignIn(TypedDict):
    """How a person signs in."""

    challenge: NotRequired[str]
    """That of the refusal `second_factor_required`."""
    email: NotRequired[str]
    """E-mail address, compared without letter case."""
    passkey: NotRequired[PasskeyAnswer]
    """The answer of a browser to a challenge."""
    password: NotRequired[str]
    """The password; with `token` the new one, of 12 to 200 characters; with `challenge` the code of the app, or a recovery code."""
    token: NotRequired[str]
    """What a sign-in link ends with."""


class SignInLink(TypedDict):
    """Whose a sign-in link is."""

    email: str
    """E-mail address with which the person signs in."""
    name: str
    """Name of the person."""


class SignInLinkToken(TypedDict):
    """Names a sign-in link."""

    token: str
    """The end of the address of the link."""


class SimulatedNexus(TypedDict):
    """One jurisdiction as it is and as it would be."""

    changed: bool
    """Whether the two differ in status, nexus or obligation."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    nexus_id: NexusId
    """Id of a nexus record."""
    present: NexusOutlook
    """Where the organization would stand."""
    simulated: NexusOutlook
    """Where the organization would stand."""
    state_code: str
    """Code of the state."""
    state_name: str
    """Name of the jurisdiction."""


class SimulatedSales(TypedDict):
    """Sales to be added."""

    amount: MoneyInput
    """Amount of money: a number or a decimal string with at most 10 digits before the point and 2 after it."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    date: str
    """Day of the sales."""
    marketplace: NotRequired[bool]
    """Whether they are sold through marketplaces."""
    state_code: str
    """Code or name of the state; the country's code where the jurisdiction is a whole country."""
    transactions: NotRequired[int]
    """How many sales that is."""


class SimulatedThreshold(TypedDict):
    """Another threshold. What is not sent is that of the law."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    state_code: str
    """Code or name of the state; the country's code where the jurisdiction is a whole country."""
    threshold_sales: NotRequired[MoneyInput]
    threshold_transactions: NotRequired[int]
    """Number of sales."""


class State(TypedDict):
    """One state."""

    final: bool
    """Nothing follows."""
    name: str
    """The value of the field."""
    next: List[str]
    """The states that can follow."""


class StateMachine(TypedDict):
    """The state machine of one field."""

    field: str
    """The field, as answers name it."""
    moves: List[StateMove]
    """All transitions. Others do not exist."""
    name: str
    """Name of the machine."""
    object: str
    """What has the field."""
    states: List[State]
    """All states."""


class StateMachineList(TypedDict):
    """All state machines."""

    items: List[StateMachine]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


# One transition.
StateMove = TypedDict(
    "StateMove",
    {
        # Who makes the transition.
        "by": "str",
        # The state before; null when the object comes into being.
        "from": "Optional[str]",
        # What must hold, in words.
        "guard": "Optional[str]",
        # The state after.
        "to": "str",
    },
)


class StateTaxability(TypedDict):
    """How a state taxes a product."""

    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: Optional[Literal["RULE_FOUND_TAXABLE", "RULE_FOUND_NOT_TAXABLE", "RULE_FOUND_TAXABLE_ZERO_RATE", "BELOW_THRESHOLD", "TAX_HOLIDAY", "PRODUCT_EXEMPT", "CUSTOMER_EXEMPT", "TRANSACTION_EXEMPT", "REVERSE_CHARGE", "EXPORT", "RULE_EXCLUDED_IN_CALCULATION", "NO_RULE_FOUND", "FROM_IMPORT"]]
    """Why the state taxes it or not; null where the state has no sales tax."""
    rule_id: str
    """Rule of the tax content; empty without one."""
    state_code: str
    """The state."""
    tax_amount: Money
    """Amount of money with exactly 2 decimals."""
    warnings: List[TaxWarning]
    """What is not known for sure."""


class StatusLine(TypedDict):
    """How one part is."""

    subject: str
    """The part; empty where the line before goes on."""
    text: str
    """How it is."""


class StoredAttachment(TypedDict):
    """A stored document, with what it belongs to."""

    content_type: str
    created_at: str
    filename: str
    id: str
    related_entity_id: str
    """Id of the exemption."""
    related_entity_type: Literal["EXEMPTION"]
    sha256: str
    size: int
    """Bytes."""


class TaxItem(TypedDict):
    """A tax line. The CALCULATED lines of an item add up to its `tax_amount_calculated`."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    converted_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    destination_currency: NotRequired[CurrencyCode]
    """ISO 4217 code of a currency."""
    external_id: NotRequired[str]
    jurisdiction_name: NotRequired[str]
    jurisdiction_type: NotRequired[JurisdictionType]
    """Level of a taxing jurisdiction."""
    name: str
    rate: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    reason: TaxReason
    """Why a tax line is as it is."""
    rule_id: str
    source: NotRequired[str]
    """The statute, regulation or official publication that the rate or rule of a CALCULATED line was taken from, with its version or date. It stands where a single transaction is read; in lists it is left out, and where there is no rule."""
    taxable_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    type: TaxItemType
    """IMPORTED lines come from the merchant, CALCULATED lines from the service."""


class TaxItemCreate(TypedDict):
    """A tax line of the merchant."""

    amount: MoneyInput
    """Amount of money: a number or a decimal string with at most 10 digits before the point and 2 after it."""
    currency: NotRequired[CurrencyCode]
    """The transaction's currency unless sent."""
    external_id: NotRequired[str]
    """Your identifier of the tax line."""
    jurisdiction_name: NotRequired[str]
    """Name of the taxing place."""
    jurisdiction_type: NotRequired[JurisdictionType]
    """Level of a taxing jurisdiction."""
    name: str
    """Name of the tax."""
    rate: RateInput
    """Tax rate as a fraction (8.25 % is 0.0825): a number or a decimal string with at most 3 digits before the point and 9 after it."""
    rule_id: NotRequired[str]
    """Your identifier of the rule."""
    type: NotRequired[TaxItemType]


class TaxWarning(TypedDict):
    """Something that a person should know about a calculated tax, mostly what makes it less sure than it looks."""

    code: str
    """NO_RULE_FOUND (the tax content has no rule for a line there on that date: no tax was calculated), CLASS_TOO_COARSE (the place taxes only some of this class), BEFORE_KNOWN_HISTORY (the date lies before the first known day of a rate or rule, which was taken), RATE_MISSING (a limit of the law is in another currency and there is no reference rate: it was compared as it stands), AMBIGUOUS_PLACE (the address fits several sets of jurisdictions, or contradicts itself), LOCAL_TAX_UNKNOWN (a local tax may be missing), NOT_CONFIRMED_SINCE (the date lies after the day until which the rates of the state are confirmed: says which table, and what brings its next edition), OTHER_LOCAL_TAX (a tax or fee that may be due besides, or instead, is known to exist and is not calculated), LOW_CONFIDENCE (something is disputed, or not known), NEGATIVE_TOTAL (the negative lines come to more than the others: no tax is due), REIMBURSED_UNKNOWN (whether a discount that somebody else reimburses lowers the base is not known here: it was taken to lower it), TRADE_IN_UNKNOWN (the same of a trade-in: it was taken not to lower it), DROP_SHIPMENT (the buyer has a certificate for resale of another state than that of the destination: it was not applied), MARKETPLACE_UNSURE (the sale is marked as one of a marketplace, and the law may make the seller owe its tax), UNKNOWN_SUBCATEGORY (of an estimate: the subcategory is not of the catalogue, and the class of its category was taken), OVER_COLLECTED and UNDER_COLLECTED (of a transaction: by more than a cent a line the collected tax is above or below the calculated one), TOTAL_MISMATCH (of a transaction: its total differs from its lines with their tax by more than a cent a line), POSSIBLE_DUPLICATE (of a sale: another sale with the same `secondary_external_id` came from another connection, so both may be one order) or REFUND_EXCEEDS_TAX (a refund takes more tax than its sale has left: it refunds a line without the coupon that lowered the tax of the sale). The set is open."""
    line: NotRequired[int]
    """Number of the line, from 0; absent when it is about the whole."""
    message: str
    """One sentence for people."""


class Transaction(TypedDict):
    """A recorded transaction. Optional fields without a value are left out."""

    address_status: AddressStatus
    """UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part."""
    addresses: List[TransactionAddress]
    ambiguous: bool
    """The destination has several possible sets of jurisdictions."""
    batch_id: NotRequired[str]
    """Batch the transaction arrived in."""
    city: NotRequired[str]
    """City of the destination."""
    completeness: NotRequired[TaxCompleteness]
    """How precisely the place of the tax was found. Present with confidence."""
    confidence: NotRequired[TaxConfidence]
    """How sure the least sure row is that the tax rests on. From PROCESSED on; absent when it was calculated before this was kept."""
    connection_id: NotRequired[str]
    content_version: NotRequired[str]
    """Version of the tax content used."""
    conversion_rate: NotRequired[ConversionRate]
    """Exchange rate with exactly 9 decimals."""
    converted_final_total_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_subtotal: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_taxable_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_discount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_tax_amount_calculated: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_tax_amount_imported: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_tax_liability_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County of the destination."""
    created_at: str
    currency: CurrencyCode
    """ISO 4217 code of a currency."""
    customer: Customer
    """A customer. Optional fields without a value are left out."""
    customer_id: CustomerId
    """Id of a customer."""
    date: str
    """Date and time of the sale, UTC."""
    description: NotRequired[str]
    destination_currency: NotRequired[CurrencyCode]
    """ISO 4217 code of a currency."""
    exempt: ExemptStatus
    """How much of a transaction is exempt from tax."""
    exemptions: List[Exemption]
    """Every exemption that was applied, those found through the customer included."""
    external_friendly_id: NotRequired[str]
    external_id: str
    """Your identifier."""
    filing_id: NotRequired[str]
    """Filing that claimed the transaction."""
    final_total_amount: Money
    """Subtotal minus discounts plus the tax owed. Of prices that include tax, what the buyer pays."""
    id: TransactionId
    """Id of a transaction, sale or credit note."""
    locked: bool
    """Claimed by a filing or archived; no change is possible."""
    marketplace: bool
    """Sold through a marketplace that collects the tax."""
    organization_id: OrganizationId
    """Id of an organization."""
    postal_code: NotRequired[str]
    """Postal code of the destination."""
    prices_include_tax: bool
    """Whether the amounts of the lines include the tax, as sent. Discounts and subtotals are net as soon as the tax is calculated."""
    processing_reason: NotRequired[str]
    """Why the transaction rests or does not get on. With NEEDS_REFETCH: what it waits for, such as a conversion rate. It goes on by itself when that is there; until then its amounts are as they were sent, or as they were calculated last, and nothing of it counts for nexus or returns. While it is under way: that its processing has failed, how often and where; it is tried again by itself."""
    processing_status: ProcessingStatus
    """How far the service is with a transaction. QUEUED when accepted, PROCESSED when tax is calculated, NEEDS_REFETCH when something is missing."""
    refund_status: NotRequired[RefundStatus]
    """How much of a sale has been credited."""
    related_to: NotRequired[TransactionId]
    """Id of a transaction, sale or credit note."""
    requires_exemption: NotRequired[TransactionRequiredExemption]
    revision: int
    """1, and 1 more for each accepted change."""
    secondary_external_id: NotRequired[str]
    secondary_source: NotRequired[str]
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, as it was sent."""
    source: Source
    """Where a record comes from. API, CUSTOM, UNKNOWN, IMPORT, OTHER, POS, BILLING_PLATFORM, INTERNAL_ERP, or the name of a platform, plus values the operator of the service has configured."""
    state: NotRequired[str]
    """State of the destination; its code once the address has been checked."""
    status: TransactionStatus
    """Commercial status of a transaction."""
    subtotal: Money
    """Amount of money with exactly 2 decimals."""
    tax_date: str
    """Day that selects the law and the filing period: `shop_date` if sent, else the day of `date` in `shop_date_tz` if sent, else its day as written with an offset other than `Z`, else its UTC day. A change keeps it unless one of the three fields changes."""
    tax_id: NotRequired[str]
    tax_liability_source: NotRequired[TaxLiabilitySource]
    """Whether the tax owed is the calculated or the collected one."""
    tax_rate_calculated: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    tax_rate_imported: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    tax_rounding: NotRequired[RoundingUnit]
    """What is rounded once in this document."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""
    total_amount: Money
    """Amount of money with exactly 2 decimals."""
    total_discount: Money
    """Amount of money with exactly 2 decimals."""
    total_tax_amount_calculated: Money
    """Amount of money with exactly 2 decimals."""
    total_tax_amount_imported: Money
    """Amount of money with exactly 2 decimals."""
    total_tax_liability_amount: Money
    """Amount of money with exactly 2 decimals."""
    transaction_items: List[TransactionItem]
    type: TransactionType
    """SALE: an ordinary sale. FULL_CREDIT_NOTE and PARTIAL_CREDIT_NOTE: a credit on the sale named in `related_to`; which of the two it is follows from the amounts. TAX_REFUND: refund of tax only. ARCHIVE: stored and never processed."""
    updated_at: str
    warnings: NotRequired[List[TaxWarning]]
    """What makes the calculated tax less sure than it looks; empty when there is nothing to say. Present with confidence. Those of a refund are about its own lines."""


class TransactionAddress(TypedDict):
    """An address of a transaction, as sent."""

    city: NotRequired[str]
    connection_id: NotRequired[str]
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    full_address: NotRequired[str]
    id: str
    """Levy's id of the address."""
    is_unincorporated: bool
    phone: NotRequired[str]
    postal_code: NotRequired[str]
    state: NotRequired[str]
    status: AddressStatus
    """UNVERIFIED: not checked yet. VERIFIED: postal code, state and city agree. PARTIALLY_VERIFIED: country and state are certain, the rest is missing or ambiguous. INVALID: a contradiction. UNVERIFIABLE: a country without address data. BLANK: no usable part."""
    street_1: NotRequired[str]
    street_2: NotRequired[str]
    transaction_id: TransactionId
    """Id of a transaction, sale or credit note."""
    type: AddressType
    """Role of an address. The destination is SHIP_TO, else BILL_TO. The origin is SHIP_FROM."""


class TransactionAddressCreate(TypedDict):
    """An address of a transaction. Send at least a country with a state or postal code, so that the tax can be calculated."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the address came through."""
    country: NotRequired[CountryCode]
    """Country. When absent, US if the state is a US state and the postal code looks like a ZIP code."""
    county: NotRequired[str]
    """County."""
    full_address: NotRequired[str]
    """The whole address as one text. Read only when all other parts are empty."""
    is_unincorporated: NotRequired[bool]
    """Outside city limits, so that no city tax applies."""
    phone: NotRequired[str]
    """Telephone number: 7 to 15 digits, with `+ - ( ) .` and spaces."""
    postal_code: NotRequired[str]
    """Postal code."""
    state: NotRequired[str]
    """State or province, code or name."""
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""
    type: AddressType
    """Role of an address. The destination is SHIP_TO, else BILL_TO. The origin is SHIP_FROM."""


class TransactionArchive(TypedDict):
    """Which transactions to archive."""

    transaction_ids: List[str]
    """Levy's ids, each once."""


class TransactionArchiveByDate(TypedDict):
    """Days whose transactions to archive."""

    after: NotRequired[str]
    """`next` of the answer to the call before."""
    end_date: str
    """Last day, UTC."""
    start_date: NotRequired[str]
    """First day, UTC."""


class TransactionArchiveByDateResult(TypedDict):
    """What became of the transactions of some days."""

    archived: int
    """How many were archived by this call."""
    next: Optional[str]
    """Where a further call goes on; null when all has been looked at."""
    refusals: List[TransactionArchiveVerdict]
    """The first 100 of those, with the reason."""
    refused: int
    """How many may not be archived."""


class TransactionArchiveResult(TypedDict):
    """What became of each transaction."""

    archived: int
    """How many are archived now."""
    items: List[TransactionArchiveVerdict]
    """In the order of the request."""


class TransactionArchiveVerdict(TypedDict):
    """The verdict on one transaction."""

    archived: bool
    """Whether it is archived now."""
    problem: Optional[TransactionArchiveVerdictProblem]
    """Why one row of a request was refused, in the words of the errors of single requests."""
    transaction_id: str
    """The id as sent."""


class TransactionArchiveVerdictProblem(TypedDict):
    """Why one row of a request was refused, in the words of the errors of single requests."""

    code: str
    """Stable code of the problem."""
    detail: str
    """What is wrong, in words."""
    errors: List[ProblemError]
    """Problems of fields."""
    existing_id: NotRequired[str]
    """Id of the record that is in the way."""
    status: int
    """Status a single request would have been answered with."""


class TransactionBatch(TypedDict):
    """Transactions to be recorded."""

    transactions: List[TransactionCreate]
    """The rows."""


class TransactionBatchResult(TypedDict):
    """What became of each row."""

    accepted: int
    """How many were recorded."""
    batch_id: str
    """Levy's id of the batch, which accepted rows carry."""
    items: List[TransactionBatchVerdict]
    """In the order of the request."""
    rejected: int
    """How many were not."""
    total: int
    """Rows of the request."""


class TransactionBatchVerdict(TypedDict):
    """The verdict on one row."""

    external_id: Optional[str]
    """Your identifier; null when the row has none that could be read."""
    index: int
    """Place of the row in the request, from 0."""
    problem: Optional[TransactionBatchVerdictProblem]
    """Why one row of a request was refused, in the words of the errors of single requests."""
    transaction_id: Optional[str]
    """Levy's id; null for a row that was refused."""
    verdict: Literal["ACCEPTED", "REJECTED"]


class TransactionBatchVerdictProblem(TypedDict):
    """Why one row of a request was refused, in the words of the errors of single requests."""

    code: str
    """Stable code of the problem."""
    detail: str
    """What is wrong, in words."""
    errors: List[ProblemError]
    """Problems of fields."""
    existing_id: NotRequired[str]
    """Id of the record that is in the way."""
    status: int
    """Status a single request would have been answered with."""


class TransactionCreate(TypedDict):
    """A transaction to be recorded. Fields the service owns (`id`, `processing_status`, `locked`, converted amounts) are ignored when sent."""

    addresses: List[TransactionAddressCreate]
    """At most one address of each type. May be empty."""
    city: NotRequired[str]
    """City of the destination, used when no address is sent."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the transaction came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County of the destination, used when no address is sent."""
    currency: NotRequired[CurrencyCode]
    customer: TransactionCustomerCreate
    """The buyer. Found by `external_id`, or created. Stored values of an existing customer are never overwritten, only empty ones are filled."""
    customer_id: NotRequired[str]
    """Levy's id of the customer. Must exist and belong to `customer.external_id`."""
    date: str
    """Date and time of the sale. Written with an offset other than `Z`, its day as written is that of the shop."""
    description: NotRequired[str]
    """Free text."""
    exempt: NotRequired[ExemptStatus]
    """FULLY_EXEMPT makes every line exempt. Other values are information only."""
    exemptions: NotRequired[List[TransactionExemptionCreate]]
    """Exemptions to apply. An entry with `id` links a stored exemption, one without creates an exemption for this transaction."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier, for example the order number. Unique in the organization over all transactions and credit notes."""
    filing_id: NotRequired[str]
    """Must exist when sent, and has no effect."""
    marketplace: NotRequired[bool]
    """Sold through a marketplace that collects the tax."""
    postal_code: NotRequired[str]
    """Postal code of the destination, used when no address is sent."""
    prices_include_tax: NotRequired[bool]
    """Amounts and discounts of the lines include the tax. Levy finds the net prices: net and tax of each line come to its price to the cent. Credit notes inherit it."""
    refund_status: NotRequired[RefundStatus]
    """How much of a sale has been credited."""
    related_to: NotRequired[str]
    """Levy's id of the original transaction. Required for credit notes and tax refunds."""
    requires_exemption: NotRequired[RequiredExemption]
    """Creates an exemption for this transaction."""
    secondary_external_id: NotRequired[str]
    """Second identifier of your own."""
    secondary_source: NotRequired[str]
    """System the second identifier belongs to."""
    shop_date: NotRequired[str]
    """Date of the sale in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It is the tax date, which selects the law and the filing period."""
    shop_date_tz: NotRequired[str]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone is the tax date."""
    source: NotRequired[Source]
    state: NotRequired[str]
    """State of the destination, code or name, used when no address is sent."""
    status: NotRequired[TransactionStatus]
    tax_id: NotRequired[str]
    """Deprecated, will be removed."""
    tax_liability_source: NotRequired[TaxLiabilitySource]
    """Shown until the service has calculated its own value."""
    tax_rate_calculated: NotRequired[RateInput]
    """Shown until the service has calculated its own value."""
    tax_rate_imported: NotRequired[RateInput]
    """Overall rate the merchant used."""
    tax_rounding: NotRequired[RoundingUnit]
    """What is rounded once in this document. The `tax_rounding` of the organization unless sent; kept until a PUT sends another."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    total_amount: NotRequired[MoneyInput]
    """Total of the document with tax. Stored as sent and not checked against the lines. Not negative for a SALE."""
    total_tax_amount_calculated: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    total_tax_amount_imported: NotRequired[MoneyInput]
    """Tax collected by the merchant. When 0 or absent, the sum of the lines."""
    total_tax_liability_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    transaction_items: List[TransactionItemCreate]
    """The lines."""
    type: TransactionType
    """SALE: an ordinary sale. FULL_CREDIT_NOTE and PARTIAL_CREDIT_NOTE: a credit on the sale named in `related_to`; which of the two it is follows from the amounts. TAX_REFUND: refund of tax only. ARCHIVE: stored and never processed."""


class TransactionCustomerCreate(TypedDict):
    """The buyer. Found by `external_id`, or created. Stored values of an existing customer are never overwritten, only empty ones are filled."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County."""
    customer_tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Tax numbers of the customer."""
    email: NotRequired[str]
    """E-mail address."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier of the customer."""
    full_address: NotRequired[str]
    """The whole address as one text."""
    name: NotRequired[str]
    """Name of the customer."""
    phone: NotRequired[str]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[str]
    """Postal code."""
    registration_number: NotRequired[str]
    """Company registration number."""
    source: NotRequired[Source]
    state: NotRequired[str]
    """State or province, code or name."""
    status: NotRequired[CustomerStatus]
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""


class TransactionCustomerUpdate(TypedDict):
    """The buyer, as on create. Without `external_id` the transaction keeps its customer, of whom empty values are filled."""

    city: NotRequired[str]
    """City."""
    connection_id: NotRequired[str]
    """Opaque identifier of the connection the customer came through."""
    country: NotRequired[CountryCode]
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    county: NotRequired[str]
    """County."""
    customer_tax_registrations: NotRequired[List[CustomerTaxRegistrationCreate]]
    """Tax numbers of the customer."""
    email: NotRequired[str]
    """E-mail address."""
    external_friendly_id: NotRequired[str]
    """Readable identifier shown to people."""
    external_id: NotRequired[str]
    """Your identifier of the customer."""
    full_address: NotRequired[str]
    """The whole address as one text."""
    name: NotRequired[str]
    """Name of the customer."""
    phone: NotRequired[str]
    """Telephone number. The format is not checked here."""
    postal_code: NotRequired[str]
    """Postal code."""
    registration_number: NotRequired[str]
    """Company registration number."""
    source: NotRequired[Source]
    state: NotRequired[str]
    """State or province, code or name."""
    status: NotRequired[CustomerStatus]
    street_1: NotRequired[str]
    """Street and number."""
    street_2: NotRequired[str]
    """Further address line."""


class TransactionExemptionCreate(TypedDict):
    """A stored exemption by its `id`, or one to be made for this transaction."""

    FEIN: NotRequired[str]
    """Federal employer identification number."""
    country_code: NotRequired[CountryCode]
    customer_id: NotRequired[str]
    """Levy's id of the customer."""
    end_date: NotRequired[str]
    """Last day, inclusive. Open unless sent. A date-time counts by its date part."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt, as returns ask for it. RESALE unless sent, if the type is wholesale or the buyer is a reseller."""
    exemption_type: NotRequired[ExemptionType]
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    id: NotRequired[str]
    """Levy's id of a stored exemption. The other fields are then ignored."""
    jurisdiction: NotRequired[str]
    """Code of the state the exemption is for. The whole country unless sent."""
    reseller: NotRequired[bool]
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[str]
    """Sales tax identification number."""
    start_date: NotRequired[str]
    """First day, inclusive. The tax date unless sent. A date-time counts by its date part."""
    status: NotRequired[ExemptionStatus]
    """Only ACTIVE makes the exemption apply. EXPIRED is set by the service."""


class TransactionExplanation(TypedDict):
    """How each cent of the tax of a transaction was computed."""

    completeness: NotRequired[TaxCompleteness]
    """How precisely the place of the tax was found. Present with confidence."""
    confidence: NotRequired[TaxConfidence]
    """How sure the least sure row is that the tax rests on. Absent when it was calculated before this was kept."""
    content_version: str
    """Version of the tax content that was used."""
    conversion: NotRequired[ExplainedConversion]
    """How amounts were converted to the currency of the country that taxes. Absent when they stand in it already."""
    input: NotRequired[ExplainedInput]
    """What the calculation was told beside the tax date and the items, so that `levy explain` can do it again. Absent from explanations stored before it was kept."""
    input_hash: str
    """SHA-256 of everything the tax depends on besides the content, hex."""
    items: List[ExplainedItem]
    """One per line, in the order of the lines."""
    jurisdictions: List[Jurisdiction]
    """Those that tax the place."""
    liability: ExplainedLiability
    """What of the tax is owed."""
    original: Optional[TransactionExplanationOriginal]
    """The original of a credit note; null for sales."""
    refund: NotRequired[ExplainedRefund]
    """Of a credit note or tax refund: what its calculation was told beside the explanation of its sale, so that `levy explain --original` can do it again. Absent from explanations stored before it was kept."""
    result_hash: str
    """SHA-256 of the result, hex. Equal inputs and content give equal results."""
    revision: int
    """Revision of the transaction that is explained."""
    sourcing: ExplainedSourcing
    """Which place taxes the sale, and how well it is known."""
    steps: List[ExplanationStep]
    """The story in sentences."""
    tax_date: str
    """Day whose law applies."""
    totals: ExplainedTotals
    """Sums of the lines."""
    transaction_id: TransactionId
    """Id of a transaction, sale or credit note."""
    warnings: List[TaxWarning]
    """What makes the tax less sure than it looks; empty when there is nothing to say."""


class TransactionExplanationOriginal(TypedDict):
    """The original of a credit note; null for sales."""

    content_version: str
    method: str
    """How the credit follows from the original."""
    owed_after: NotRequired[Money]
    """What they owe with this credit note. The difference is its liability."""
    owed_before: NotRequired[Money]
    """What the sale and the credit notes decided before this one owe. Absent in explanations of earlier releases."""
    tax_date: str
    transaction_id: TransactionId
    """Id of a transaction, sale or credit note."""


class TransactionHistory(TypedDict):
    """A page of stages in time order."""

    items: List[TransactionHistoryEntry]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class TransactionHistoryEntry(TypedDict):
    """One stage of a transaction."""

    at: str
    """When the stage was stored."""
    attempt: int
    """Attempt of the stage that succeeded; of FAILED how often this version has failed."""
    detail: Dict[str, Any]
    """Facts of the stage, such as address status, jurisdictions, exemption ids and amounts. No personal data."""
    request_id: Optional[str]
    """Request that did it; null when a workflow did."""
    revision: int
    """Revision of the transaction the stage belongs to."""
    stage: TransactionStage
    """Something that happened to a transaction."""
    workflow_id: Optional[str]
    """Workflow that did it; null when a call of this API did."""
    workflow_run_id: Optional[str]
    """Run of that workflow."""


class TransactionImport(TypedDict):
    """An import of a file of transactions, or of entries of filings. The counts are of whole transactions, or of entries, except `rows` and those that end in `_rows`."""

    accepted: int
    """Recorded."""
    accepted_rows: int
    """Rows of the file whose transactions were recorded."""
    already_present: int
    """Were recorded already, with the same content."""
    already_present_rows: int
    """Rows of transactions that an earlier import or call recorded, with the same content."""
    conflicting: int
    """Their `external_id` is that of another transaction."""
    conflicting_rows: int
    """Rows of transactions whose `external_id` is that of another one."""
    created_at: str
    finished_at: Optional[str]
    id: ImportId
    """Levy's id of the import. Transactions that were taken in have it as their `batch_id`."""
    kept_until: Optional[str]
    """When the rejected rows of an import that is over are deleted, and when one that rests is cancelled. Not set while it is under way, and after that time."""
    kind: TransactionImportKind
    """What a file has: transactions, or amounts that returns get as entries."""
    line: int
    """Line of the file that is next."""
    name: Optional[str]
    """Name of the file."""
    organization_id: OrganizationId
    """Id of an organization."""
    percent: int
    """How much of the file is done, 0 to 100."""
    problems: List[TransactionImportProblem]
    """The first 20 rows that were refused or are in conflict, then those that were there already (`already_present`). The rejected rows tell all."""
    reason: Optional[str]
    """Why the import failed."""
    rejected: int
    """Refused."""
    rejected_rows: int
    """Rows of transactions that were refused."""
    restored_postal_codes: int
    """Recorded transactions whose US postal code had lost its leading zero, which was put back (`2108` in Massachusetts is `02108`)."""
    rows: int
    """Rows read, without the header."""
    sha256: str
    """SHA-256 of the file."""
    size: int
    """Size of the file in bytes."""
    started_at: Optional[str]
    status: TransactionImportStatus
    """State of an import."""
    transactions: int
    """Transactions that have their verdict."""
    updated_at: str


class TransactionImportList(TypedDict):
    """A page of imports."""

    items: List[TransactionImport]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class TransactionImportProblem(TypedDict):
    """One problem of one row."""

    code: str
    """What is wrong, in the codes of Errors; `already_present` for rows that are recorded already."""
    column: Optional[str]
    """Name of the column; null when the row as a whole is meant."""
    external_id: Optional[str]
    """The transaction; null when it cannot be read."""
    line: int
    """Line of the file, from 1."""
    message: str
    """What is wrong, in a sentence."""


class TransactionItem(TypedDict):
    """A line of a transaction."""

    amount: Money
    """Amount of money with exactly 2 decimals."""
    converted_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_subtotal: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_tax_amount_calculated: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_tax_amount_imported: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_taxable_amount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    converted_total_discount: NotRequired[Money]
    """Amount of money with exactly 2 decimals."""
    date: str
    description: NotRequired[str]
    destination_currency: NotRequired[CurrencyCode]
    """ISO 4217 code of a currency."""
    discount_builder: NotRequired[Discount]
    """The discount that was sent with the line."""
    exempt: bool
    exemption_category: NotRequired[ExemptionCategory]
    """The category that was sent with the line."""
    external_id: NotRequired[str]
    external_product_id: str
    gross_amount: NotRequired[Money]
    """Price after discounts with the tax, of prices that include it. From PROCESSED on."""
    id: str
    """Levy's id of the line."""
    net_amount: NotRequired[Money]
    """Price after discounts without the tax, of prices that include it. From PROCESSED on."""
    organization_id: OrganizationId
    """Id of an organization."""
    original_currency: CurrencyCode
    """ISO 4217 code of a currency."""
    product: NotRequired[str]
    """Name of the product as sent."""
    product_description: NotRequired[str]
    product_id: ProductId
    """Id of a product."""
    product_name: str
    quantity: Quantity
    """Quantity with at least 1 and at most 9 decimals."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Who bears the discount. On negative lines alone."""
    subtotal: Money
    """Amount of money with exactly 2 decimals."""
    tax_amount_calculated: Money
    """Amount of money with exactly 2 decimals."""
    tax_amount_imported: Money
    """Amount of money with exactly 2 decimals."""
    tax_exemption: NotRequired[TaxExemption]
    """Why a line is not taxed."""
    tax_items: List[TaxItem]
    """Imported and calculated tax lines side by side."""
    tax_rate_calculated: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    tax_rate_imported: Rate
    """Tax rate as a fraction with exactly 9 decimals; 8.25 % is `0.082500000`."""
    taxable_amount: Money
    """Amount of money with exactly 2 decimals."""
    total_discount: Money
    """Amount of money with exactly 2 decimals."""
    trade_in: NotRequired[bool]
    """Whether the line is what the buyer gives in part payment. On negative lines alone."""


class TransactionItemCreate(TypedDict):
    """One line of a transaction."""

    amount: NotRequired[MoneyInput]
    """Price of the whole line before tax and before discounts. A negative line beside a positive one is a discount, such as a coupon or a trade-in. It lowers the lines of its product, else of its class, else all lines, and bears no tax of its own."""
    date: str
    """Date and time of the line, for information. The tax date of the transaction rules."""
    description: NotRequired[str]
    """Free text."""
    discount_builder: NotRequired[DiscountBuilder]
    """A discount of the line or of the whole transaction."""
    exempt: NotRequired[bool]
    """The line is exempt from tax, for the reason in `tax_exemption` (TRANSACTION unless sent)."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the line is exempt, as returns ask for it. Only with `exempt: true`. That of an exemption which applies comes first."""
    external_id: NotRequired[str]
    """Your identifier of the line. Need not be unique."""
    external_product_id: str
    """`external_id` of a product in the catalogue."""
    product: NotRequired[str]
    """Name of the product as you know it."""
    product_description: NotRequired[str]
    """Description to show. That of the catalogue's product unless sent."""
    product_name: NotRequired[str]
    """Name to show. The name of the catalogue's product unless sent."""
    quantity: NotRequired[QuantityInput]
    """Number of units, for information and for rules per unit. 0 for a line that is only an amount. Not negative on a sale."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Of a negative line, which is a discount. Ignored on other lines. SELLER unless sent."""
    tax_amount_calculated: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    tax_amount_imported: NotRequired[MoneyInput]
    """Tax the merchant collected for this line, 0 unless sent. A credit note of which no line sends it gives back what was collected for what it refunds."""
    tax_exemption: NotRequired[TaxExemption]
    """Why a line is not taxed."""
    tax_items: NotRequired[List[TaxItemCreate]]
    """Tax lines of the merchant. CALCULATED ones are dropped, the service makes its own."""
    tax_rate_calculated: NotRequired[RateInput]
    """Shown until the service has calculated its own value."""
    tax_rate_imported: NotRequired[RateInput]
    """Rate the merchant used for this line."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    trade_in: NotRequired[bool]
    """The negative line is what the buyer gives in part payment. It lowers the taxed price only where the law says so. Only negative lines may say so."""


class TransactionItemUpdate(TypedDict):
    """One line of the new version of a transaction."""

    amount: NotRequired[MoneyInput]
    """Price of the whole line before tax and before discounts. A negative line beside a positive one is a discount, such as a coupon or a trade-in. It lowers the lines of its product, else of its class, else all lines, and bears no tax of its own."""
    date: str
    """Date and time of the line, for information. The tax date of the transaction rules."""
    description: NotRequired[str]
    """Free text."""
    discount_builder: NotRequired[Optional[TransactionItemUpdateDiscountBuilder]]
    """A discount of the line or of the whole transaction. A line that keeps its `id` keeps its discount unless this is sent; `null` removes it."""
    exempt: NotRequired[bool]
    """The line is exempt from tax, for the reason in `tax_exemption` (TRANSACTION unless sent)."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the line is exempt, as returns ask for it. Only with `exempt: true`. That of an exemption which applies comes first."""
    external_id: NotRequired[str]
    """Your identifier of the line. Need not be unique."""
    external_product_id: str
    """`external_id` of a product in the catalogue."""
    id: NotRequired[str]
    """Levy's id of a line of the transaction, which the line keeps. Unknown ids are ignored."""
    product: NotRequired[str]
    """Name of the product as you know it."""
    product_description: NotRequired[str]
    """Description to show. That of the catalogue's product unless sent."""
    product_name: NotRequired[str]
    """Name to show. The name of the catalogue's product unless sent."""
    quantity: NotRequired[QuantityInput]
    """Number of units, for information and for rules per unit. 0 for a line that is only an amount. Not negative on a sale."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """Of a negative line, which is a discount. Ignored on other lines. SELLER unless sent."""
    tax_amount_calculated: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    tax_amount_imported: NotRequired[MoneyInput]
    """Tax the merchant collected for this line, 0 unless sent. A credit note of which no line sends it gives back what was collected for what it refunds."""
    tax_exemption: NotRequired[TaxExemption]
    """Why a line is not taxed."""
    tax_items: NotRequired[List[TaxItemCreate]]
    """Tax lines of the merchant. CALCULATED ones are dropped, the service makes its own."""
    tax_rate_calculated: NotRequired[RateInput]
    """Shown until the service has calculated its own value."""
    tax_rate_imported: NotRequired[RateInput]
    """Rate the merchant used for this line."""
    taxable_amount: NotRequired[MoneyInput]
    """Shown until the service has calculated its own value."""
    trade_in: NotRequired[bool]
    """The negative line is what the buyer gives in part payment. It lowers the taxed price only where the law says so. Only negative lines may say so."""


class TransactionItemUpdateDiscountBuilder(TypedDict):
    """A discount of the line or of the whole transaction. A line that keeps its `id` keeps its discount unless this is sent; `null` removes it."""

    applied_to: DiscountTarget
    """TRANSACTION_ITEM discounts this line. TRANSACTION spreads the discount over all lines above zero, in proportion to what negative lines and line discounts leave of them."""
    discount_amount: MoneyInput
    """Amount of the discount, not negative."""
    external_id: NotRequired[str]
    """Your identifier of the discount."""
    reimbursed_by: NotRequired[ReimbursedBy]
    """SELLER unless sent."""


class TransactionList(TypedDict):
    """A page of transactions."""

    items: List[Transaction]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class TransactionRequiredExemption(TypedDict):
    """The exemption that the request asked for, with what applied where it said nothing."""

    FEIN: NotRequired[str]
    """Federal employer identification number."""
    country_code: CountryCode
    """ISO 3166-1 alpha-2 code of a country, in upper case; in addition `XK` (Kosovo) and `ZZ_EU` (the European Union as one territory)."""
    customer_id: NotRequired[str]
    """Levy's id of the customer."""
    end_date: NotRequired[str]
    """Last day, inclusive. Left out when it is open."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt, as returns ask for it. RESALE unless sent, if the type is wholesale or the buyer is a reseller."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    jurisdiction: NotRequired[str]
    """Code of the state the exemption is for. The whole country unless sent."""
    organization_id: OrganizationId
    """Id of an organization."""
    reseller: bool
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[str]
    """Sales tax identification number."""
    start_date: str
    """First day, inclusive, as its first moment in UTC."""
    status: ExemptionStatus
    """Status of an exemption."""


class TransactionRevision(TypedDict):
    """A version of a transaction that a PUT replaced, with its content."""

    changed: List[str]
    """Fields in which the next version differs."""
    replaced_at: str
    """When the next version took its place."""
    request_id: Optional[str]
    """Request that replaced it."""
    revision: int
    """Number of the version, from 1."""
    transaction: Transaction
    """A recorded transaction. Optional fields without a value are left out."""


class TransactionRevisionEntry(TypedDict):
    """A version of a transaction that a PUT replaced."""

    changed: List[str]
    """Fields in which the next version differs."""
    replaced_at: str
    """When the next version took its place."""
    request_id: Optional[str]
    """Request that replaced it."""
    revision: int
    """Number of the version, from 1."""


class TransactionRevisionList(TypedDict):
    """A page of replaced versions, the newest first."""

    items: List[TransactionRevisionEntry]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class TransactionUpdate(TypedDict):
    """The new version of a transaction. Absent optional fields stay as they are, `null` clears a field to its default, lists are replaced as a whole. Fields the service owns are ignored when sent. Of fields that the service decides too, such as `exempt`, a value equal to the one that is shown is no order. What you had asked for before stays in force, and the service decides again."""

    addresses: List[TransactionAddressCreate]
    """Replace the stored addresses. At most one of each type. May be empty."""
    city: NotRequired[Optional[str]]
    """City of the destination, used when no address is sent."""
    connection_id: NotRequired[Optional[str]]
    """Opaque identifier of the connection the transaction came through."""
    country: NotRequired[CountryCodeOrNull]
    county: NotRequired[Optional[str]]
    """County of the destination, used when no address is sent."""
    currency: NotRequired[CurrencyCodeOrNull]
    customer: TransactionCustomerUpdate
    """The buyer, as on create. Without `external_id` the transaction keeps its customer, of whom empty values are filled."""
    customer_id: NotRequired[Optional[str]]
    """Levy's id of the customer. Must exist and belong to `customer.external_id`."""
    date: str
    """Date and time of the sale. Written with an offset other than `Z`, its day as written is that of the shop."""
    description: NotRequired[Optional[str]]
    """Free text."""
    exempt: NotRequired[Optional[Literal["NOT_EXEMPT", "PARTIALLY_EXEMPT", "FULLY_EXEMPT", "ZERO_RATE_NOT_EXEMPT"]]]
    """FULLY_EXEMPT makes every line exempt. Other values are information only."""
    exemptions: NotRequired[Optional[List[TransactionExemptionCreate]]]
    """Exemptions to apply. An entry with `id` links a stored exemption, one without creates an exemption for this transaction."""
    external_friendly_id: NotRequired[Optional[str]]
    """Readable identifier shown to people."""
    external_id: str
    """Your identifier. May be changed; unique in the organization over all transactions and credit notes."""
    filing_id: NotRequired[Optional[str]]
    """Must exist when sent, and has no effect."""
    marketplace: NotRequired[Optional[bool]]
    """Sold through a marketplace that collects the tax."""
    postal_code: NotRequired[Optional[str]]
    """Postal code of the destination, used when no address is sent."""
    prices_include_tax: NotRequired[Optional[bool]]
    """Whether amounts and discounts of the lines include the tax."""
    refund_status: NotRequired[Optional[Literal["FULLY_REFUNDED", "PARTIALLY_REFUNDED"]]]
    related_to: NotRequired[Optional[str]]
    """Levy's id of the original transaction. Required for credit notes and tax refunds."""
    requires_exemption: NotRequired[Optional[TransactionUpdateRequiresExemption]]
    """Creates an exemption for this transaction."""
    revision: NotRequired[Optional[int]]
    """The revision that the body was made from. Not changed by it, and it need not be the current one. It says which version's decisions are repeated, so that a PUT that is sent twice has the effect of one. Without it the current version counts."""
    secondary_external_id: NotRequired[Optional[str]]
    """Second identifier of your own."""
    secondary_source: NotRequired[Optional[str]]
    """System the second identifier belongs to."""
    shop_date: NotRequired[Optional[str]]
    """Date of the sale in the shop's own time zone, `YYYY-MM-DD` (or a date-time, of which the date part counts), within 1 day of the UTC day of `date`. It is the tax date, which selects the law and the filing period. A stored one falls away with another `date` unless it is sent again."""
    shop_date_tz: NotRequired[Optional[str]]
    """Time zone of the shop, an IANA name. Without `shop_date`, the day of `date` in this zone is the tax date."""
    source: NotRequired[SourceOrNull]
    state: NotRequired[Optional[str]]
    """State of the destination, code or name, used when no address is sent."""
    status: NotRequired[Optional[Literal["PENDING", "COMMITTED", "CANCELLED", "FULLY_REFUNDED", "PARTIALLY_REFUNDED", "INVALID", "ARCHIVED"]]]
    tax_id: NotRequired[Optional[str]]
    """Deprecated, will be removed."""
    tax_liability_source: NotRequired[Optional[Literal["CALCULATED", "COLLECTED"]]]
    """Shown until the service has calculated its own value."""
    tax_rate_calculated: NotRequired[RateInputOrNull]
    """Shown until the service has calculated its own value."""
    tax_rate_imported: NotRequired[RateInputOrNull]
    """Overall rate the merchant used."""
    tax_rounding: NotRequired[Optional[Literal["TAX_PER_LINE", "JURISDICTION_PER_LINE", "TAX_PER_DOCUMENT"]]]
    """What is rounded once in this document. `null`: the `tax_rounding` of the organization."""
    taxable_amount: NotRequired[MoneyInputOrNull]
    """Shown until the service has calculated its own value."""
    total_amount: NotRequired[MoneyInputOrNull]
    """Total of the document with tax. Stored as sent and not checked against the lines. Not negative for a SALE."""
    total_tax_amount_calculated: NotRequired[MoneyInputOrNull]
    """Shown until the service has calculated its own value."""
    total_tax_amount_imported: NotRequired[MoneyInputOrNull]
    """Tax collected by the merchant. When 0 or absent, the sum of the lines."""
    total_tax_liability_amount: NotRequired[MoneyInputOrNull]
    """Shown until the service has calculated its own value."""
    transaction_items: List[TransactionItemUpdate]
    """Replace the stored lines. A line with a known `id`, else with an equal `external_id` (the first that is not taken), keeps its `id`."""


class TransactionUpdateRequiresExemption(TypedDict):
    """Creates an exemption for this transaction."""

    FEIN: NotRequired[str]
    """Federal employer identification number."""
    country_code: NotRequired[CountryCode]
    customer_id: NotRequired[str]
    """Levy's id of the customer."""
    end_date: NotRequired[str]
    """Last day, inclusive. Open unless sent. A date-time counts by its date part."""
    exemption_category: NotRequired[ExemptionCategory]
    """Why the buyer is exempt, as returns ask for it. RESALE unless sent, if the type is wholesale or the buyer is a reseller."""
    exemption_type: ExemptionType
    """`customer` and `wholesale` cover all sales to a customer, `transaction` covers one transaction."""
    jurisdiction: NotRequired[str]
    """Code of the state the exemption is for. The whole country unless sent."""
    organization_id: NotRequired[str]
    """Ignored. The header `x-organization-id` decides."""
    reseller: NotRequired[bool]
    """The buyer resells the goods."""
    sales_tax_id: NotRequired[str]
    """Sales tax identification number."""
    start_date: NotRequired[str]
    """First day, inclusive. The tax date unless sent. A date-time counts by its date part."""
    status: NotRequired[ExemptionStatus]
    """Only ACTIVE makes the exemption apply. EXPIRED is set by the service."""


class User(TypedDict):
    """A person."""

    created_at: str
    email: str
    id: UserId
    """Id of a person."""
    memberships: List[UserMembership]
    """Where the person has which role, as far as you may know; `role` and `staff_role` say the same."""
    name: str
    passkeys: int
    """How many passkeys the person has."""
    role: Optional[str]
    """Role in the organization; null for staff."""
    second_factor: bool
    """Signing in asks for a code too."""
    staff_role: Optional[str]
    """Role at the operator; null for others."""
    status: UserStatus
    """INVITED: no password was set yet."""


class UserCreate(TypedDict):
    """A person to be invited."""

    email: str
    """E-mail address."""
    name: str
    """How others read who did something."""
    role: NotRequired[Role]
    """Role in the organization."""
    staff_role: NotRequired[StaffRole]
    """Role at the operator."""


class UserList(TypedDict):
    """A page of people."""

    items: List[User]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class UserMembership(TypedDict):
    """The role of a person in an organization, or the one at the operator."""

    organization_id: NotRequired[OrganizationId]
    """Id of an organization."""
    role: NotRequired[Role]
    """Role of a person in an organization. `viewer` reads; `preparer` also corrects transactions, registrations, exemptions, imports and prepares filings; `approver` also approves, skips, cancels and retries filings; `admin` also manages people, keys, settings and the onboarding of clients."""
    staff_role: NotRequired[StaffRole]
    """Role of a person of the operator. `auditor` reads every organization but no personal data; `operator` may do what an approver may, for every organization."""


class UserUpdate(TypedDict):
    """Changes of a person. Absent fields stay."""

    end_sessions: NotRequired[bool]
    """Signs the person out everywhere."""
    name: NotRequired[str]
    """How others read who did something."""
    new_link: NotRequired[bool]
    """Makes a link for another password."""
    reset_second_factor: NotRequired[bool]
    """Signing in asks for the password alone again: recovery codes and passkeys end, and so do the other sessions."""
    role: NotRequired[Optional[Literal["viewer", "preparer", "approver", "admin"]]]
    """Role in the organization. Without `x-organization-id` only `null`, as it is read."""
    staff_role: NotRequired[Optional[Literal["auditor", "operator"]]]
    """Role at the operator. With `x-organization-id` only `null`, as it is read."""
    status: NotRequired[UserStatus]
    """DISABLED, or ACTIVE again. INVITED is set by the service, and may only be repeated."""


class Warning(TypedDict):
    """Something that was accepted and should be looked at."""

    code: Literal["account_holder_mismatch", "address_unverified"]
    location: str
    message: str


class WebhookAttempt(TypedDict):
    """One request to the endpoint."""

    at: str
    duration_ms: int
    """How long it took."""
    error: Optional[str]
    """Why there was no answer that counts, in one word: `timeout`, `connection_refused`, `connection_lost`, `tls_failed`, `name_not_resolved`, `address_not_allowed`, `redirect_not_followed`, `endpoint_disabled`, `event_expired`, or for a defect of Levy, which counts as no attempt of the endpoint, `event_unreadable`, `not_signed` or `not_completed`; null otherwise."""
    http_status: Optional[int]
    """Of the answer; null for none."""


class WebhookDelivery(TypedDict):
    """An event for an endpoint."""

    attempts: List[WebhookAttempt]
    """The last 20, the oldest first."""
    created_at: str
    """When the endpoint got it to be delivered."""
    event_id: str
    """Id of the event, which the header `webhook-id` has too."""
    id: WebhookDeliveryId
    """Id of a delivery."""
    next_attempt_at: Optional[str]
    """When it is tried next; null when it is over."""
    replay_id: NotRequired[str]
    """Of the replay that sends it."""
    status: WebhookDeliveryStatus
    """What became of an event: `PENDING` waits for an attempt, `FAILED` has had all of them."""
    type: str
    """Type of the event."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries."""

    items: List[WebhookDelivery]
    next_cursor: Optional[str]
    """`after` of the next page; `null` on the last one, where the list is sorted by a tax number, and where it takes no `after`. Behind a cursor `total` and `pages` are as they were when the first page was read, and `page` counts on from there."""
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class WebhookDeliverySums(TypedDict):
    """Numbers of deliveries of an endpoint."""

    count: int
    """All of them."""
    failed_count: int
    """Those that failed at their latest attempt, whether another one follows or not."""


class WebhookEndpoint(TypedDict):
    """An address for events."""

    created_at: str
    description: Optional[str]
    """What the endpoint is for."""
    disabled_reason: Optional[str]
    """Why nothing is sent: `MANUAL`, by you; `FAILING`, after five days without a success; `GONE`, it answered 410."""
    enabled_events: List[str]
    """Types of events, prefixes such as `filing.*`, or `*`."""
    id: WebhookEndpointId
    """Id of a webhook endpoint."""
    include_clients: bool
    """Whether events of clients are sent too."""
    last_hour: NotRequired[WebhookDeliverySums]
    """The deliveries of the last hour. Only lists of endpoints have it."""
    organization_id: OrganizationId
    """Id of an organization."""
    public_key: NotRequired[str]
    """Verifies the signatures of `v1a`, `whpk_` and 32 bytes in Base64."""
    secret: NotRequired[str]
    """Verifies the signatures of `v1`, `whsec_` and 32 bytes in Base64. Shown once; store it safely."""
    secret_available: bool
    """True exactly when `secret` is present."""
    signature_scheme: WebhookSignatureScheme
    """How messages are signed: `v1` by a secret that both sides know (HMAC-SHA256), `v1a` by a key of which you have the public half (ed25519)."""
    status: WebhookEndpointStatus
    """Whether events are sent to the endpoint."""
    updated_at: str
    url: str
    """Where events are sent."""


class WebhookEndpointCreate(TypedDict):
    """An address for events."""

    description: NotRequired[str]
    """What the endpoint is for."""
    enabled_events: NotRequired[List[WebhookEventSelector]]
    """Types of events, `filing.*` for all that begin with `filing.`, or `*` for all, those of later releases included. A field with a similar name, such as `events`, is refused instead of ignored."""
    include_clients: NotRequired[bool]
    """Whether events of clients are sent too. For a root organization only."""
    signature_scheme: NotRequired[WebhookSignatureScheme]
    """How messages are signed: `v1` by a secret that both sides know (HMAC-SHA256), `v1a` by a key of which you have the public half (ed25519)."""
    status: NotRequired[WebhookEndpointStatus]
    """Whether events are sent to the endpoint."""
    url: str
    """Where events are sent, `https://…`."""


class WebhookEndpointList(TypedDict):
    """A page of endpoints."""

    items: List[WebhookEndpoint]
    page: int
    """This page."""
    pages: int
    """Number of pages."""
    size: int
    """Rows of a page."""
    total: int
    """Rows in the whole list."""


class WebhookEndpointUpdate(TypedDict):
    """Changes of an endpoint. Absent fields stay, `null` clears a field to its default."""

    description: NotRequired[Optional[str]]
    """What the endpoint is for."""
    enabled_events: NotRequired[Optional[List[WebhookEventSelector]]]
    """Types of events, `filing.*` for all that begin with `filing.`, or `*` for all, those of later releases included."""
    include_clients: NotRequired[Optional[bool]]
    """Whether events of clients are sent too. For a root organization only."""
    status: NotRequired[Optional[Literal["ENABLED", "DISABLED"]]]
    """Whether events are sent to the endpoint."""
    url: NotRequired[str]
    """Where events are sent, `https://…`."""


class WebhookReplay(TypedDict):
    """A replay."""

    events: int
    """How many events are sent."""
    replay_id: str
    """Id of the replay, which its deliveries have."""


class WebhookReplayCreate(TypedDict):
    """The span of which events are sent once more."""

    since: str
    """Events since then."""
    types: NotRequired[List[WebhookEventSelector]]
    """Only these; what the endpoint asks for unless sent."""
    until: NotRequired[str]
    """Events until then; now unless sent."""


# What the transactions of a filing say in one combination of what forms ask for.
WorksheetFigure = TypedDict(
    "WorksheetFigure",
    {
        # Why it is not taxed in full; open: RESALE, CUSTOMER, TRANSACTION, PRODUCT, NOT_TAXABLE, ZERO_RATE, THRESHOLD, TAX_HOLIDAY, REVERSE_CHARGE, EXPORT, NO_RULE, PARTIAL. Null if it is taxed in full.
        "category": "Optional[str]",
        # Through whom it was sold; NO_OBLIGATION: on a day without an obligation and without collected tax, so no form has it.
        "channel": "Literal[\"OWN\", \"MARKETPLACE\", \"NO_OBLIGATION\"]",
        # Tax class; null for what no line bears.
        "class": "Optional[str]",
        # Its number in the worksheet, from 1.
        "figure": "int",
        # Net sales before tax. Only the level of the authority itself has them.
        "gross": "Money18",
        # Name of the jurisdiction.
        "jurisdiction": "str",
        # Type of the jurisdiction.
        "level": "str",
        # From where it ships, seen from the authority.
        "origin": "Literal[\"IN_STATE\", \"OUT_OF_STATE\", \"UNKNOWN\"]",
        # Its part of `total_tax_liability`.
        "owed": "Money18",
        # The jurisdictions below the authority where the sale is taxed, separated by commas.
        "place": "str",
        # Rate that was applied there.
        "rate": "str",
        # Whether they are sales, or refunds and negative lines.
        "sign": "Literal[\"SALE\", \"REFUND\"]",
        # Calculated tax.
        "tax": "Money18",
        # The base.
        "taxable": "Money18",
        # How many transactions have a part in it.
        "transactions": "int",
    },
)


class WorksheetFinding(TypedDict):
    """Something that a person should know of a worksheet."""

    amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    code: str
    """What it is; open: FIGURES_MISSING, LAYOUT_LOW, LAYOUT_MED, ID_MISSING, AMENDMENT_DIFFERENCE, FREE_ADJUSTMENT, ORIGIN_UNKNOWN, CLASS_MISSING, CODE_MISSING, ENTRY_MISSING, NEGATIVE_NOT_ALLOWED, DISCOUNT_PROPOSED, DISCOUNT_ENTERED, FORM_DIFFERS, SUMS_DIFFER; of a file also LAYOUT_MISSING, ID_FORMAT, CONTACT_MISSING, TEXT_REFUSED, RATE_CHANGED, PERIOD_KIND, PERIOD_PART, OTHER_TAXES, NOTHING_TO_FILE, DAY_CHANGED; of the one-stop shop also CORRECTIONS, CORRECTIONS_MISSING, CORRECTION_PERIOD, BALANCE_BELOW_ZERO, AMENDMENT_CORRECTS, REFUNDS, SCHEME_WITHOUT_FILE; of a payment PAYMENT_NONE, PAYMENT_BY_HAND, PAYMENT_TOTAL, PAYMENT_TOTAL_UNKNOWN, PAYMENT_OPEN, PAYMENT_MADE, PAYMENT_NOT_APPROVED, PAYMENT_REPEATED, PAYMENT_LATE, PAYMENT_FORMAT, PAYMENT_UNSPLIT, PAYMENT_CODES."""
    count: int
    """Of how many records."""
    line: Optional[str]
    """The line that it is about; null if it is about all of them."""
    message: str
    """The same in words."""
    severity: Literal["ERROR", "WARNING", "INFO"]


class WorksheetLine(TypedDict):
    """A line of a worksheet."""

    amount: Money18
    """Amount of money with up to 18 digits and exactly 2 decimals; the sum of several of them may have one more digit."""
    confidence: Literal["HIGH", "MED", "LOW"]
    """How sure the line is."""
    entries: NotRequired[List[str]]
    """Ids of the entries of the filing whose purchases add up to it; absent for none."""
    figures: List[int]
    """Numbers of the figures that add up to it; none where it is computed from other lines."""
    line: str
    """Number of the line on the form."""
    name: str
    """Name of the line on the form."""
    rule: str
    """How it is computed."""
    unit: Literal["CENT", "DOLLAR"]
    """To what the form rounds the amount."""

# What an address may be, the best match first.
AddressMatchList = List[AddressMatch]

# The entries of a filing, the oldest first.
FilingEntryList = List[FilingEntry]

# All product categories.
ProductCategoryList = List[ProductCategory]

# The documents of an exemption, the oldest first.
StoredAttachmentList = List[StoredAttachment]

# A list with one transaction.
TransactionArray = List[Transaction]

# Transactions. How many there are in all stands in the header `X-Total-Count`.
TransactionRows = List[Transaction]

# Fields of answers that are decimals, by the type they belong to: None, or the type in which there are some.
DECIMALS: Dict[str, Dict[str, Optional[str]]] = {
    "AmendedTotals": {
        "amount_calculated": None,
        "amount_sales": None,
        "amount_tax_collected": None,
        "previously_paid": None,
        "previously_reported_liability": None,
        "total_tax_liability": None,
        "total_taxable_sales": None,
    },
    "Discount": {
        "discount_amount": None,
    },
    "Estimate": {
        "items": "EstimateResult",
        "tax_breakdown": "EstimatedTax",
        "tax_rate_calculated": None,
        "tax_to_collect": None,
        "taxable_amount": None,
        "total_tax_amount": None,
        "total_tax_amount_calculated": None,
        "transaction_items": "EstimateItem",
    },
    "EstimateDiscount": {
        "discount_amount": None,
    },
    "EstimateItem": {
        "amount": None,
        "discount_builder": "EstimateDiscount",
        "gross_amount": None,
        "net_amount": None,
        "quantity": None,
        "tax_amount": None,
        "tax_items": "EstimatedTaxItem",
        "tax_rate": None,
        "taxable_amount": None,
        "total_discount": None,
    },
    "EstimateResult": {
        "tax_breakdown": "EstimatedTax",
        "tax_rate_calculated": None,
        "tax_to_collect": None,
        "taxable_amount": None,
        "total_tax_amount": None,
        "total_tax_amount_calculated": None,
        "transaction_items": "EstimateItem",
    },
    "EstimatedTax": {
        "amount": None,
        "rate": None,
        "taxable_amount": None,
    },
    "EstimatedTaxItem": {
        "amount": None,
        "rate": None,
        "taxable_amount": None,
    },
    "ExplainedAuthority": {
        "amount": None,
        "calculated_amount": None,
        "collected_amount": None,
    },
    "ExplainedInput": {
        "items": "ExplainedInputItem",
    },
    "ExplainedInputItem": {
        "quantity": None,
    },
    "ExplainedItem": {
        "amount": None,
        "gross_amount": None,
        "lines": "ExplainedTax",
        "net_amount": None,
        "rounding": "ExplainedRounding",
        "spread": "ExplainedSpread",
        "total_discount": None,
    },
    "ExplainedLiability": {
        "amount": None,
        "authorities": "ExplainedAuthority",
        "calculated_amount": None,
        "collected_amount": None,
    },
    "ExplainedOriginal": {
        "owed_after": None,
        "owed_before": None,
    },
    "ExplainedRounding": {
        "rounded_total": None,
        "unrounded_total": None,
    },
    "ExplainedSpread": {
        "amount": None,
    },
    "ExplainedTax": {
        "amount": None,
        "rate": None,
        "taxable_amount": None,
        "unrounded_amount": None,
    },
    "ExplainedTotals": {
        "tax_amount": None,
        "tax_rate": None,
        "taxable_amount": None,
    },
    "Filing": {
        "amended_totals": "AmendedTotals",
        "amount": None,
        "amount_adjusted": None,
        "amount_calculated": None,
        "amount_credit_applied": None,
        "amount_credit_carried": None,
        "amount_discounts": None,
        "amount_fees": None,
        "amount_over_collected": None,
        "amount_penalties": None,
        "amount_prepaid": None,
        "amount_sales": None,
        "amount_tax_collected": None,
        "amount_under_collected": None,
        "findings": "FilingFinding",
        "tax_remitted": None,
        "total_tax_liability": None,
        "total_taxable_sales": None,
        "unresolved_amount": None,
    },
    "FilingApprovalItem": {
        "filing": "Filing",
    },
    "FilingApprovalResult": {
        "items": "FilingApprovalItem",
    },
    "FilingEntry": {
        "amount": None,
        "taxable": None,
    },
    "FilingExclusion": {
        "amount": None,
    },
    "FilingFinding": {
        "amount": None,
    },
    "FilingHistory": {
        "items": "FilingHistoryEntry",
    },
    "FilingHistoryEntry": {
        "excluded_unresolved": "FilingHistoryEntryExcludedUnresolved",
    },
    "FilingHistoryEntryExcludedUnresolved": {
        "amount": None,
    },
    "FilingList": {
        "items": "Filing",
    },
    "FilingPayment": {
        "amount": None,
        "findings": "WorksheetFinding",
        "open": None,
        "paid": None,
        "payments": "RecordedPayment",
    },
    "FilingPaymentList": {
        "items": "FilingPayment",
    },
    "FilingReport": {
        "excluded_unresolved": "ReportedExclusion",
        "filing": "ReportedFiling",
        "jurisdictions": "ReportedJurisdiction",
        "totals": "ReportedTotals",
        "transactions": "ReportedTransaction",
    },
    "FilingReturn": {
        "findings": "WorksheetFinding",
    },
    "FilingWorksheet": {
        "figures": "WorksheetFigure",
        "findings": "WorksheetFinding",
        "lines": "WorksheetLine",
    },
    "NexusCrossing": {
        "running_sales_total": None,
    },
    "NexusList": {
        "items": "NexusRecord",
    },
    "NexusMonth": {
        "included_amount": None,
    },
    "NexusMonths": {
        "average_amount": None,
        "months": "NexusMonth",
    },
    "NexusOutlook": {
        "transactions_amount": None,
    },
    "NexusPeriod": {
        "exempt_amount": None,
        "included_amount": None,
        "marketplace_amount": None,
        "transactions_amount": None,
    },
    "NexusRecord": {
        "calculated_tax_liability": None,
        "crossing": "NexusCrossing",
        "imported_tax_liability": None,
        "periods": "NexusPeriod",
        "previous_transactions_amount": None,
        "tax_liability": None,
        "transactions_amount": None,
    },
    "NexusSimulated": {
        "items": "SimulatedNexus",
    },
    "PaymentFile": {
        "findings": "WorksheetFinding",
        "payments": "FilingPayment",
    },
    "ProductTaxability": {
        "amount": None,
        "states": "StateTaxability",
    },
    "RateOverride": {
        "rate": None,
    },
    "RateOverrideList": {
        "items": "RateOverride",
    },
    "ReclassificationPreview": {
        "states": "ReclassifiedState",
    },
    "ReclassifiedState": {
        "difference": None,
        "tax_after": None,
        "tax_before": None,
    },
    "RecordedPayment": {
        "amount": None,
    },
    "Registration": {
        "amount_fees": None,
        "credits_total_available": None,
    },
    "RegistrationList": {
        "items": "Registration",
    },
    "ReportedExclusion": {
        "amount": None,
    },
    "ReportedFiling": {
        "amended_totals": "AmendedTotals",
        "findings": "FilingFinding",
    },
    "ReportedJurisdiction": {
        "tax_amount": None,
        "tax_calculated": None,
        "taxable_amount": None,
        "taxable_calculated": None,
    },
    "ReportedTotals": {
        "amount": None,
        "amount_adjusted": None,
        "amount_calculated": None,
        "amount_credit_applied": None,
        "amount_credit_carried": None,
        "amount_deferred": None,
        "amount_discounts": None,
        "amount_fees": None,
        "amount_penalties": None,
        "amount_prepaid": None,
        "amount_sales": None,
        "amount_tax_collected": None,
        "tax_remitted": None,
        "total_tax_liability": None,
        "total_taxable_sales": None,
    },
    "ReportedTransaction": {
        "net_amount": None,
        "tax_calculated": None,
        "tax_collected": None,
        "tax_liability": None,
        "taxable_amount": None,
    },
    "ReturnAllowance": {
        "tiers": "ReturnAllowanceTier",
    },
    "ReturnAllowanceTier": {
        "from": None,
    },
    "ReturnFormats": {
        "allowances": "ReturnAllowance",
    },
    "SimulatedNexus": {
        "present": "NexusOutlook",
        "simulated": "NexusOutlook",
    },
    "StateTaxability": {
        "rate": None,
        "tax_amount": None,
    },
    "TaxItem": {
        "amount": None,
        "converted_amount": None,
        "rate": None,
        "taxable_amount": None,
    },
    "Transaction": {
        "conversion_rate": None,
        "converted_final_total_amount": None,
        "converted_subtotal": None,
        "converted_taxable_amount": None,
        "converted_total_amount": None,
        "converted_total_discount": None,
        "converted_total_tax_amount_calculated": None,
        "converted_total_tax_amount_imported": None,
        "converted_total_tax_liability_amount": None,
        "final_total_amount": None,
        "subtotal": None,
        "tax_rate_calculated": None,
        "tax_rate_imported": None,
        "taxable_amount": None,
        "total_amount": None,
        "total_discount": None,
        "total_tax_amount_calculated": None,
        "total_tax_amount_imported": None,
        "total_tax_liability_amount": None,
        "transaction_items": "TransactionItem",
    },
    "TransactionExplanation": {
        "input": "ExplainedInput",
        "items": "ExplainedItem",
        "liability": "ExplainedLiability",
        "original": "TransactionExplanationOriginal",
        "totals": "ExplainedTotals",
    },
    "TransactionExplanationOriginal": {
        "owed_after": None,
        "owed_before": None,
    },
    "TransactionItem": {
        "amount": None,
        "converted_amount": None,
        "converted_subtotal": None,
        "converted_tax_amount_calculated": None,
        "converted_tax_amount_imported": None,
        "converted_taxable_amount": None,
        "converted_total_discount": None,
        "discount_builder": "Discount",
        "gross_amount": None,
        "net_amount": None,
        "quantity": None,
        "subtotal": None,
        "tax_amount_calculated": None,
        "tax_amount_imported": None,
        "tax_items": "TaxItem",
        "tax_rate_calculated": None,
        "tax_rate_imported": None,
        "taxable_amount": None,
        "total_discount": None,
    },
    "TransactionList": {
        "items": "Transaction",
    },
    "TransactionRevision": {
        "transaction": "Transaction",
    },
    "WorksheetFigure": {
        "gross": None,
        "owed": None,
        "tax": None,
        "taxable": None,
    },
    "WorksheetFinding": {
        "amount": None,
    },
    "WorksheetLine": {
        "amount": None,
    },
}
