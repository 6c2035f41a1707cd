package filings

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program of this file computes the lines of returns a second time. It reads the figures from the file that people
// get, and the forms from the rows of the content. It shares no code with package returns, and has an arithmetic of its own.

// record is a row of a CSV file by the names of its columns.
type record map[string]string

// records reads a CSV file.
func records(t *testing.T, file []byte) (found []record) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		x := record{}
		for n, column := range rows[0] {
			x[column] = row[n]
		}
		found = append(found, x)
	}
	return found
}

// formOf reads the lines of a layout from the content.
func formOf(t *testing.T, layout string) (lines []record) {
	t.Helper()
	of := func(table string) (rows []record) {
		file, err := os.ReadFile("../../../tax/content/data/" + table)
		require.NoError(t, err)
		return slices.DeleteFunc(records(t, file), func(row record) bool { return row["layout"] != layout })
	}
	lines = of("return_lines.csv")
	rounding := of("return_layouts.csv")[0]["rounding"]
	for _, row := range lines {
		row["rounding"] = rounding
	}
	return lines
}

func number(text string) *big.Rat {
	if text == "" {
		return new(big.Rat)
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text)
	}
	return n
}

func added(numbers ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, n := range numbers {
		sum.Add(sum, n)
	}
	return sum
}

func negative(n *big.Rat) *big.Rat         { return new(big.Rat).Neg(n) }
func product(a, b *big.Rat) *big.Rat       { return new(big.Rat).Mul(a, b) }
func differenceOf(a, b *big.Rat) *big.Rat  { return new(big.Rat).Sub(a, b) }
func inCents(n *big.Rat) *big.Rat          { return number(n.FloatString(2)) } // the half goes away from zero
func inUnits(n *big.Rat) *big.Rat          { return number(n.FloatString(0)) }
func smaller(a, b *big.Rat) *big.Rat       { return map[bool]*big.Rat{true: a, false: b}[a.Cmp(b) < 0] }
func larger(a, b *big.Rat) *big.Rat        { return map[bool]*big.Rat{true: a, false: b}[a.Cmp(b) > 0] }
func listed(list, text string) bool        { return slices.Contains(strings.Split(list, "|"), text) }
func among(text string, of ...string) bool { return slices.Contains(of, text) }
func callOf(text string) (string, []string) {
	return strings.TrimSpace(strings.SplitN(text, "(", 2)[0]), argumentsOf(text)
}

func argumentsOf(text string) (args []string) {
	from := strings.Index(text, "(")
	for _, arg := range strings.Split(text[from+1:strings.LastIndex(text, ")")], ",") {
		if arg = strings.TrimSpace(arg); arg != "" {
			args = append(args, arg)
		}
	}
	return args
}

// recomputation computes the lines of one return.
type recomputation struct {
	form     []record
	rows     []record // figures, then purchases
	entries  []record
	filing   record // amounts of the filing, its country, state and category, and what else its lines need
	discount *discount
	values   map[string][]*big.Rat
	parted   map[string]bool
	answer   []record
}

// discount is what a state leaves to sellers that file in time.
type discount struct {
	tiers      [][5]*big.Rat // from, to, rate, minimum, cap; to, minimum and cap may be 0 for none
	marginal   bool
	monthlyCap bool
	stateAlone bool
	months     int64
}

// cell is a line for one of its parts.
type cell struct {
	row    record
	number string
	args   []string
	part   *share
	n      int
	from   []int
	absent bool
}

// share is one of the parts of a line with a star.
type share struct {
	number, rate        string
	sales, bases, taxes []int
}

// top reports whether a figure is of the level that has all sales once.
func (r *recomputation) top(x record) bool {
	if among(r.filing["country"], "US", "CA") && r.filing["state"] != r.filing["country"] {
		return x["level"] == "STATE"
	}
	return among(x["level"], "COUNTRY", "FEDERAL")
}

