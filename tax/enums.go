package tax

// TaxClass is the kind of a product or service by which laws tax it.
type TaxClass string

// The classes a product can have. NotTaxable is never taxed.
const (
	ClassPhysical         TaxClass = "PHYSICAL"
	ClassClothing         TaxClass = "CLOTHING"
	ClassClothingChild    TaxClass = "CLOTHING_CHILD"
	ClassFood             TaxClass = "FOOD"
	ClassPreparedFood     TaxClass = "PREPARED_FOOD"
	ClassDrugsRx          TaxClass = "DRUGS_RX"
	ClassBook             TaxClass = "BOOK"
	ClassDigital          TaxClass = "DIGITAL"
	ClassSaaS             TaxClass = "SAAS"
	ClassSoftwareDownload TaxClass = "SOFTWARE_DOWNLOAD"
	ClassService          TaxClass = "SERVICE"
	ClassShipping         TaxClass = "SHIPPING"
	ClassNotTaxable       TaxClass = "NOT_TAXABLE"
)

// The finer classes. Where a place has no rule for one, that of the class above it holds: see class.go.
const (
	ClassCandy           TaxClass = "CANDY"
	ClassSoftDrink       TaxClass = "SOFT_DRINK"
	ClassBottledWater    TaxClass = "BOTTLED_WATER"
	ClassSupplement      TaxClass = "SUPPLEMENT"
	ClassDrugsOTC        TaxClass = "DRUGS_OTC"
	ClassMedicalDevice   TaxClass = "MEDICAL_DEVICE"
	ClassFeminineHygiene TaxClass = "FEMININE_HYGIENE"
	ClassDiaper          TaxClass = "DIAPER"
	ClassNewspaper       TaxClass = "NEWSPAPER"
	ClassPeriodical      TaxClass = "PERIODICAL"
	ClassAlcohol         TaxClass = "ALCOHOL"
	ClassTobacco         TaxClass = "TOBACCO"
	ClassCannabis        TaxClass = "CANNABIS"
	ClassRentalGoods     TaxClass = "RENTAL_GOODS"
	ClassEBook           TaxClass = "EBOOK"
	ClassAudioVideo      TaxClass = "AUDIO_VIDEO"
	ClassStreaming       TaxClass = "STREAMING"
	ClassDigitalNews     TaxClass = "DIGITAL_NEWS"
	ClassSaaSB2B         TaxClass = "SAAS_B2B"
	ClassSaaSB2C         TaxClass = "SAAS_B2C"
	ClassIaaS            TaxClass = "IAAS"
	ClassSoftwareCustom  TaxClass = "SOFTWARE_CUSTOM"
	ClassDataProcessing  TaxClass = "DATA_PROCESSING"
	ClassRepair          TaxClass = "REPAIR"
	ClassInstallation    TaxClass = "INSTALLATION"
	ClassMaintenance     TaxClass = "MAINTENANCE_PLAN"
	ClassLandscaping     TaxClass = "LANDSCAPING"
	ClassCleaning        TaxClass = "CLEANING"
	ClassConstruction    TaxClass = "CONSTRUCTION"
	ClassSecurity        TaxClass = "SECURITY"
	ClassAdvertising     TaxClass = "ADVERTISING"
	ClassProfessional    TaxClass = "PROFESSIONAL"
	ClassMedical         TaxClass = "MEDICAL"
	ClassPersonalCare    TaxClass = "PERSONAL_CARE"
	ClassFitness         TaxClass = "FITNESS"
	ClassEducation       TaxClass = "EDUCATION"
	ClassAdmission       TaxClass = "ADMISSION"
	ClassTelecom         TaxClass = "TELECOM"
	ClassLodging         TaxClass = "LODGING"
	ClassRentalVehicle   TaxClass = "RENTAL_VEHICLE"
	ClassUtility         TaxClass = "UTILITY"
	ClassGratuity        TaxClass = "GRATUITY"
	ClassHandling        TaxClass = "HANDLING"
)

