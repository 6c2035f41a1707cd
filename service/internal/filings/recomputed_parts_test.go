package filings

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// share is one of the parts of a line with a star.
type share struct {
	number, rate              string
	sales, bases, less, taxes []int
}

// parts are the parts of a line with a star.
func (r *recomputation) parts(each string) (parts []share) {
	word, args := callOf(each)
	var rows []int
	for n, x := range r.rows {
		if r.all(args, x) {
			rows = append(rows, n)
		}
	}
	switch word {
	case "jurisdictions":
		parts = r.jurisdictions(rows)
	case "places", "all_places":
		parts = r.places(rows, word == "all_places")
	case "reasons":
		parts = r.reasons(rows)
	case "entered":
		parts = make([]share, len(r.entries))
	default:
		panic("unknown parts " + word)
	}
	for n := range parts {
		if parts[n].number == "" {
			parts[n].number = strconv.Itoa(n + 1)
		}
	}
	return parts
}

func taxed(x record) bool {
	return number(x["taxable"]).Sign() != 0 || number(x["tax"]).Sign() != 0 || number(x["owed"]).Sign() != 0
}

// jurisdictions makes a part of each jurisdiction at each rate. A purchase is of the rate that came last.
func (r *recomputation) jurisdictions(rows []int) (parts []share) {
	at, last := map[string]int{}, map[string]int{}
	for _, n := range rows {
		x := r.rows[n]
		if !taxed(x) {
			continue
		}
		name := x["level"] + "|" + x["jurisdiction"]
		i, known := at[name+"|"+x["rate"]]
		if x["channel"] == "BOUGHT" {
			i, known = last[name]
		}
		if !known {
			i, parts = len(parts), append(parts, share{rate: x["rate"]})
			at[name+"|"+x["rate"]] = i
		}
		last[name] = i
		p := &parts[i]
		p.sales, p.bases, p.taxes = append(p.sales, n), append(p.bases, n), append(p.taxes, n)
	}
	return parts
}

// reasons makes a part of each reason why sales are not taxed.
func (r *recomputation) reasons(rows []int) (parts []share) {
	of := map[string][]int{}
	var names []string
	for _, n := range rows {
		x := r.rows[n]
		if x["category"] == "ADDITIONAL" || number(x["gross"]).Cmp(number(x["taxable"])) == 0 {
			continue
		}
		if of[x["category"]] == nil {
			names = append(names, x["category"])
		}
		of[x["category"]] = append(of[x["category"]], n)
	}
	slices.Sort(names)
	for _, name := range names {
		p := share{number: name, sales: of[name]}
		if name == "" {
			p.number = "OTHER"
		}
		parts = append(parts, p)
	}
	return parts
}

// group divides rows by a text, in the order in which the texts come.
func (r *recomputation) group(rows []int, by func(record) string) (groups [][]int) {
	at := map[string]int{}
	for _, n := range rows {
		text := by(r.rows[n])
		i, known := at[text]
		if !known {
			i, groups = len(groups), append(groups, nil)
			at[text] = i
		}
		groups[i] = append(groups[i], n)
	}
	return groups
}

// places makes a part of each place at each combined rate. Jurisdictions of a class with several rates, or with bases
// that differ and do not hold each other, have a part each.
func (r *recomputation) places(rows []int, empty bool) (parts []share) {
	sold, bought := []int{}, []int{}
	for _, n := range rows {
		switch x := r.rows[n]; {
		case x["channel"] != "BOUGHT":
			sold = append(sold, n)
		case !r.top(x):
			bought = append(bought, n)
		}
	}
	var homes, alone []string // of each part its place, and the jurisdiction that stands alone there
	for _, place := range r.group(sold, func(x record) string { return x["place"] }) {
		for _, p := range r.placed(place, empty) {
			homes, alone = append(homes, r.rows[place[0]]["place"]), append(alone, p.number)
			p.number = ""
			parts = append(parts, p)
		}
	}
	sales := len(parts)
	for _, n := range bought {
		name := r.rows[n]["jurisdiction"]
		i := -1
		for n, home := range homes[:sales] {
			if i < 0 && among(name, strings.Split(home, ", ")...) && among(alone[n], "", name) {
				i = n
			}
		}
		if i < 0 {
			if i = slices.Index(homes[sales:], name); i >= 0 {
				i += sales
			}
		}
		if i < 0 {
			i, parts, homes = len(parts), append(parts, share{}), append(homes, name)
		}
		parts[i].bases, parts[i].taxes = append(parts[i].bases, n), append(parts[i].taxes, n)
	}
	return parts
}

