package ser

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Registration is what a registration says of a seller to a state: a new one, or a change of it. "" stands for what it does not
// say. Days are as in "2026-11-30".
type Registration struct {
	// Action is ActionNew, or one of the changes that the schema names: C, O, U and D.
	Action string
	// Entity is the kind of company: SP, CO, TR, PA, LL, GO or OT.
	Entity       string
	BusinessName string
	Person       *PersonName // in place of BusinessName
	TradeName    string
	NAICS        string // 6 digits
	Physical     *RegisteredAddress
	Mailing      *RegisteredAddress
	Phone        string // 10 digits
	Extension    string
	Contact      *RegisteredContact
	Incorporated string // the state
	Model        *TechnologyModel
	// Indicator is R of a seller that registers to file, and X of one that does not file yet. Sellers that are registered already
	// have A and Z in the same sense. U ends a registration.
	Indicator string
	Remote    string // Y or N
	RemoteOn  string // day
	Volunteer string // of the compensation of providers: Y, N or U
	// Password is that of transmissions, of 8 to 10 characters. No error has it.
	Password     string
	FirstSale    string // day
	RegisteredOn string // day, of a new one
	Effective    string // day, of a change

	// These are of changes alone.
	LastSale, RemoteEnd, ProviderEnd, Closed string // days
	LastFiled                                string // month, as in "2026-11"
	KeepsAccount                             string // Y or N
}

// ActionNew is the action of a new registration.
const ActionNew = "N"

// PersonName is the name of a person.
type PersonName struct{ First, Initial, Last, Suffix string }

// RegisteredAddress is an address. Outside the United States it has a country by the list of the schema, which is not that of ISO.
type RegisteredAddress struct{ Line1, Line2, City, State, Postcode, Country, CareOf string }

// RegisteredContact is a person for questions of a state.
type RegisteredContact struct {
	Name                    PersonName
	Phone, Extension, Email string
}

// TechnologyModel is how a seller computes its taxes: by a provider (1), by certified software (2, 3), or by itself (0). Code is
// that of the provider or of the software.
type TechnologyModel struct {
	Model int
	Code  string
}

// SchemaError says where a message breaks its schema. It has no value of the message.
type SchemaError struct{ Paths []string }

func (e *SchemaError) Error() string {
	return "a message breaks its schema: " + strings.Join(e.Paths, "; ")
}

// Roots of the messages.
const (
	rootOfNew    = "StreamlinedRegistrationNew"
	rootOfChange = "StreamlinedRegistrationCOU"
)

// root returns the root of the message.
func (r *Registration) root() string {
	if r.Action == ActionNew {
		return rootOfNew
	}
	return rootOfChange
}

// field is a text of a registration and its element.
type field struct {
	name string
	text *string
}

// fields are the texts of a registration, by their elements. The schema has their order.
func (r *Registration) fields() []field {
	return []field{
		{"ActionCode", &r.Action}, {"RegistrationEntity", &r.Entity}, {"BusinessName", &r.BusinessName}, {"DBAName", &r.TradeName},
		{"NAICSCode", &r.NAICS}, {"SellerPhone", &r.Phone}, {"SellerPhoneExt", &r.Extension}, {"StateIncorporated", &r.Incorporated},
		{"RegistrationIndicator", &r.Indicator}, {"RemoteSellerID", &r.Remote}, {"RemoteEffDate", &r.RemoteOn},
		{"SSTPAllowanceIndicator", &r.Volunteer}, {"NewPass", &r.Password}, {"FirstSalesDate", &r.FirstSale},
		{"RegistrationDate", &r.RegisteredOn}, {"EffectiveDate", &r.Effective}, {"LastSaleDate", &r.LastSale},
		{"RemoteEndDate", &r.RemoteEnd}, {"CSPEndDate", &r.ProviderEnd}, {"AcctCloseDate", &r.Closed}, {"CSPLastFilingPd", &r.LastFiled},
		{"StateAcctInd", &r.KeepsAccount},
	}
}

