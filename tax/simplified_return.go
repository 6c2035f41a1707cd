package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
)

// The parts of the shared return about which states differ.
const (
	// SimplifiedEdition is the edition of the schema.
	SimplifiedEdition = "EDITION"
	// SimplifiedMember is the code of a state of the agreement.
	SimplifiedMember = "MEMBER"
	// SimplifiedOwnRate names the classes of food and drugs for which the state has a rate of its own.
	SimplifiedOwnRate = "OWN_RATE"
	// SimplifiedLocalOnly names the classes that localities tax and the state does not.
	SimplifiedLocalOnly = "LOCAL_ONLY"
	// SimplifiedFacilitated says where sales through marketplaces are: DEDUCTED from all sales, or OMITTED.
	SimplifiedFacilitated = "FACILITATED"
	// SimplifiedBreakout says whether exemptions are shown by kind: with EACH return, or NEVER.
	SimplifiedBreakout = "BREAKOUT"
	// SimplifiedNumber says which number of the seller the state takes: ONLY_SHARED is the one of the agreement.
	SimplifiedNumber = "NUMBER"
	// SimplifiedPayment is the code of the state for its sales tax in payments: two digits.
	SimplifiedPayment = "PAYMENT"
)

// simplifiedValues are the values of the parts that have a closed set of them.
var simplifiedValues = map[string][]string{
	SimplifiedFacilitated: {"DEDUCTED", "OMITTED"}, SimplifiedBreakout: {"EACH", "NEVER"}, SimplifiedNumber: {"ANY", "ONLY_SHARED"},
}

// AnyState is the state of rules for all states without a rule of their own.
const AnyState = "*"

// SimplifiedRule says how a state wants a part of the shared return, for periods that end on its days.
type SimplifiedRule struct {
	State, Part string
	calendar.Span
	Value      []string
	Source     string
	Confidence Confidence
}

// Has reports whether the value of the rule is or contains a word.
func (r *SimplifiedRule) Has(word string) bool { return slices.Contains(r.Value, word) }

// SimplifiedLine is a line of the shared return. A "*" in its number stands for each of several lines.
type SimplifiedLine struct {
	Line, Name, Rule string
	Source           string
	Confidence       Confidence
}

// SimplifiedReturn is the return that the states of the Streamlined Sales and Use Tax Agreement share. It is as one of them
// wants it, with the codes of its jurisdictions.
type SimplifiedReturn struct {
	Edition string // of the schema, such as "SST2015V01"
	State   string
	Code    string // of the state: two digits
	Rules   []SimplifiedRule
	Lines   []SimplifiedLine
	Codes   JurisdictionCodes
}

// ID names the layout, as a document keeps it.
func (s *SimplifiedReturn) ID() string { return SimplifiedLayout + s.Edition }

// SimplifiedLayout stands before the edition in the name of a layout.
const SimplifiedLayout = "US-SER/"

// Line returns the line of a number; false without one.
func (s *SimplifiedReturn) Line(number string) (SimplifiedLine, bool) {
	i := slices.IndexFunc(s.Lines, func(l SimplifiedLine) bool { return l.Line == number })
	if i < 0 {
		return SimplifiedLine{}, false
	}
	return s.Lines[i], true
}

// Rule returns the rule of a part; one without a value and HIGH if nothing is said.
func (s *SimplifiedReturn) Rule(part string) SimplifiedRule {
	for i := range s.Rules {
		if s.Rules[i].Part == part {
			return s.Rules[i]
		}
	}
	return SimplifiedRule{State: s.State, Part: part, Confidence: ConfidenceHigh}
}

// SimplifiedForm is the form of the shared return among files.
const SimplifiedForm = "SER"

// SimplifiedMediaType is the media type of the shared return.
const SimplifiedMediaType = "text/xml"

