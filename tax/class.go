package tax

import "strings"

// classKey numbers the classes so that rules can be found by index. Zero is
// "any class".
type classKey uint8

const (
	keyAny classKey = iota
	keyPhysical
	keyClothing
	keyClothingChild
	keyFood
	keyPreparedFood
	keyDrugsRx
	keyBook
	keyDigital
	keySaaS
	keySoftwareDownload
	keyService
	keyShipping
	keyNotTaxable
	keyCandy
	keySoftDrink
	keyBottledWater
	keySupplement
	keyDrugsOTC
	keyMedicalDevice
	keyFeminineHygiene
	keyDiaper
	keyNewspaper
	keyPeriodical
	keyAlcohol
	keyTobacco
	keyCannabis
	keyRentalGoods
	keyEBook
	keyAudioVideo
	keyStreaming
	keyDigitalNews
	keySaaSB2B
	keySaaSB2C
	keyIaaS
	keySoftwareCustom
	keyDataProcessing
	keyRepair
	keyInstallation
	keyMaintenance
	keyLandscaping
	keyCleaning
	keyConstruction
	keySecurity
	keyAdvertising
	keyProfessional
	keyMedical
	keyPersonalCare
	keyFitness
	keyEducation
	keyAdmission
	keyTelecom
	keyLodging
	keyRentalVehicle
	keyUtility
	keyGratuity
	keyHandling
	keyMotorVehicle
	keyMotorFuel
	keyPetFood
	keyClothingAccessory
	keySportsClothing
	keyFurClothing
	keyProsthetic
	keyEyeglasses
	keyHearingAid
	keyMobilityAid
	keyInsulin
	keyVeterinaryDrug
	keyAdultDiaper
	keyBullion
	keyBeer
	keyWine
	keySpirits
	keyCigarette
	keyCigar
	keyVapour
	keySoftwareSupport
	keyDigitalCourse
	keyOnlineGame
	keyWebHosting
	keyWebDesign
	keyITSupport
	keyInformation
	keyInternetAccess
	keyPrepaidPhone
	keyPayTV
	keyLodgingLong
	keyCampground
	keyHomeEnergy
	keyHeatingFuel
	keyWaterSupply
	keyParking
	keyTowing
	keyCarWash
	keyLaundry
	keyPestControl
	keyPhotography
	keyStaffing
	keyVeterinary
	keyPetCare
	keySelfStorage
	keyMoving
	keyTanning
	keyMassage
	keyTattoo
	keyWaste
	keyInteriorDesign
	keySnowRemoval
	keyPoolCleaning
	keyEventPlanning
	keyCreditReport
	keyDebtCollection
	keyPhoneAnswering
	keyLimousine
	keyChildCare
	keyFuneral
	keyLegal
	keyAccounting
	keyEngineering
	keyConsulting
	numClasses
)

var classes = [numClasses]TaxClass{
	"", ClassPhysical, ClassClothing, ClassClothingChild, ClassFood, ClassPreparedFood, ClassDrugsRx,
	ClassBook, ClassDigital, ClassSaaS, ClassSoftwareDownload, ClassService, ClassShipping, ClassNotTaxable,
	ClassCandy, ClassSoftDrink, ClassBottledWater, ClassSupplement, ClassDrugsOTC, ClassMedicalDevice,
	ClassFeminineHygiene, ClassDiaper, ClassNewspaper, ClassPeriodical, ClassAlcohol, ClassTobacco, ClassCannabis,
	ClassRentalGoods, ClassEBook, ClassAudioVideo, ClassStreaming, ClassDigitalNews, ClassSaaSB2B, ClassSaaSB2C,
	ClassIaaS, ClassSoftwareCustom, ClassDataProcessing, ClassRepair, ClassInstallation, ClassMaintenance,
	ClassLandscaping, ClassCleaning, ClassConstruction, ClassSecurity, ClassAdvertising, ClassProfessional,
	ClassMedical, ClassPersonalCare, ClassFitness, ClassEducation, ClassAdmission, ClassTelecom, ClassLodging,
	ClassRentalVehicle, ClassUtility, ClassGratuity, ClassHandling,
	ClassMotorVehicle,
	ClassMotorFuel,
	ClassPetFood,
	ClassClothingAccessory,
	ClassSportsClothing,
	ClassFurClothing,
	ClassProsthetic,
	ClassEyeglasses,
	ClassHearingAid,
	ClassMobilityAid,
	ClassInsulin,
	ClassVeterinaryDrug,
	ClassAdultDiaper,
	ClassBullion,
	ClassBeer,
	ClassWine,
	ClassSpirits,
	ClassCigarette,
	ClassCigar,
	ClassVapour,
	ClassSoftwareSupport,
	ClassDigitalCourse,
	ClassOnlineGame,
	ClassWebHosting,
	ClassWebDesign,
	ClassITSupport,
	ClassInformation,
	ClassInternetAccess,
	ClassPrepaidPhone,
	ClassPayTV,
	ClassLodgingLong,
	ClassCampground,
	ClassHomeEnergy,
	ClassHeatingFuel,
	ClassWaterSupply,
	ClassParking,
	ClassTowing,
	ClassCarWash,
	ClassLaundry,
	ClassPestControl,
	ClassPhotography,
	ClassStaffing,
	ClassVeterinary,
	ClassPetCare,
	ClassSelfStorage,
	ClassMoving,
	ClassTanning,
	ClassMassage,
	ClassTattoo,
	ClassWaste,
	ClassInteriorDesign,
	ClassSnowRemoval,
	ClassPoolCleaning,
	ClassEventPlanning,
	ClassCreditReport,
	ClassDebtCollection,
	ClassPhoneAnswering,
	ClassLimousine,
	ClassChildCare,
	ClassFuneral,
	ClassLegal,
	ClassAccounting,
	ClassEngineering,
	ClassConsulting,
}

