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
}

// root is the coarsest class above a class, or the class itself.
func (k classKey) root() classKey {
	for classParents[k] != keyAny {
		k = classParents[k]
	}
	return k
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