// SimplifiedFile describes the shared return of a state for a period that ends on a day, as files are described; an empty
// one for none. Its days are those on which the state takes this edition.
func (c *Content) SimplifiedFile(state string, end calendar.Date) ReturnFile {
	layout, ok := c.SimplifiedReturn(state, end)
	if !ok {
		return ReturnFile{}
	}
	edition, member := layout.Rule(SimplifiedEdition), layout.Rule(SimplifiedMember)
	return ReturnFile{
		ID: layout.ID(), Country: "US", State: state, Form: SimplifiedForm, Name: "Simplified electronic return",
		Edition: layout.Edition, Span: edition.Span.Common(member.Span), MediaType: SimplifiedMediaType, Extension: "xml",
		Source: edition.Source, Confidence: edition.Confidence,
	}
}

// SimplifiedFiles returns the shared return of each state in each of its editions.
func (c *Content) SimplifiedFiles() (files []ReturnFile) {
	var days []calendar.Date // the first days of states and editions
	for i := range c.shared {
		if r := &c.shared[i]; (r.Part == SimplifiedMember || r.Part == SimplifiedEdition) && !slices.Contains(days, r.From) {
			days = append(days, r.From)
		}
	}
	slices.Sort(days)
	for _, day := range days {
		for _, state := range c.SimplifiedStates(day) {
			f := c.SimplifiedFile(state, day)
			if f.ID != "" && !slices.ContainsFunc(files, func(o ReturnFile) bool {
				return o.ID == f.ID && o.State == f.State && o.Span == f.Span
			}) {
				files = append(files, f)
			}
		}
	}
	return files
}

// SimplifiedReturn returns the shared return of a state for a period that ends on a day; false for states that do not
// take it.
func (c *Content) SimplifiedReturn(state string, end calendar.Date) (s SimplifiedReturn, ok bool) {
	s.State = state
	for _, of := range []string{state, AnyState} {
		for _, r := range c.shared {
			if r.State == of && r.Holds(end) && !slices.ContainsFunc(s.Rules, func(o SimplifiedRule) bool { return o.Part == r.Part }) {
				s.Rules = append(s.Rules, r)
			}
		}
	}
	edition, member := s.Rule(SimplifiedEdition), s.Rule(SimplifiedMember)
	if len(edition.Value) == 0 || len(member.Value) == 0 {
		return SimplifiedReturn{}, false
	}
	s.Edition, s.Code, s.Codes = edition.Value[0], member.Value[0], c.jurisdictionCodes(state)
	s.Lines = c.sharedLines[s.Edition]
	return s, true
}

// SimplifiedStates returns the states that take the shared return for a period that ends on a day.
func (c *Content) SimplifiedStates(end calendar.Date) (states []string) {
	for _, r := range c.shared {
		if r.Part == SimplifiedMember && r.Holds(end) {
			states = append(states, r.State)
		}
	}
	slices.Sort(states)
	return states
}

// JurisdictionCodes are the codes of the jurisdictions of a state, as its returns name them.
type JurisdictionCodes struct {
	byName map[typeAndName]jurisdictionCode
}

type typeAndName struct {
	kind JurisdictionType
	name string
}

type jurisdictionCode struct {
	code      string // "" for none
	statewide bool
}

// Of returns the code of a jurisdiction without the digits of the state; "" without one. statewide tells that it is the
// whole state, so that its tax is reported where the sale was.
func (c JurisdictionCodes) Of(kind JurisdictionType, name string) (code string, statewide bool) {
	j := c.byName[typeAndName{kind, name}]
	return j.code, j.statewide
}

func (c *Content) jurisdictionCodes(state string) JurisdictionCodes {
	codes := JurisdictionCodes{map[typeAndName]jurisdictionCode{}}
	whole := c.jurisdictions[c.states[c.usState(state)-1].jurisdiction].Code
	for i := range c.jurisdictions {
		if j := &c.jurisdictions[i]; j.Country == "US" && j.State == state && j.Type != TypeState {
			codes.byName[typeAndName{j.Type, j.Name}] = jurisdictionCode{localCode(j.Type, whole, j.Code), j.statewide}
		}
	}
	return codes
}