// Kinds of these that the laws of states name. Where a state has no rule for one, that of the class above it is taken, and
// the answer says so: see namedByLaw.
const (
	ClassMotorVehicle      TaxClass = "MOTOR_VEHICLE"
	ClassMotorFuel         TaxClass = "MOTOR_FUEL"
	ClassPetFood           TaxClass = "PET_FOOD"
	ClassClothingAccessory TaxClass = "CLOTHING_ACCESSORY"
	ClassSportsClothing    TaxClass = "SPORTS_CLOTHING"
	ClassFurClothing       TaxClass = "FUR_CLOTHING"
	ClassProsthetic        TaxClass = "PROSTHETIC"
	ClassEyeglasses        TaxClass = "EYEGLASSES"
	ClassHearingAid        TaxClass = "HEARING_AID"
	ClassMobilityAid       TaxClass = "MOBILITY_AID"
	ClassInsulin           TaxClass = "INSULIN"
	ClassVeterinaryDrug    TaxClass = "VETERINARY_DRUG"
	ClassAdultDiaper       TaxClass = "ADULT_DIAPER"
	ClassBullion           TaxClass = "BULLION"
	ClassBeer              TaxClass = "BEER"
	ClassWine              TaxClass = "WINE"
	ClassSpirits           TaxClass = "SPIRITS"
	ClassCigarette         TaxClass = "CIGARETTE"
	ClassCigar             TaxClass = "CIGAR"
	ClassVapour            TaxClass = "VAPOUR"
	ClassSoftwareSupport   TaxClass = "SOFTWARE_SUPPORT"
	ClassDigitalCourse     TaxClass = "DIGITAL_COURSE"
	ClassOnlineGame        TaxClass = "ONLINE_GAME"
	ClassWebHosting        TaxClass = "WEB_HOSTING"
	ClassWebDesign         TaxClass = "WEB_DESIGN"
	ClassITSupport         TaxClass = "IT_SUPPORT"
	ClassInformation       TaxClass = "INFORMATION"
	ClassInternetAccess    TaxClass = "INTERNET_ACCESS"
	ClassPrepaidPhone      TaxClass = "PREPAID_PHONE"
	ClassPayTV             TaxClass = "PAY_TV"
	ClassLodgingLong       TaxClass = "LODGING_LONG"
	ClassCampground        TaxClass = "CAMPGROUND"
	ClassHomeEnergy        TaxClass = "HOME_ENERGY"
	ClassHeatingFuel       TaxClass = "HEATING_FUEL"
	ClassWaterSupply       TaxClass = "WATER_SUPPLY"
	ClassParking           TaxClass = "PARKING"
	ClassTowing            TaxClass = "TOWING"
	ClassCarWash           TaxClass = "CAR_WASH"
	ClassLaundry           TaxClass = "LAUNDRY"
	ClassPestControl       TaxClass = "PEST_CONTROL"
	ClassPhotography       TaxClass = "PHOTOGRAPHY"
	ClassStaffing          TaxClass = "STAFFING"
	ClassVeterinary        TaxClass = "VETERINARY"
	ClassPetCare           TaxClass = "PET_CARE"
	ClassSelfStorage       TaxClass = "SELF_STORAGE"
	ClassMoving            TaxClass = "MOVING"
	ClassTanning           TaxClass = "TANNING"
	ClassMassage           TaxClass = "MASSAGE"
	ClassTattoo            TaxClass = "TATTOO"
	ClassWaste             TaxClass = "WASTE"
	ClassInteriorDesign    TaxClass = "INTERIOR_DESIGN"
	ClassSnowRemoval       TaxClass = "SNOW_REMOVAL"
	ClassPoolCleaning      TaxClass = "POOL_CLEANING"
	ClassEventPlanning     TaxClass = "EVENT_PLANNING"
	ClassCreditReport      TaxClass = "CREDIT_REPORT"
	ClassDebtCollection    TaxClass = "DEBT_COLLECTION"
	ClassPhoneAnswering    TaxClass = "PHONE_ANSWERING"
	ClassLimousine         TaxClass = "LIMOUSINE"
	ClassChildCare         TaxClass = "CHILD_CARE"
	ClassFuneral           TaxClass = "FUNERAL"
	ClassLegal             TaxClass = "LEGAL"
	ClassAccounting        TaxClass = "ACCOUNTING"
	ClassEngineering       TaxClass = "ENGINEERING"
	ClassConsulting        TaxClass = "CONSULTING"
)

// Classification says where the class of a product comes from.
type Classification string

// The origins of a class.
const (
	ClassificationSubcategory     Classification = "SUBCATEGORY"
	ClassificationCategoryDefault Classification = "CATEGORY_DEFAULT"
	ClassificationAutoDefault     Classification = "AUTO_DEFAULT"
)

// TaxExemption says why a line bears no tax.
type TaxExemption string

