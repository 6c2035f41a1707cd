package tax

import (
	"io/fs"
	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
	"sync"
)

// Content is an immutable snapshot of everything the engine knows: places,
// jurisdictions, rates and rules, all dated. It is safe for concurrent use.
type Content struct {
	version    string
	categories []Category
	countries  map[string]string // code -> name

	jurisdictions []jurisdiction
	byID          map[string]uint16

	states     []state
	usStates   [26 * 26]uint8 // two letters -> index in states + 1
	stateNames map[string]uint8

	classRules  map[classRuleKey][]classRule // outside the United States
	territories []territory
	limits      []importLimit
	// businessLaws are those of countries about supplies from abroad to businesses, outside of Europe.
	businessLaws map[string][]businessLaw
	// marketplaces are the laws by which marketplaces owe a tax
	marketplaces []marketplaceLaw
	discountLaws []discountLaw

	nexus    *nexus.Table
	calendar *calendar.Calendar

	filingSites        map[Authority]string
	authorities        map[Authority]string // their names
	layouts            []ReturnLayout
	allowances         []VendorAllowance
	registrationFields []RegistrationField
	shared             []SimplifiedRule            // of the return that states of an agreement share
	sharedLines        map[string][]SimplifiedLine // by edition
	files              []ReturnFile
	codes              []ReturnCode

	places     placeIndex
	boundaries boundaries
	provinces  map[string]string // code or normalised name -> code, Canada
	countryKey map[string]string // normalised name -> code
}

// boundaries is what the content knows of imported boundary files.
type boundaries struct {
	loads map[string]int64 // by state
	codes map[string]uint16
	rated map[string]bool // states whose rates come from the rate file
}

var load = sync.OnceValues(func() (*Content, error) { return ParseContent(content.Packed()) })

// LoadContent returns the embedded content. It is parsed and checked on the first
// call; later calls return the same snapshot. An error names the faulty row.
func LoadContent() (*Content, error) { return load() }

// ParseContent checks a packed folder of tables and builds a snapshot of it. Errors: as of Read.
func ParseContent(pack []byte) (*Content, error) {
	d, err := content.Parse(pack)
	if err != nil {
		return nil, err
	}
	return newContent(d)
}

// ReadContent parses and checks the tables in a folder of the form of data/. All
// faults found in one table, or between tables, are reported together; they
// name file and line.
func ReadContent(folder fs.FS) (*Content, error) {
	d, err := content.Read(folder)
	if err != nil {
		return nil, err
	}
	return newContent(d)
}

// Nexus is where and from when sellers have to collect tax.
func (c *Content) Nexus() *nexus.Table { return c.nexus }

// FilingSite is the web address at which returns for a jurisdiction are filed: the portal of
// the authority, or its home page. Jurisdictions are named as records name them: for a whole
// country the state repeats the country, the one-stop shop is that of nexus.EuropeanUnion.
// Empty where the content covers none.
func (c *Content) FilingSite(country, state string) string {
	if site, ok := c.filingSites[Authority{country, state}]; ok {
		return site
	}
	if country == "US" {
		return ""
	}
	return c.filingSites[Authority{Country: country}]
}

// Calendar is when returns are due, and on which days offices are open.
func (c *Content) Calendar() *calendar.Calendar { return c.calendar }