// classParents holds the class whose rules apply where a state has none for
// the finer one.
var classParents = [numClasses]classKey{
	keyClothingChild: keyClothing, keyBook: keyPhysical, keyCandy: keyFood, keySoftDrink: keyFood,
	keyBottledWater: keyFood, keySupplement: keyPhysical, keyDrugsOTC: keyPhysical, keyMedicalDevice: keyPhysical,
	keyFeminineHygiene: keyPhysical, keyDiaper: keyPhysical, keyNewspaper: keyPhysical,
	keyPeriodical: keyPhysical, keyAlcohol: keyPhysical, keyTobacco: keyPhysical, keyCannabis: keyPhysical,
	keyRentalGoods: keyPhysical, keyEBook: keyDigital, keyAudioVideo: keyDigital, keyStreaming: keyDigital,
	keyDigitalNews: keyDigital, keySaaSB2B: keySaaS, keySaaSB2C: keySaaS, keyIaaS: keySaaS,
	keySoftwareCustom: keySoftwareDownload, keyDataProcessing: keyService, keyRepair: keyService,
	keyInstallation: keyService, keyMaintenance: keyService, keyLandscaping: keyService, keyCleaning: keyService,
	keyConstruction: keyService, keySecurity: keyService, keyAdvertising: keyService, keyProfessional: keyService,
	keyMedical: keyService, keyPersonalCare: keyService, keyFitness: keyService, keyEducation: keyService,
	keyAdmission: keyService, keyTelecom: keyService, keyLodging: keyService, keyRentalVehicle: keyService,
	keyUtility: keyService, keyGratuity: keyService, keyHandling: keyShipping,
	keyMotorVehicle:      keyPhysical,
	keyMotorFuel:         keyPhysical,
	keyPetFood:           keyPhysical,
	keyClothingAccessory: keyPhysical,
	keySportsClothing:    keyPhysical,
	keyFurClothing:       keyClothing,
	keyProsthetic:        keyMedicalDevice,
	keyEyeglasses:        keyMedicalDevice,
	keyHearingAid:        keyMedicalDevice,
	keyMobilityAid:       keyMedicalDevice,
	keyInsulin:           keyDrugsRx,
	keyVeterinaryDrug:    keyPhysical,
	keyAdultDiaper:       keyDiaper,
	keyBullion:           keyPhysical,
	keyBeer:              keyAlcohol,
	keyWine:              keyAlcohol,
	keySpirits:           keyAlcohol,
	keyCigarette:         keyTobacco,
	keyCigar:             keyTobacco,
	keyVapour:            keyTobacco,
	keySoftwareSupport:   keySoftwareDownload,
	keyDigitalCourse:     keyDigital,
	keyOnlineGame:        keyStreaming,
	keyWebHosting:        keyService,
	keyWebDesign:         keyService,
	keyITSupport:         keyService,
	keyInformation:       keyService,
	keyInternetAccess:    keyTelecom,
	keyPrepaidPhone:      keyTelecom,
	keyPayTV:             keyTelecom,
	keyLodgingLong:       keyLodging,
	keyCampground:        keyLodging,
	keyHomeEnergy:        keyUtility,
	keyHeatingFuel:       keyUtility,
	keyWaterSupply:       keyUtility,
	keyParking:           keyService,
	keyTowing:            keyService,
	keyCarWash:           keyService,
	keyLaundry:           keyService,
	keyPestControl:       keyService,
	keyPhotography:       keyService,
	keyStaffing:          keyService,
	keyVeterinary:        keyService,
	keyPetCare:           keyService,
	keySelfStorage:       keyService,
	keyMoving:            keyService,
	keyTanning:           keyPersonalCare,
	keyMassage:           keyPersonalCare,
	keyTattoo:            keyPersonalCare,
	keyWaste:             keyService,
	keyInteriorDesign:    keyService,
	keySnowRemoval:       keyService,
	keyPoolCleaning:      keyService,
	keyEventPlanning:     keyService,
	keyCreditReport:      keyService,
	keyDebtCollection:    keyService,
	keyPhoneAnswering:    keyService,
	keyLimousine:         keyService,
	keyChildCare:         keyService,
	keyFuneral:           keyService,
	keyLegal:             keyProfessional,
	keyAccounting:        keyProfessional,
	keyEngineering:       keyProfessional,
	keyConsulting:        keyProfessional,
}