// placed makes the parts of one place. A part whose jurisdiction stands alone has its name as number.
func (r *recomputation) placed(rows []int, empty bool) (parts []share) {
	part := func(name, rate string) *share {
		i := slices.IndexFunc(parts, func(p share) bool { return p.number == name && p.rate == rate })
		if i < 0 {
			i, parts = len(parts), append(parts, share{number: name, rate: rate})
		}
		return &parts[i]
	}
	tops := func(rows []int) (found []int) {
		for _, n := range rows {
			if r.top(r.rows[n]) {
				found = append(found, n)
			}
		}
		return found
	}
	var free []int
	for _, class := range r.group(rows, func(x record) string { return x["class"] }) {
		var bearing []int
		for _, n := range class {
			if taxed(r.rows[n]) {
				bearing = append(bearing, n)
			}
		}
		taxers := r.group(bearing, func(x record) string { return taxOfOne(x) + "|" + x["rate"] })
		if len(taxers) == 0 {
			free = append(free, class...)
			continue
		}
		for i, l := range r.layers(class, bearing, taxers) {
			p := part(l.alone, l.rate)
			p.bases, p.less, p.taxes = append(p.bases, l.bases...), append(p.less, l.less...), append(p.taxes, l.taxes...)
			if i == 0 {
				p.sales = append(p.sales, tops(class)...)
			}
		}
	}
	if len(free) > 0 && len(parts) == 0 && empty {
		part("", "0")
	}
	if len(free) > 0 && len(parts) > 0 {
		parts[0].sales = append(parts[0].sales, tops(free)...)
	}
	return parts
}

// taxOfOne names a tax of a jurisdiction: its tax, or a further one on what it taxes.
func taxOfOne(x record) string {
	return x["level"] + "|" + x["jurisdiction"] + "|" + strconv.FormatBool(x["category"] == "ADDITIONAL")
}

// sheet is a base of a place with its rate: of one jurisdiction alone, or of all those that tax it.
type sheet struct {
	alone, rate        string
	bases, less, taxes []int
}

// layers divides what jurisdictions tax of a class in a place, so that no sale is in two bases. Where that is not possible, each has
// a base of its own.
func (r *recomputation) layers(class, rows []int, taxers [][]int) (sheets []sheet) {
	sum := func(rows []int, column string) *big.Rat {
		sum := new(big.Rat)
		for _, n := range rows {
			sum.Add(sum, number(r.rows[n][column]))
		}
		return sum
	}
	whole, split := new(big.Rat), false
	for _, n := range class {
		switch x := r.rows[n]; {
		case !r.top(x):
		case x["category"] == "PARTIAL":
			split = true
		case among(x["category"], "NOT_TAXABLE", "ZERO_RATE", "THRESHOLD", "TAX_HOLIDAY", "NO_RULE"):
			whole = added(whole, number(x["gross"]))
		default:
			whole = added(whole, number(x["taxable"]))
		}
	}
	var wide, narrow [][]int
	rates := map[bool]*big.Rat{false: new(big.Rat), true: new(big.Rat)} // of all, and of the wide ones
	sure := len(r.group(rows, taxOfOne)) == len(taxers)
	for _, of := range taxers {
		rate, base := number(r.rows[of[0]]["rate"]), sum(of, "taxable")
		rates[false] = added(rates[false], rate)
		if !split && whole.Sign() != 0 && base.Cmp(whole) == 0 {
			wide, rates[true] = append(wide, of), added(rates[true], rate)
			continue
		}
		narrow = append(narrow, of)
		sure = sure && base.Cmp(sum(narrow[0], "taxable")) == 0
	}
	switch {
	case !sure:
		for _, of := range taxers {
			x := r.rows[of[0]]
			sheets = append(sheets, sheet{alone: x["jurisdiction"], rate: x["rate"], bases: of, taxes: of})
		}
	case len(wide) == 0 || len(narrow) == 0:
		sheets = []sheet{{rate: rates[false].RatString(), bases: taxers[0], taxes: class}}
	default:
		sheets = []sheet{
			{rate: rates[false].RatString(), bases: narrow[0], taxes: class},
			{rate: rates[true].RatString(), bases: wide[0], less: narrow[0]},
		}
	}
	return sheets
}
