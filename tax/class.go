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
	numClasses
)

var classes = [numClasses]TaxClass{
	"", ClassPhysical, ClassClothing, ClassClothingChild, ClassFood, ClassPreparedFood, ClassDrugsRx,
	ClassBook, ClassDigital, ClassSaaS, ClassSoftwareDownload, ClassService, ClassShipping, ClassNotTaxable,
}

// classParents holds the class whose rules apply where a state has none for
// the finer one.
var classParents = [numClasses]classKey{keyClothingChild: keyClothing, keyBook: keyPhysical}

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