func (p *PersonName) fields() []field {
	return []field{{"FirstName", &p.First}, {"MiddleInitial", &p.Initial}, {"LastName", &p.Last}, {"NameSuffix", &p.Suffix}}
}

func (c *RegisteredContact) fields() []field {
	return []field{{"ContactPhone", &c.Phone}, {"ContactPhoneExt", &c.Extension}, {"ContactEmail", &c.Email}}
}

// fields are the texts of an address. The two kinds of addresses name state and postcode differently.
func (a *RegisteredAddress) fields(domestic bool) []field {
	common := []field{{"AddressLine1Txt", &a.Line1}, {"AddressLine2Txt", &a.Line2}, {"CityNm", &a.City}, {"InCareOfNm", &a.CareOf}}
	if domestic {
		return append(common, field{"StateAbbreviationCd", &a.State}, field{"ZIPCd", &a.Postcode})
	}
	return append(common, field{"ProvinceOrStateNm", &a.State}, field{"ForeignPostalCd", &a.Postcode}, field{"CountryCd", &a.Country})
}

const domestic, foreign = "USAddress", "ForeignAddress"

// registrationElements are the elements of both messages, by the root and by their name. No process needs them at its start.
var registrationElements = sync.OnceValue(func() map[string]map[string]element {
	return map[string]map[string]element{rootOfNew: elementsOf(rootOfNew), rootOfChange: elementsOf(rootOfChange)}
})

