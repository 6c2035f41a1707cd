package tax

import (
	"cmp"
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
)

// ReturnFile is an edition of the file that an authority takes, for periods that end on its days. Codes are those that its
// form has for places, as of the end of the period.
type ReturnFile struct {
	ID                  string // such as "US-WA-E-FILE/1.0"
	Country, State      string
	Form, Name, Edition string
	Frequency           string // of the returns that it is for; "" for all
	calendar.Span
	MediaType, Extension string
	Source               string
	Confidence           Confidence
	Codes                []ReturnCode
}

// ReturnCode is the code that a form has for a place. Place has the names of its jurisdictions below the state, separated
// by a comma and a blank.
type ReturnCode struct {
	Form, State, Place, Code string
	calendar.Span
	Source     string
	Confidence Confidence
}

// ReturnFile returns the file that an authority takes for returns of a frequency whose period ends on a day, with its
// codes. A file for this frequency alone comes before one for all.
func (c *Content) ReturnFile(country, state, frequency string, end calendar.Date) (f ReturnFile, ok bool) {
	for i := range c.files {
		x := &c.files[i]
		if x.Country != country || x.State != state || !x.Holds(end) || x.Frequency != "" && x.Frequency != frequency {
			continue
		}
		if !ok || f.Frequency == "" {
			f, ok = *x, true
		}
	}
	for i := range c.codes {
		if x := &c.codes[i]; ok && x.Form == f.Form && x.State == f.State && x.Holds(end) {
			f.Codes = append(f.Codes, *x)
		}
	}
	return f, ok
}

// HasReturnFile reports whether an authority takes a file for some return whose period ends on a day. The one-stop shop
// does if some member does.
func (c *Content) HasReturnFile(country, state string, end calendar.Date) bool {
	shop := country == nexus.EuropeanUnion
	return slices.ContainsFunc(c.files, func(f ReturnFile) bool {
		return (f.Country == country && f.State == state || shop && f.State == ShopState) && f.Holds(end) && f.Given()
	})
}

// ReturnFiles returns all files that authorities take, without their codes.
func (c *Content) ReturnFiles() []ReturnFile { return slices.Clone(c.files) }

// Given reports whether Levy gives the file, because a description of its bytes was read.
func (f *ReturnFile) Given() bool { return levelOf(f.Confidence) != levelLow }

// Code returns the code of a place; false if the content has none. A code that was not read counts as none.
func (f *ReturnFile) Code(place string) (string, bool) {
	i := slices.IndexFunc(f.Codes, func(x ReturnCode) bool { return x.Place == place && levelOf(x.Confidence) != levelLow })
	if i < 0 {
		return "", false
	}
	return f.Codes[i].Code, true
}

func (b *builder) addReturnFiles(rows []content.ReturnFileRow, codes []content.ReturnCodeRow) {
	for _, row := range rows {
		f := ReturnFile{
			ID: row.ID, Country: row.Country, State: row.State, Form: row.Form, Frequency: row.Frequency, Name: row.Name,
			Edition: row.Edition, Span: calendar.Span{From: row.From, To: row.To}, MediaType: row.MediaType,
			Extension: row.Extension, Source: row.Source, Confidence: Confidence(row.Confidence),
		}
		switch {
		case f.ID == "" || f.Form == "" || f.Name == "" || f.Edition == "":
			b.fault(row.At, "no id, form, name or edition")
		case f.Source == "":
			b.fault(row.At, "no source")
		case row.From == 0:
			b.fault(row.At, "no first day")
		case !strings.Contains(f.MediaType, "/") || f.Extension == "":
			b.fault(row.At, "media type %q, extension %q", f.MediaType, f.Extension)
		case b.c.countries[row.Country] == "":
			b.fault(row.At, "unknown country %q", row.Country)
		case row.Country == "US" && b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		}
		b.checkSpan(row.At, f.Span)
		for i := range b.c.files {
			o := &b.c.files[i]
			if o.ID == f.ID {
				b.fault(row.At, "a second file %s", f.ID)
			}
			if o.Country == f.Country && o.State == f.State && o.Frequency == f.Frequency {
				b.checkApart(row.At, f.Span, o.Span)
			}
		}
		b.c.files = append(b.c.files, f)
	}
	slices.SortFunc(b.c.files, func(x, y ReturnFile) int { return cmp.Compare(x.ID, y.ID) })
	b.addReturnCodes(codes)
}

func (b *builder) addReturnCodes(rows []content.ReturnCodeRow) {
	known := map[[2]string]bool{}
	for i := range b.c.jurisdictions {
		known[[2]string{b.c.jurisdictions[i].State, b.c.jurisdictions[i].Name}] = true
	}
	for _, row := range rows {
		x := ReturnCode{
			Form: row.Form, State: row.State, Place: row.Place, Code: row.Code,
			Span: calendar.Span{From: row.From, To: row.To}, Source: row.Source, Confidence: Confidence(row.Confidence),
		}
		switch {
		case x.Place == "" || x.Code == "":
			b.fault(row.At, "no place or code")
		case x.Source == "":
			b.fault(row.At, "no source")
		case row.From == 0:
			b.fault(row.At, "no first day")
		case !slices.ContainsFunc(b.c.files, func(f ReturnFile) bool { return f.Form == x.Form && f.State == x.State }):
			b.fault(row.At, "no file of form %q in %q", x.Form, x.State)
		}
		for name := range strings.SplitSeq(x.Place, ", ") {
			if !known[[2]string{x.State, name}] {
				b.fault(row.At, "no jurisdiction %q in %q", name, x.State)
			}
		}
		b.checkSpan(row.At, x.Span)
		for i := range b.c.codes {
			if o := &b.c.codes[i]; o.Form == x.Form && o.State == x.State && o.Place == x.Place {
				b.checkApart(row.At, x.Span, o.Span)
			}
		}
		b.c.codes = append(b.c.codes, x)
	}
}