func purchaseKind(e record) bool { return among(e["kind"], "PURCHASE", "WITHDRAWAL", "ACQUISITION") }
func penalKind(e record) bool    { return among(e["kind"], "INTEREST", "PENALTY") }

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
	switch word {
	case "gross", "taxable", "tax", "owed":
		return number(x[word])
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

// sum adds up an amount of rows.
func (r *recomputation) sum(c *cell, word string, words []string) *big.Rat {
	sum := new(big.Rat)
	for n, x := range r.rows {
		if among("at", words...) {
			of := c.part.sales
			switch word {
			case "tax", "owed":
				of = c.part.taxes
			case "taxable":
				of = c.part.bases
			}
			if !slices.Contains(of, n) {
				continue
			}
		}
		if a := r.amount(word, x); r.all(words, x) && a.Sign() != 0 {
			sum.Add(sum, a)
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
		return inCents(product(r.total(c, args[:len(args)-1]...), number(rate)))
	case "greater":
		return larger(r.sum(c, "tax", args[2:]), inCents(product(r.total(c, args[0]), number(args[1]))))
	case "above":
		return larger(r.total(c, args...), new(big.Rat))
	case "below":
		return larger(negative(r.total(c, args...)), new(big.Rat))
	case "open":
		return r.entered(c, func(record) bool { return false })
	case "entries", "unsplit":
		return limit(r.entered(c, func(e record) bool {
			local := e["jurisdiction"] != "" && !r.top(e)
			return among(e["kind"], kinds...) && (!local || !among("top", kinds...)) && (local || !among("local", kinds...))
		}))
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
		return r.discount.of(whole)
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

// of is the discount of a tax.
func (d *discount) of(tax *big.Rat) *big.Rat {
	sum := new(big.Rat)
	if d == nil || tax.Sign() <= 0 {
		return sum
	}
	var last [5]*big.Rat
	for _, tier := range d.tiers {
		if tax.Cmp(tier[0]) <= 0 {
			continue
		}
		last = tier
		upTo := tax
		if tier[1].Sign() > 0 {
			upTo = smaller(tax, tier[1])
		}
		sum.Add(sum, inCents(product(differenceOf(upTo, tier[0]), tier[2])))
	}
	if !d.marginal {
		sum = inCents(product(tax, last[2]))
	}
	sum = larger(sum, smaller(last[3], tax))
	if last[4].Sign() == 0 {
		return sum
	}
	most := last[4]
	if d.monthlyCap {
		most = product(most, new(big.Rat).SetInt64(d.months))
	}
	return smaller(sum, most)
}

func (d *discount) flat() bool {
	return d != nil && len(d.tiers) == 1 && d.tiers[0][3].Sign() == 0 && d.tiers[0][4].Sign() == 0
}

// allowance is the discount of some lines. Lines after "of" share it. An amount that a person has entered in the filing wins.
func (r *recomputation) allowance(c *cell) *big.Rat {
	lines, together := c.args, c.args
	at := slices.Index(c.args, "of")
	if at >= 0 {
		lines, together = c.args[:at], c.args[at+1:]
	}
	whole := r.total(c, together...)
	offered := r.discount.of(whole)
	if r.discount.flat() && len(together) > 1 && whole.Sign() >= 0 {
		offered = new(big.Rat)
		for _, line := range together {
			offered.Add(offered, r.discount.of(r.total(c, line)))
		}
	}
	taken := number(r.filing["discounts"])
	own := taken.Sign() == 0 || taken.Cmp(offered) == 0
	if own {
		taken = offered
	}
	switch {
	case at < 0:
		return taken
	case own && r.discount.flat() && offered.Sign() != 0:
		return r.discount.of(r.total(c, lines[0]))
	case whole.Sign() == 0:
		return new(big.Rat)
	}
	n := slices.Index(together, lines[0])
	until := func(n int) *big.Rat {
		return inCents(new(big.Rat).Quo(product(taken, r.total(c, together[:n]...)), whole))
	}
	return differenceOf(until(n+1), until(n))
}

// compute computes all lines.
func (r *recomputation) compute() []record {
	r.values, r.parted = map[string][]*big.Rat{}, map[string]bool{}
	r.buy()
	for n := 0; n < len(r.form); {
		each := r.form[n]["each"]
		if each == "" {
			r.put(&cell{row: r.form[n], number: r.form[n]["line"]})
			n++
			continue
		}
		block := n
		for block < len(r.form) && r.form[block]["each"] == each {
			r.parted[r.form[block]["line"]] = true
			block++
		}
		for i, part := range r.parts(each) {
			for _, row := range r.form[n:block] {
				r.put(&cell{row: row, number: strings.Replace(row["line"], "*", part.number, 1), part: &part, n: i})
			}
		}
		n = block
	}
	return r.answer
}

// put adds a line.
func (r *recomputation) put(c *cell) {
	amount := r.of(c)
	switch {
	case c.row["rounding"] == "UNIT_DOWN" && c.row["unit"] == "DOLLAR":
		amount = new(big.Rat).SetInt(new(big.Int).Quo(amount.Num(), amount.Denom()))
	case c.row["unit"] == "DOLLAR":
		amount = inUnits(amount)
	}
	r.values[c.row["line"]] = append(r.values[c.row["line"]], amount)
	if c.absent {
		return
	}
	var figures []string
	for _, n := range c.from {
		if r.rows[n]["figure"] != "" {
			figures = append(figures, r.rows[n]["figure"])
		}
	}
	r.answer = append(r.answer, record{
		"line": c.number, "amount": amount.FloatString(2), "unit": c.row["unit"], "figures": strings.Join(figures, " "),
	})
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
		if number(x["gross"]).Cmp(number(x["taxable"])) == 0 {
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
// that differ, have a part each.
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
	var homes []string // the place of each part
	for _, place := range r.group(sold, func(x record) string { return x["place"] }) {
		name := cmp.Or(r.rows[place[0]]["place"], "elsewhere")
		for _, p := range r.placed(place, empty) {
			home := name
			if p.number != "" { // a jurisdiction that stands alone
				home += ": " + p.number
			}
			p.number = ""
			parts, homes = append(parts, p), append(homes, home)
		}
	}
	sales := len(parts)
	for _, n := range bought {
		name := r.rows[n]["jurisdiction"]
		i := slices.IndexFunc(homes[:sales], func(home string) bool { return among(name, strings.Split(home, ", ")...) })
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
		taxers := r.group(bearing, func(x record) string { return x["level"] + "|" + x["jurisdiction"] + "|" + x["rate"] })
		if len(taxers) == 0 {
			free = append(free, class...)
			continue
		}
		rate, one := r.combined(bearing, taxers)
		for i, of := range taxers {
			x := r.rows[of[0]]
			name, at, taxes := x["jurisdiction"], x["rate"], of
			if one {
				name, at, taxes = "", rate, class
			}
			p := part(name, at)
			p.bases, p.taxes = append(p.bases, of...), append(p.taxes, taxes...)
			if i == 0 {
				p.sales = append(p.sales, tops(class)...)
			}
			if one {
				break // all have the same base
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

// combined adds up the rates of jurisdictions; false if one has two, or if their bases differ.
func (r *recomputation) combined(rows []int, taxers [][]int) (rate string, one bool) {
	base := func(rows []int) *big.Rat {
		sum := new(big.Rat)
		for _, n := range rows {
			sum.Add(sum, number(r.rows[n]["taxable"]))
		}
		return sum
	}
	names := r.group(rows, func(x record) string { return x["level"] + "|" + x["jurisdiction"] })
	sum := new(big.Rat)
	for _, of := range taxers {
		sum.Add(sum, number(r.rows[of[0]]["rate"]))
		if base(of).Cmp(base(taxers[0])) != 0 {
			return "", false
		}
	}
	return sum.RatString(), len(names) == len(taxers)
}
