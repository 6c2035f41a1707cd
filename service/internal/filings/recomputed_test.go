package filings

import (
	"bytes"
	"encoding/csv"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The recomputation of these files computes the lines of returns a second time. It reads the figures from the file that people
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

// rounded rounds an amount once, to the unit of the line.
func (c *cell) rounded(amount *big.Rat) *big.Rat {
	if c.row["unit"] == "DOLLAR" {
		return inUnits(amount)
	}
	return inCents(amount)
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
