package filings

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// lineOf is the line that an entry names if the form takes it there.
func (r *recomputation) lineOf(e record) string {
	for _, row := range r.form {
		if row["line"] != e["line"] {
			continue
		}
		name, args := callOf(row["formula"])
		purchases := among("bought", args...) || among("both", args...)
		takes := among(name, "open", "unsplit", "entries", "payments", "penalties") || name == "sum" && purchases
		if !takes || purchases && !purchaseKind(e) || among("base", args...) && number(e["taxable"]).Sign() == 0 {
			return ""
		}
		return e["line"]
	}
	return ""
}

// wants reports whether the line that an entry names adds purchases up.
func (r *recomputation) wants(line string) bool {
	for _, row := range r.form {
		if _, args := callOf(row["formula"]); row["line"] == line {
			return among("bought", args...) || among("both", args...)
		}
	}
	return false
}

// buy adds a row for each purchase, unless it names a line of other entries.
func (r *recomputation) buy() {
	for n, e := range r.entries {
		if line := r.lineOf(e); !purchaseKind(e) || line != "" && !r.wants(line) {
			continue
		}
		x := record{
			"channel": "BOUGHT", "level": e["level"], "jurisdiction": e["jurisdiction"], "gross": "0", "taxable": e["taxable"],
			"tax": e["amount"], "owed": e["amount"], "entry": strconv.Itoa(n),
		}
		if x["jurisdiction"] == "" {
			x["level"], x["jurisdiction"] = "COUNTRY", r.filing["state"]
			if r.filing["state"] != r.filing["country"] {
				x["level"] = "STATE"
			}
		}
		r.rows = append(r.rows, x)
	}
}

// amount is an amount of a row by the word of the forms.
func (r *recomputation) amount(word string, x record) *big.Rat {
	gross, taxable, tax := number(x["gross"]), number(x["taxable"]), number(x["tax"])
	rest := differenceOf(gross, taxable)
	if x["category"] == "ADDITIONAL" { // a further tax on sales of another row
		rest = new(big.Rat)
	}
	switch word {
	case "gross", "taxable", "tax", "owed":
		return number(x[word])
	case "excess":
		return differenceOf(number(x["owed"]), tax)
	case "untaxed":
		return rest
	case "refunded":
		return negative(gross)
	case "receipts":
		return added(gross, tax)
	case "deducted":
		if r.top(x) {
			return added(rest, tax)
		}
		return tax
	case "exempted":
		if x["channel"] == "MARKETPLACE" {
			return gross
		}
		return rest
	case "exceeding":
		if r.top(x) {
			return taxable
		}
		return negative(taxable)
	}
	panic("unknown amount " + word)
}

// holds reports whether a row fulfils a condition.
func (r *recomputation) holds(word string, x record) bool {
	own, bought := x["channel"] == "OWN", x["channel"] == "BOUGHT"
	switch word {
	case "top":
		return r.top(x)
	case "local":
		return !r.top(x)
	case "own":
		return own
	case "bought":
		return bought
	case "both":
		return own || bought
	case "marketplace":
		return x["channel"] == "MARKETPLACE"
	case "unobliged":
		return x["channel"] == "NO_OBLIGATION"
	case "reported":
		return own || x["channel"] == "MARKETPLACE"
	case "refund":
		return x["sign"] == "REFUND"
	case "place_taxed":
		return r.taxedBelow(x["place"])
	case "place_free":
		return !r.taxedBelow(x["place"])
	case "other_county":
		return r.otherCounty(x)
	}
	column, list, _ := strings.Cut(word, "=")
	column, not := strings.CutSuffix(column, "!")
	switch column {
	case "place":
		return among(list, strings.Split(x["place"], ", ")...) || bought && x["jurisdiction"] == list
	case "name":
		column = "jurisdiction"
	case "class", "category", "level", "rate":
	default:
		panic("unknown condition " + word)
	}
	return listed(list, x[column]) != not
}

// taxedBelow reports whether a jurisdiction below the authority has a base of own sales in a place.
func (r *recomputation) taxedBelow(place string) bool {
	return slices.ContainsFunc(r.rows, func(x record) bool {
		return x["place"] == place && x["channel"] == "OWN" && !r.top(x) && number(x["taxable"]).Sign() != 0
	})
}

// otherCounty reports whether a row is of another county than the certificate, at another rate.
func (r *recomputation) otherCounty(x record) bool {
	home := r.filing["county"]
	return home != "" && x["jurisdiction"] != home && !slices.ContainsFunc(r.rows, func(y record) bool {
		return y["jurisdiction"] == home && !r.top(y) && y["rate"] == x["rate"]
	})
}

// all reports whether a row fulfils all conditions.
func (r *recomputation) all(words []string, x record) bool {
	for _, word := range words {
		if word != "at" && !r.holds(word, x) {
			return false
		}
	}
	return true
}