// elementsOf returns the elements of a message, by their name. A new registration says what a change may leave out.
func elementsOf(root string) map[string]element {
	name := matching(`(?:[A-Za-z0-9'\-] ?)*[A-Za-z0-9'\-]`)
	business := both(matching(`(?:[A-Za-z0-9#\-()&'] ?)*[A-Za-z0-9#\-()&']`), between(0, 75))
	free := both(matching(`(?:[!-~¡-¿ÁÉÍÑÓ×ÚÜáéíñóúü] ?)*[!-~¡-¿ÁÉÍÑÓ×ÚÜáéíñóúü]`), between(0, 50))
	month := matching(`[1-9][0-9]{3}-(?:0[1-9]|1[0-2])(?:Z|[+\-][0-9]{2}:[0-9]{2})?`)
	wants, actions, indicators := one, oneOf(ActionNew), oneOf("R", "X", "A", "Z")
	parts := func(names ...string) (list []part) {
		for _, n := range names {
			list = append(list, wants(n))
		}
		return list
	}
	if root == rootOfChange {
		wants, actions, indicators = maybe, oneOf("C", "O", "U", "D"), oneOf("R", "X", "A", "Z", "U")
	}
	begin := slices.Concat(
		[]part{one("ActionCode"), one("RegistrationEntity"), one("BusinessName", "IndividualName"), maybe("DBAName")},
		parts("NAICSCode", "PhysicalAddress"), []part{maybe("MailingAddress"), wants("SellerPhone"), maybe("SellerPhoneExt")},
		parts("SSTPContact", "StateIncorporated", "TechnologyModel", "RegistrationIndicator"),
	)
	rest := slices.Concat(parts("RemoteSellerID"), []part{maybe("RemoteEffDate")},
		parts("SSTPAllowanceIndicator", "NewPass", "FirstSalesDate", "RegistrationDate"))
	if root == rootOfChange {
		rest = append(parts("LastSaleDate", "StateAcctInd", "RemoteSellerID", "RemoteEffDate", "RemoteEndDate", "CSPEndDate",
			"CSPLastFilingPd", "AcctCloseDate", "FirstSalesDate", "SSTPAllowanceIndicator", "NewPass"), one("EffectiveDate"))
	}
	address := element{parts: []part{one(domestic, foreign)}}
	day, decided := element{text: isDay}, element{text: oneOf("Y", "N")}
	coded := func(attribute string) element {
		return element{
			parts: []part{}, attributes: map[string]func(string) bool{attribute: anyText}, required: []string{attribute},
		}
	}
	return map[string]element{
		root:         {parts: append(begin, rest...)},
		"ActionCode": {text: actions}, "RegistrationEntity": {text: oneOf("SP", "CO", "TR", "PA", "LL", "GO", "OT")},
		"BusinessName": {text: business}, "DBAName": {text: business},
		"IndividualName": {parts: personParts}, "ContactName": {parts: personParts},
		"FirstName": {text: both(name, between(0, 16))}, "LastName": {text: both(name, between(0, 32))},
		"MiddleInitial": {text: matching(`[A-Za-z]`)},
		"NameSuffix":    {text: oneOf("JR", "SR", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")},
		"NAICSCode":     {text: matching(`[0-9]{6}`)}, "SellerPhone": {text: isPhone}, "ContactPhone": {text: isPhone},
		"SellerPhoneExt": {text: between(0, 5)}, "ContactPhoneExt": {text: between(0, 5)}, "ContactEmail": {text: between(1, 75)},
		"PhysicalAddress": address, "MailingAddress": address,
		domestic: {parts: []part{
			one("AddressLine1Txt"), maybe("AddressLine2Txt"), one("CityNm"), one("StateAbbreviationCd"), one("ZIPCd"), maybe("InCareOfNm"),
		}},
		foreign: {parts: []part{
			one("AddressLine1Txt"), maybe("AddressLine2Txt"), maybe("CityNm"), maybe("ProvinceOrStateNm"), one("CountryCd"),
			maybe("ForeignPostalCd"), maybe("InCareOfNm"),
		}},
		"AddressLine1Txt": {text: isStreet}, "AddressLine2Txt": {text: isStreet}, "CityNm": {text: free},
		"StateAbbreviationCd": {text: oneOf(addressStates...)}, "ZIPCd": {text: matching(`[0-9]{5}(?:[0-9]{4}|[0-9]{7})?`)},
		"ProvinceOrStateNm": {text: free}, "ForeignPostalCd": {text: free}, "CountryCd": {text: oneOf(addressCountries...)},
		"InCareOfNm":      {text: between(1, 50)},
		"SSTPContact":     {parts: []part{one("ContactName"), one("ContactPhone"), maybe("ContactPhoneExt"), one("ContactEmail")}},
		"TechnologyModel": {parts: []part{one("ModelOne", "ModelTwo", "ModelThree", "None")}},
		"ModelOne":        coded("CSPCode"), "ModelTwo": coded("CASCode"), "ModelThree": {}, "None": {},
		"StateIncorporated": {text: between(2, 2)}, "RegistrationIndicator": {text: indicators},
		"RemoteSellerID": decided, "StateAcctInd": decided, "SSTPAllowanceIndicator": {text: oneOf("Y", "N", "U")},
		"NewPass": {text: between(8, 10)}, "CSPLastFilingPd": {text: month},
		"RemoteEffDate": day, "FirstSalesDate": day, "RegistrationDate": day, "EffectiveDate": day, "LastSaleDate": day,
		"RemoteEndDate": day, "CSPEndDate": day, "AcctCloseDate": day,
	}
}

var (
	personParts = []part{one("FirstName"), maybe("MiddleInitial"), one("LastName"), maybe("NameSuffix")}
	isPhone     = matching(`[0-9]{10}`)
	isStreet    = both(matching(`[A-Za-z0-9](?: ?[A-Za-z0-9\-/])*`), between(0, 35))
	isCity      = both(matching(`(?:[A-Za-z] ?)*[A-Za-z]`), between(0, 22)) // of the United States
)

// both joins two conditions on a text.
func both(a, b func(string) bool) func(string) bool {
	return func(text string) bool { return a(text) && b(text) }
}

// addressStates and addressCountries are the codes of addresses. Those of countries are not those of ISO.
var (
	addressStates = strings.Fields(`AL AK AS AZ AR CA CO MP CT DE DC FM FL GA GU HI ID IL IN IA KS KY LA ME MH MD MA MI MN MS MO MT
		NE NV NH NJ NM NY NC ND OH OK OR PW PA PR RI SC SD TN TX VI UT VT VA WA WV WI WY AA AE AP`)
	addressCountries = strings.Fields(`AF AX XI AL AG AQ AN AO AV AY AC AR AM AA XA AT AS AU AJ XZ BF BA FQ BG BB BS BO BE BH BN BD
		BT BL BK BC BV BR IO VI BX BU UV BM BY CB CM CA XY CV CJ CT CD XC CI CH KT IP CK CO CN CF CG CW CR VP CS IV HR CU CY EZ DA
		DX DJ DO DR TT EC EG ES XE EK ER EN ET EU FK FO FM FJ FI FR FG FP FS GB GA GZ GG GM GH GI GO GR GL GJ VC GP GQ GT GK GV PU
		GY HA HM HO HK HQ HU IC IN ID IR IZ EI IS IT JM JN JA DQ JE JQ JO JU KZ KE KQ KR KN KS KU KG LA LG LE LT LI LY LS LH LU MC
		MK MA MI MY MV ML MT IM RM MB MR MP MF MX MQ MD MN MG MJ MH MO MZ XM WA NR BQ NP NL NT NC NZ NU NG NI NE NF XN CQ NO MU XX
		PK LQ PS PM PP PF PA PE RP PC PL PO RQ QA RE RO RS RW WS SM TP SA XS SG RB SE SL SN XR LO SI BP SO SF SX SP PG CE SH SC ST
		SB VC SU NS SV WZ SW SZ SY TW TI TZ TH TO TL TN TD XT TE TS TU TX TK TV UG UP AE UK UC US UY UZ NH VT VE VM VQ WQ XW WF WE
		WI YM YI ZA ZI`)
)

// checkRegistration returns where a message breaks its schema. A city of the United States has letters alone.
func checkRegistration(root *node) error {
	if root.name != rootOfNew && root.name != rootOfChange {
		return fmt.Errorf("%w: it is no registration", ErrForeign)
	}
	faults := check(registrationElements()[root.name], root)
	for _, kind := range []string{"PhysicalAddress", "MailingAddress"} {
		for _, city := range root.all(kind, domestic, "CityNm") {
			if !isCity(city.text) {
				faults = append(faults, fault{city.path(), "not a value that is allowed"})
			}
		}
	}
	if len(faults) == 0 {
		return nil
	}
	e := &SchemaError{}
	for _, f := range faults {
		if said := f.path + ": " + f.message; !slices.Contains(e.Paths, said) {
			e.Paths = append(e.Paths, said)
		}
	}
	return e
}

// WriteRegistration writes the message of a registration. Errors: *SchemaError with all of its faults; ErrMalformed for a text that
// no message can have.
func WriteRegistration(r Registration) ([]byte, error) {
	texts := r.fields()
	for _, f := range texts {
		if !utf8.ValidString(*f.text) {
			return nil, fmt.Errorf("%w: %s is no text", ErrMalformed, f.name)
		}
	}
	w := &writer{}
	w.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	root := r.root()
	elements := registrationElements()[root]
	parts := map[string]func(name string){
		"IndividualName":  func(name string) { writePerson(w, elements, name, r.Person) },
		"PhysicalAddress": func(name string) { writeAddress(w, elements, name, r.Physical) },
		"MailingAddress":  func(name string) { writeAddress(w, elements, name, r.Mailing) },
		"SSTPContact":     func(string) { writeContact(w, elements, r.Contact) },
		"TechnologyModel": func(string) { writeModel(w, r.Model) },
	}
	w.begin(root, "")
	for _, p := range elements[root].parts {
		for _, name := range p.names {
			if write, ok := parts[name]; ok {
				write(name)
			} else {
				writeFields(w, name, texts)
			}
		}
	}
	w.end()
	message := w.Bytes()
	n, err := parse(message)
	if err != nil {
		return nil, err
	}
	// guard: simplified: a registration that breaks its schema is not written
	if err := checkRegistration(n); err != nil {
		return nil, err
	}
	return message, nil
}

// writeFields writes the text of an element; nothing for "".
func writeFields(w *writer, name string, of []field) {
	for _, f := range of {
		if f.name == name && *f.text != "" {
			w.text(name, *f.text)
		}
	}
}

// writeElement writes an element with its texts in the order of the schema.
func writeElement(w *writer, elements map[string]element, name string, of []field) {
	w.begin(name, "")
	for _, p := range elements[name].parts {
		writeFields(w, p.names[0], of)
	}
	w.end()
}

func writePerson(w *writer, elements map[string]element, name string, p *PersonName) {
	if p != nil {
		writeElement(w, elements, name, p.fields())
	}
}

func writeAddress(w *writer, elements map[string]element, name string, a *RegisteredAddress) {
	if a == nil {
		return
	}
	kind := domestic
	if a.Country != "" {
		kind = foreign
	}
	w.begin(name, "")
	writeElement(w, elements, kind, a.fields(kind == domestic))
	w.end()
}

func writeContact(w *writer, elements map[string]element, c *RegisteredContact) {
	if c == nil {
		return
	}
	w.begin("SSTPContact", "")
	writePerson(w, elements, "ContactName", &c.Name)
	for _, p := range elements["SSTPContact"].parts {
		writeFields(w, p.names[0], c.fields())
	}
	w.end()
}

// modelElements are the elements of technology models by their number, with the attribute of their code.
var modelElements = [...]struct{ name, code string }{{"None", ""}, {"ModelOne", "CSPCode"}, {"ModelTwo", "CASCode"}, {"ModelThree", ""}}

func writeModel(w *writer, m *TechnologyModel) {
	if m == nil || m.Model < 0 || m.Model >= len(modelElements) {
		return
	}
	w.begin("TechnologyModel", "")
	model, attribute := modelElements[m.Model], ""
	if model.code != "" {
		attribute = " " + model.code + `="` + escaped(m.Code) + `"`
	}
	w.marked(model.name, attribute, "")
	w.end()
}

// ReadRegistration reads the message of a registration. Errors: ErrMalformed; ErrForeign for another message; *SchemaError with all
// of its faults.
func ReadRegistration(message []byte) (r Registration, err error) {
	n, err := parse(message)
	if err != nil {
		return r, err
	}
	if err := checkRegistration(n); err != nil {
		return r, err
	}
	readFields(n, r.fields())
	r.Person = readPerson(n.first("IndividualName"))
	r.Physical, r.Mailing = readAddress(n.first("PhysicalAddress")), readAddress(n.first("MailingAddress"))
	if c := n.first("SSTPContact"); c != nil {
		r.Contact = &RegisteredContact{Name: *readPerson(c.first("ContactName"))}
		readFields(c, r.Contact.fields())
	}
	for i, model := range modelElements {
		if m := n.first("TechnologyModel", model.name); m != nil {
			r.Model = &TechnologyModel{Model: i, Code: m.attribute(model.code)}
		}
	}
	return r, nil
}

func readFields(n *node, to []field) {
	for _, f := range to {
		*f.text = n.get(f.name)
	}
}

func readPerson(n *node) *PersonName {
	if n == nil {
		return nil
	}
	p := &PersonName{}
	readFields(n, p.fields())
	return p
}

func readAddress(n *node) *RegisteredAddress {
	if n == nil {
		return nil
	}
	a, kind := &RegisteredAddress{}, n.children[0]
	readFields(kind, a.fields(kind.name == domestic))
	return a
}