// namedByLaw are classes that the law of a state may treat unlike the class above them. Where the content has no rule for
// one, the answer says so.
var namedByLaw = [numClasses]bool{
	keyMotorVehicle:    true,
	keyMotorFuel:       true,
	keyProsthetic:      true,
	keyEyeglasses:      true,
	keyHearingAid:      true,
	keyMobilityAid:     true,
	keyVeterinaryDrug:  true,
	keyAdultDiaper:     true,
	keyBullion:         true,
	keySoftwareSupport: true,
	keyDigitalCourse:   true,
	keyOnlineGame:      true,
	keyWebHosting:      true,
	keyWebDesign:       true,
	keyITSupport:       true,
	keyInformation:     true,
	keyLodgingLong:     true,
	keyCampground:      true,
	keyHomeEnergy:      true,
	keyHeatingFuel:     true,
	keyWaterSupply:     true,
	keyParking:         true,
	keyTowing:          true,
	keyCarWash:         true,
	keyLaundry:         true,
	keyPestControl:     true,
	keyPhotography:     true,
	keyStaffing:        true,
	keyVeterinary:      true,
	keyPetCare:         true,
	keySelfStorage:     true,
	keyMoving:          true,
	keyTanning:         true,
	keyMassage:         true,
	keyTattoo:          true,
	keyWaste:           true,
	keyInteriorDesign:  true,
	keySnowRemoval:     true,
	keyPoolCleaning:    true,
	keyEventPlanning:   true,
	keyCreditReport:    true,
	keyDebtCollection:  true,
	keyPhoneAnswering:  true,
	keyLimousine:       true,
	keyChildCare:       true,
	keyFuneral:         true,
	keyConsulting:      true,
}

// root is the coarsest class above a class, or the class itself.
func (k classKey) root() classKey {
	for classParents[k] != keyAny {
		k = classParents[k]
	}
	return k
}

// isKindOf reports whether a class lies below another one.
func (k classKey) isKindOf(above classKey) bool {
	for ; k != keyAny; k = classParents[k] {
		if classParents[k] == above {
			return true
		}
	}
	return false
}

// charge reports whether a class is a charge for delivering other lines.
func (k classKey) charge() bool { return k == keyShipping || k == keyHandling }

var (
	classKeys = func() map[TaxClass]classKey {
		m := make(map[TaxClass]classKey, numClasses)
		for i, c := range classes {
			m[c] = classKey(i)
		}
		return m
	}()

	// classSlugs end the ids of rules that are special to a class.
	classSlugs = func() (slugs [numClasses]string) {
		for i, c := range classes {
			slugs[i] = strings.ReplaceAll(strings.ToLower(string(c)), "_", "-")
		}
		return slugs
	}()
)

// key finds the number of a known class.
func (c TaxClass) key() (classKey, bool) {
	k, ok := classKeys[c]
	return k, ok && k != keyAny
}