// The lengths of the codes of states, counties and places.
const (
	stateDigits  = 2
	countyDigits = 3
	placeDigits  = 5
)

// localCode returns the code of a jurisdiction without the digits of its state; "" if it has none. The codes of special
// districts have no such digits.
func localCode(kind JurisdictionType, stateCode, code string) string {
	if strings.Trim(code, "0123456789") != "" {
		return "" // the id of a jurisdiction without a code
	}
	long := map[JurisdictionType]int{TypeCounty: stateDigits + countyDigits, TypeCity: stateDigits + placeDigits}[kind]
	if local, cut := strings.CutPrefix(code, stateCode); cut && len(code) == long {
		code = local
	}
	if len(code) < countyDigits || len(code) > placeDigits {
		return ""
	}
	return code
}

func (b *builder) addSimplifiedReturns(d content.Data) {
	b.c.sharedLines = map[string][]SimplifiedLine{}
	for _, row := range d.SimplifiedLines {
		l := SimplifiedLine{
			Line: row.Line, Name: row.Name, Rule: row.Rule, Source: row.Source, Confidence: Confidence(row.Confidence),
		}
		switch {
		case row.Edition == "" || l.Line == "" || l.Name == "" || l.Rule == "":
			b.fault(row.At, "no edition, number, name or rule")
		case l.Source == "":
			b.fault(row.At, "no source")
		case slices.ContainsFunc(b.c.sharedLines[row.Edition], func(o SimplifiedLine) bool { return o.Line == l.Line }):
			b.fault(row.At, "a second line %s of %s", l.Line, row.Edition)
		}
		b.c.sharedLines[row.Edition] = append(b.c.sharedLines[row.Edition], l)
	}
	for _, row := range d.SimplifiedRules {
		r := SimplifiedRule{
			State: row.State, Part: row.Part, Span: calendar.Span{From: row.From, To: row.To}, Value: row.Value, Source: row.Source,
			Confidence: Confidence(row.Confidence),
		}
		switch {
		case row.Source == "":
			b.fault(row.At, "no source")
		case row.From == 0:
			b.fault(row.At, "no first day")
		case len(row.Value) == 0:
			b.fault(row.At, "no value")
		case row.State != AnyState && b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		default:
			b.checkSimplifiedPart(&row)
		}
		b.checkSpan(row.At, r.Span)
		for i := range b.c.shared {
			if o := &b.c.shared[i]; o.State == r.State && o.Part == r.Part {
				b.checkApart(row.At, r.Span, o.Span)
			}
		}
		b.c.shared = append(b.c.shared, r)
	}
}

func (b *builder) checkSimplifiedPart(row *content.SimplifiedRuleRow) {
	values, closed := simplifiedValues[row.Part]
	switch row.Part {
	case SimplifiedEdition:
		if len(row.Value) != 1 || len(b.c.sharedLines[row.Value[0]]) == 0 {
			b.fault(row.At, "edition %v has no lines", row.Value)
		}
	case SimplifiedMember:
		if len(row.Value) != 1 || len(row.Value[0]) != stateDigits || row.State == AnyState {
			b.fault(row.At, "a member has a code of two digits")
		}
	case SimplifiedPayment:
		if len(row.Value) != 1 || len(row.Value[0]) != stateDigits {
			b.fault(row.At, "a payment has a code of two digits")
		}
	case SimplifiedOwnRate, SimplifiedLocalOnly:
		b.classSet(row.At, row.Value)
	default:
		if !closed {
			b.fault(row.At, "unknown part %q", row.Part)
		} else if len(row.Value) != 1 || !slices.Contains(values, row.Value[0]) {
			b.fault(row.At, "%s is %v, and may be %v", row.Part, row.Value, values)
		}
	}
}
