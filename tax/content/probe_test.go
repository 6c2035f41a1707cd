package content

import (
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"levy/tax"
)

func TestProbe(t *testing.T) {
	c, err := Load()
	if err != nil { t.Fatal(err) }
	for _, x := range []struct{ city, st, zip, class, amt, qty, date string }{
		{"New York","NY","10118","CLOTHING","109.99","1","2026-05-15"},
		{"New York","NY","10118","CLOTHING","110","1","2026-05-15"},
		{"New York","NY","10118","CLOTHING","219.98","2","2026-05-15"},
		{"Albany","NY","12207","CLOTHING","109.99","1","2026-05-15"},
		{"Tarrytown","NY","10591","CLOTHING","109.99","1","2026-05-15"},
		{"Norwich","NY","13815","CLOTHING","100","1","2026-05-15"},
		{"Greene","NY","13778","CLOTHING","100","1","2026-05-15"},
		{"Boston","MA","02108","CLOTHING","275","1","2026-05-15"},
		{"Boston","MA","02108","CLOTHING","175","1","2026-05-15"},
		{"Providence","RI","02903","CLOTHING","350","1","2026-05-15"},
		{"Hartford","CT","06103","CLOTHING","1000.01","1","2026-05-15"},
		{"Hartford","CT","06103","CLOTHING","1000","1","2026-05-15"},
		{"Philadelphia","PA","19103","CLOTHING","100","1","2026-05-15"},
		{"Houston","TX","77002","PHYSICAL","100","1","2026-05-15"},
		{"Houston","TX","77002","SAAS","100","1","2026-05-15"},
		{"Houston","TX","77002","CLOTHING","99.99","1","2026-08-07"},
		{"Miami","FL","33101","PHYSICAL","6000","1","2026-05-15"},
		{"Miami","FL","33101","PHYSICAL","6000","2","2026-05-15"},
		{"Nashville","TN","37203","PHYSICAL","2000","1","2026-05-15"},
		{"Portland","OR","97201","PHYSICAL","2000","1","2026-05-15"},
		{"Anchorage","AK","99501","PHYSICAL","100","1","2026-05-15"},
		{"Juneau","AK","99801","PHYSICAL","100","1","2026-05-15"},
		{"Richmond","VA","23219","FOOD","100","1","2026-05-15"},
		{"Charlotte","NC","28202","FOOD","100","1","2026-05-15"},
		{"Salt Lake City","UT","84101","FOOD","100","1","2026-05-15"},
		{"","UT","","FOOD","100","1","2026-05-15"},
		{"Wichita","KS","67202","FOOD","100","1","2026-05-15"},
		{"San Francisco","CA","94105","PHYSICAL","100","1","2026-05-15"},
		{"Amityville","NY","11701","PHYSICAL","100","1","2025-02-28"},
		{"Amityville","NY","11701","PHYSICAL","100","1","2025-03-01"},
		{"Chicago","IL","60601","DRUGS_RX","100","1","2026-05-15"},
		{"Chicago","IL","60601","FOOD","100","1","2026-05-15"},
		{"Atlanta","GA","30303","FOOD","100","1","2026-05-15"},
		{"Houston","TX","77002","SHIPPING","100","1","2026-05-15"},
		{"Houston","TX","77002","BOOK","0","1","2026-05-15"},
		{"New Orleans","LA","70112","FOOD","100","1","2026-05-15"},
		{"San Juan","PR","00901","PHYSICAL","100","1","2026-05-15"},
		{"Washington","DC","20001","PREPARED_FOOD","100","1","2026-05-15"},
		{"Honolulu","HI","96813","PHYSICAL","100","1","2026-05-15"},
		{"Houston","TX","77002","PHYSICAL","100","1","1950-01-01"},
		{"St Cloud","MN","56301","PHYSICAL","100","1","2026-01-01"},
	} {
		p := c.Resolve(tax.Address{City: x.city, State: x.st, PostalCode: x.zip, Country: "US"})
		r, err := c.Calculate(tax.Request{TaxDate: tax.MustDate(x.date), Destination: p, Lines: []tax.Line{{Class: tax.TaxClass(x.class), Amount: decimal.MustParse(x.amt), Quantity: decimal.MustParse(x.qty)}}})
		if err != nil { fmt.Println(x, err); continue }
		l := r.Lines[0]
		fmt.Println(x, p.Status, p.Ambiguous, p.Completeness, "=>", l.Tax, "on", l.TaxableAmount, l.Rate, l.Exempt, l.TaxExemption, r.Confidence)
		for _, i := range l.TaxItems { fmt.Println("     ", i.RuleID, "|", i.Name, i.Rate, i.TaxableAmount, i.Amount, i.Reason, i.Exempt) }
	}
}
