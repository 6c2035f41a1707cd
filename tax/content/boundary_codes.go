package content

import (
	"strconv"
	"strings"
)

// The types of jurisdictions in the files of the member states that have a row in
// their own code system; all others are districts.
const (
	BoundaryState  = "45"
	BoundaryCounty = "00"
	BoundaryPlace  = "01"
)

// PlaceType reports whether a type of a rate or boundary file is a municipality.
func PlaceType(code string) bool {
	switch code {
	case BoundaryPlace, "02", "03", "04", "05", "09":
		return true
	}
	return false
}

// AnyDistrict is the type of a district whose own type is not known.
const AnyDistrict = "*"

// RateFileSource begins the ids of the sources that are rate files of member
// states; the code of the state follows.
const RateFileSource = "SST-RATES-"

// Boundary returns the type and code under which rate and boundary files of the
// member states name the jurisdiction. kind is "*" for a district whose type is
// not known and empty for what such files do not name.
func (r JurisdictionRow) Boundary() (kind, code string) {
	switch system := r.CodeSystem; {
	case system == "FIPS-STATE":
		return BoundaryState, r.Code
	case system == "FIPS-COUNTY" && len(r.Code) == 5:
		return BoundaryCounty, r.Code[2:]
	case system == "FIPS-PLACE" && len(r.Code) == 7:
		return BoundaryPlace, r.Code[2:]
	case system == "SST-PLACE":
		return BoundaryPlace, r.Code
	case system == "SST-DISTRICT":
		return AnyDistrict, r.Code
	case len(system) == len("SST-63") && strings.HasPrefix(system, "SST-"):
		if _, err := strconv.Atoi(system[4:]); err == nil {
			return system[4:], r.Code
		}
	}
	return "", ""
}
