package report

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Source reads a report: first its head, then its transactions in id order. The arguments of the two functions are
// valid until they return.
type Source func(head func(*Head) error, each func(*Transaction) error) error

// Compare returns the differences of two reports. It has one transaction of each in memory. Errors:
// those of the sources.
func Compare(stated, found Source) (*Result, error) {
	a, b := pull(stated), pull(found)
	defer a.stop()
	defer b.stop()
	v := &Result{}
	s, more := a.next()
	f, others := b.next()
	if err := v.compareHeads(a.head, b.head); err != nil {
		return nil, err
	}
	for more || others {
		v.Transactions++
		switch {
		case !others || more && s.ID < f.ID:
			v.Add(Difference{"transaction " + s.ID, s.ExternalID, "nothing"})
			s, more = a.next()
		case !more || f.ID < s.ID:
			v.Add(Difference{"transaction " + f.ID, "nothing", f.ExternalID})
			f, others = b.next()
		default:
			v.compareTransactions(&s, &f)
			s, more = a.next()
			f, others = b.next()
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	return v, b.err
}

func (v *Result) compareTransactions(s, f *Transaction) {
	where := func(what string) string { return "transaction " + s.ID + " " + what }
	v.Compare(where("external_id"), s.ExternalID, f.ExternalID)
	v.Compare(where("type"), s.Type, f.Type)
	v.Compare(where("tax_date"), s.TaxDate.Format(time.DateOnly), f.TaxDate.Format(time.DateOnly))
	v.Compare(where("marketplace"), strconv.FormatBool(s.Marketplace), strconv.FormatBool(f.Marketplace))
	v.Compare(where("exempt"), s.Exempt, f.Exempt)
	v.Compare(where("net_amount"), s.NetAmount, f.NetAmount)
	v.Compare(where("taxable_amount"), s.TaxableAmount, f.TaxableAmount)
	v.Compare(where("tax_calculated"), s.TaxCalculated, f.TaxCalculated)
	v.Compare(where("tax_collected"), s.TaxCollected, f.TaxCollected)
	v.Compare(where("tax_liability"), s.TaxLiability, f.TaxLiability)
}

// compareHeads compares member by member, and the members of its objects one by one.
func (v *Result) compareHeads(stated, found *Head) error {
	if stated == nil || found == nil {
		return nil // the source has returned the error
	}
	for _, part := range []struct {
		where         string
		stated, found any
	}{
		{"", stated, found}, {"filing.", &stated.Filing, &found.Filing}, {"totals.", &stated.Totals, &found.Totals},
	} {
		s, err := membersOf(part.stated)
		if err != nil {
			return err
		}
		f, err := membersOf(part.found)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if part.where != "" || name != "filing" && name != "totals" { // these are compared member by member
				v.Compare(part.where+name, string(s[name]), string(f[name]))
			}
		}
	}
	return nil
}

func membersOf(value any) (map[string]jsontext.Value, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var all map[string]jsontext.Value
	return all, json.Unmarshal(text, &all)
}

// pulled is a report whose transactions the caller pulls one by one.
type pulled struct {
	head *Head
	next func() (Transaction, bool)
	stop func()
	err  error
}

// errEnough ends a source whose remaining transactions are not needed.
var errEnough = errors.New("enough")

func pull(from Source) *pulled {
	p := &pulled{}
	p.next, p.stop = iter.Pull(func(yield func(Transaction) bool) {
		err := from(func(h *Head) error {
			head := *h
			p.head = &head
			return nil
		}, func(t *Transaction) error {
			if !yield(*t) {
				return errEnough
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			p.err = err
		}
	})
	return p
}