// times is how often an amount of a row is in a part: -1 if it is taken off.
func (p *share) times(word string, row int) int {
	of := p.sales
	switch word {
	case "tax", "owed":
		of = p.taxes
	case "taxable":
		if slices.Contains(p.less, row) {
			return -1
		}
		of = p.bases
	}
	if slices.Contains(of, row) {
		return 1
	}
	return 0
}

// sum adds up an amount of rows.
func (r *recomputation) sum(c *cell, word string, words []string) *big.Rat {
	sum := new(big.Rat)
	for n, x := range r.rows {
		times := 1
		if among("at", words...) {
			times = c.part.times(word, n)
		}
		if a := r.amount(word, x); times != 0 && r.all(words, x) && a.Sign() != 0 {
			sum.Add(sum, product(a, new(big.Rat).SetInt64(int64(times))))
			c.from = append(c.from, n)
		}
	}
	return sum
}

// total adds up lines: of the same part, or all of their parts.
func (r *recomputation) total(c *cell, lines ...string) *big.Rat {
	sum := new(big.Rat)
	for _, arg := range lines {
		line, off := strings.CutPrefix(strings.TrimPrefix(arg, "<="), "-")
		line = strings.TrimPrefix(line, "#")
		amount := added(r.values[line]...)
		if c.part != nil && r.parted[line] {
			amount = r.values[line][c.n]
		}
		if off {
			amount = negative(amount)
		}
		sum.Add(sum, amount)
	}
	return sum
}

// of computes what a formula says.
func (r *recomputation) of(c *cell) *big.Rat {
	word, args := callOf(c.row["formula"])
	c.args = args
	var kinds []string
	ceiling := ""
	for _, arg := range args {
		if strings.HasPrefix(arg, "<=") {
			ceiling = arg
		} else {
			kinds = append(kinds, arg)
		}
	}
	limit := func(amount *big.Rat) *big.Rat {
		if ceiling == "" {
			return amount
		}
		return smaller(amount, larger(r.total(c, ceiling), new(big.Rat)))
	}
	switch word {
	case "sum":
		return r.sum(c, args[0], args[1:])
	case "add":
		return r.total(c, args...)
	case "share":
		rate := args[len(args)-1]
		if rate == "at" {
			if rate = c.part.rate; rate == "" {
				return r.sum(c, "tax", []string{"at"})
			}
		}
		return c.rounded(product(r.total(c, args[:len(args)-1]...), number(rate)))
	case "greater":
		return larger(r.sum(c, "owed", args[2:]), inCents(product(r.total(c, args[0]), number(args[1]))))
	case "above":
		return larger(r.total(c, args...), new(big.Rat))
	case "below":
		return larger(negative(r.total(c, args...)), new(big.Rat))
	case "open":
		return r.entered(c, func(record) bool { return false })
	case "entries", "unsplit":
		sum := r.entered(c, func(e record) bool {
			local := e["jurisdiction"] != "" && !r.top(e)
			return among(e["kind"], kinds...) && (!local || !among("top", kinds...)) && (local || !among("local", kinds...))
		})
		if among("collected", kinds...) {
			sum = added(sum, larger(r.sum(c, "excess", []string{"own"}), new(big.Rat)))
		}
		return limit(sum)
	case "payments":
		paid := r.entered(c, func(e record) bool { return among(e["kind"], "PRIOR_PAYMENT", "CREDIT") })
		return limit(added(paid, number(r.filing["prepaid"]), number(r.filing["credit"])))
	case "penalties":
		sum := number(r.filing["penalties"])
		for _, e := range r.entries {
			line := r.lineOf(e)
			if penalKind(e) && line != c.number && (line != "" || among(e["kind"], args...)) {
				sum = differenceOf(sum, number(e["amount"]))
			}
		}
		return sum
	case "filing":
		sum := new(big.Rat)
		for _, arg := range args {
			sum.Add(sum, number(r.filing[arg]))
		}
		return sum
	case "entry":
		e := r.entries[c.n]
		if args[0] == "base" {
			c.absent = number(e["taxable"]).Sign() == 0
			return number(e["taxable"])
		}
		if among(e["kind"], "PRIOR_PAYMENT", "CREDIT", "BAD_DEBT", "INPUT_TAX") {
			return negative(number(e["amount"]))
		}
		return number(e["amount"])
	case "allowance":
		return r.allowance(c)
	case "proposal":
		words := []string{"own"}
		if r.discount != nil && r.discount.stateAlone {
			words = append(words, "top")
		}
		whole := r.sum(c, "owed", words)
		c.from = nil
		return r.discount.of(c, whole)
	}
	panic("unknown formula " + word)
}

// entered adds up entries of a line.
func (r *recomputation) entered(c *cell, kind func(record) bool) *big.Rat {
	sum := new(big.Rat)
	for _, e := range r.entries {
		if line := r.lineOf(e); line == c.number || line == "" && kind(e) {
			sum.Add(sum, number(e[map[bool]string{true: "taxable", false: "amount"}[among("base", c.args...)]]))
		}
	}
	return sum
}
