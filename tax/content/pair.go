package content

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Pair is what a boundary file is compared with: the rate file of the same quarter and the content.
type Pair struct {
	Of    FeedName // of the rate file
	Rates []RateRecord
	Known Codes // of the state in the content
	ZIPs  []int // of the state in the content
}

// Codes are jurisdictions as rate and boundary files name them: "63:80004", the type and the code.
type Codes map[string]bool

// CodesOf returns the jurisdictions of a state.
func (t Tables) CodesOf(state string) (Codes, error) {
	s, err := t.sheet("jurisdictions.csv")
	if err != nil {
		return nil, err
	}
	codes := Codes{}
	for _, row := range s.rows {
		r := JurisdictionRow{CodeSystem: s.get(row, "code_system"), Code: s.get(row, "fips_or_code")}
		if kind, code := r.Boundary(); kind != "" && s.get(row, "state") == state {
			codes[kind+":"+code] = true
		}
	}
	return codes, nil
}

// codeOf is the key of a jurisdiction; all types of municipalities have one.
func codeOf(kind, code string) string {
	if PlaceType(kind) {
		kind = BoundaryPlace
	}
	return kind + ":" + code
}

func (c Codes) has(key string) bool {
	_, code, _ := strings.Cut(key, ":")
	return c[key] || c[AnyDistrict+":"+code]
}

// isDistrict reports whether a key is of neither a state, a county nor a municipality. Districts are named also where
// they levy no tax.
func isDistrict(key string) bool {
	kind, _, _ := strings.Cut(key, ":")
	return kind != BoundaryState && kind != BoundaryCounty && !PlaceType(kind)
}

// SamePair makes sure that both files are of one state and quarter. Errors: *RefusedError.
func SamePair(rates, boundaries FeedName, rateFile, boundaryFile string) error {
	var refused RefusedError
	if rates.State != boundaries.State || rates.Year != boundaries.Year || rates.Quarter != boundaries.Quarter {
		refused.add(Fault{RowRef{File: boundaryFile, Line: 1}, "half a pair: " + rateFile + " is of another state or quarter"})
	}
	return refused.err()
}

// Check reads a boundary file whole and returns how many records it has. It finds districts without a rate, new
// jurisdictions with a rate to which no record leads, and ZIPs without a record. Errors:
// *RefusedError.
func (p Pair) Check(b *BoundaryReader) (records int, err error) {
	var refused RefusedError
	found := map[string]int{} // sets of jurisdictions, by their first line
	var covered [100_000]bool
	for {
		r, err := b.Next()
		var fault Fault
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.As(err, &fault) {
			refused.add(fault)
			if fault.Text == errLongLine.Error() {
				return records, refused.err()
			}
			continue
		}
		if err != nil {
			return records, err
		}
		records++
		if _, ok := found[string(r.Codes)]; !ok {
			found[string(r.Codes)] = b.lines.line
		}
		low, high := r.ZIPLow, r.ZIPHigh
		if r.Type == 'A' {
			low, _ = digits([]byte(r.ZIP), 5) // digits by its form
			high = low
		}
		for zip := low; zip <= high; zip++ {
			covered[zip] = true
		}
	}
	if records == 0 && refused.Total == 0 {
		refused.add(Fault{RowRef{File: b.lines.file, Line: 1}, "the file is empty"})
		return 0, refused.err()
	}
	p.checkCodes(b.lines.file, found, &refused)
	for _, zip := range p.ZIPs {
		// guard: content: a boundary file leaves no ZIP of the state without a place
		if !covered[zip] {
			refused.add(Fault{b.lines.at(0), fmt.Sprintf("the file ends, and ZIP %05d has no place", zip)})
		}
	}
	return records, refused.err()
}

// CheckSets is Check for a boundary file that was loaded before, of which only the sets of jurisdictions are read.
func (p Pair) CheckSets(file string, sets []string) error {
	var refused RefusedError
	found := map[string]int{}
	for _, set := range sets {
		found[set] = 1
	}
	p.checkCodes(file, found, &refused)
	return refused.err()
}

func (p Pair) checkCodes(file string, found map[string]int, refused *RefusedError) {
	rated := Codes{}
	for _, r := range p.Rates {
		rated[codeOf(r.Type, r.Code)] = true
	}
	led, told := Codes{}, Codes{}
	for _, set := range slices.SortedFunc(maps.Keys(found), func(a, b string) int { return found[a] - found[b] }) {
		for key := range strings.SplitSeq(set, "|") {
			kind, code, _ := strings.Cut(key, ":")
			key = codeOf(kind, code)
			led[key] = true
			// guard: content: a boundary file names no unknown district
			if isDistrict(key) && !rated[key] && !p.Known.has(key) && !told[key] {
				told[key] = true
				refused.add(Fault{RowRef{File: file, Line: found[set]}, fmt.Sprintf(
					"the jurisdiction %s of type %s is unknown: neither the rate file nor the content has it", code, kind)})
			}
		}
	}
	first := p.Of.First()
	for _, r := range p.Rates {
		key := codeOf(r.Type, r.Code)
		inForce := r.To == 0 || r.To >= first
		if inForce && r.Type != BoundaryState && !r.General.IsZero() && !led[key] && !p.Known.has(key) && !told[key] {
			told[key] = true
			refused.add(Fault{r.At, fmt.Sprintf(
				"the jurisdiction %s of type %s is unknown: no record of the boundary file leads to it", r.Code, r.Type)})
		}
	}
}