// The kinds of exemption the engine sets or is given.
const (
	ExemptionProduct       TaxExemption = "PRODUCT"
	ExemptionTransaction   TaxExemption = "TRANSACTION"
	ExemptionCustomer      TaxExemption = "CUSTOMER"
	ExemptionWholesale     TaxExemption = "WHOLESALE"
	ExemptionRegion        TaxExemption = "REGION"
	ExemptionReverseCharge TaxExemption = "REVERSE_CHARGE"
	ExemptionZeroRate      TaxExemption = "ZERO_RATE_TAX"
	ExemptionHighValue     TaxExemption = "HIGH_VALUE_PHYSICAL_GOODS"
	ExemptionExport        TaxExemption = "EXPORT"
	ExemptionZeroValue     TaxExemption = "ZERO_VALUE_ITEM"
	ExemptionNoRuleFound   TaxExemption = "NO_RULE_FOUND"
)

// TaxReason is the reason code that every tax item carries.
type TaxReason string

// The reason codes of calculated tax items.
const (
	ReasonTaxable           TaxReason = "RULE_FOUND_TAXABLE"
	ReasonNotTaxable        TaxReason = "RULE_FOUND_NOT_TAXABLE"
	ReasonZeroRate          TaxReason = "RULE_FOUND_TAXABLE_ZERO_RATE"
	ReasonBelowThreshold    TaxReason = "BELOW_THRESHOLD"
	ReasonTaxHoliday        TaxReason = "TAX_HOLIDAY"
	ReasonProductExempt     TaxReason = "PRODUCT_EXEMPT"
	ReasonCustomerExempt    TaxReason = "CUSTOMER_EXEMPT"
	ReasonTransactionExempt TaxReason = "TRANSACTION_EXEMPT"
	ReasonReverseCharge     TaxReason = "REVERSE_CHARGE"
	ReasonExport            TaxReason = "EXPORT"
	ReasonNoRuleFound       TaxReason = "NO_RULE_FOUND"
)

// JurisdictionType is the level of a taxing authority.
type JurisdictionType string

// The levels, in the order in which leftover cents are given on ties.
const (
	TypeCountry JurisdictionType = "COUNTRY"
	TypeFederal JurisdictionType = "FEDERAL"
	TypeState   JurisdictionType = "STATE"
	TypeCounty  JurisdictionType = "COUNTY"
	TypeCity    JurisdictionType = "CITY"
	TypeSpecial JurisdictionType = "SPECIAL"
	TypeOther   JurisdictionType = "OTHER"
)

// AddressStatus is the result of the check of an address.
type AddressStatus string

// The results of a check. StatusUnverified is the status before the check.
const (
	StatusUnverified        AddressStatus = "UNVERIFIED"
	StatusVerified          AddressStatus = "VERIFIED"
	StatusPartiallyVerified AddressStatus = "PARTIALLY_VERIFIED"
	StatusInvalid           AddressStatus = "INVALID"
	StatusUnverifiable      AddressStatus = "UNVERIFIABLE"
	StatusBlank             AddressStatus = "BLANK"
)

// Resolution is the precision with which a place is known.
type Resolution string

// The precisions, best first.
const (
	ResolutionAddress Resolution = "ADDRESS"
	ResolutionZIP9    Resolution = "ZIP9"
	ResolutionZIP5    Resolution = "ZIP5"
	ResolutionCity    Resolution = "CITY"
	ResolutionState   Resolution = "STATE"
	ResolutionCountry Resolution = "COUNTRY"
	ResolutionNone    Resolution = "NONE"
)

// Completeness says whether all levels that tax a place are in the content.
type Completeness string

// The degrees of completeness.
const (
	CompletenessComplete  Completeness = "COMPLETE"
	CompletenessPartial   Completeness = "PARTIAL"
	CompletenessStateOnly Completeness = "STATE_ONLY"
)

// Confidence says how sure a fact of the content, or an answer built on it, is.
type Confidence string

// The degrees of confidence, best first.
const (
	ConfidenceHigh   Confidence = "HIGH"
	ConfidenceMedium Confidence = "MED"
	ConfidenceLow    Confidence = "LOW"
)

// SourcingRule says which place taxes a sale.
type SourcingRule string

// The two places that can tax.
const (
	SourcingDestination SourcingRule = "DESTINATION"
	SourcingOrigin      SourcingRule = "ORIGIN"
)

// RoundingUnit is the amount that is rounded to cents once, such as the tax of a line.
type RoundingUnit string

// The units. The empty value means TaxPerLine.
const (
	TaxPerLine          RoundingUnit = "TAX_PER_LINE"
	JurisdictionPerLine RoundingUnit = "JURISDICTION_PER_LINE"
	TaxPerDocument      RoundingUnit = "TAX_PER_DOCUMENT"
)
