package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

type contentCompareCmd struct {
	jsonFlag

	File    string `arg:"" help:"A table with the columns zip, city and rate (what a buyer pays in all, 0.0725), .csv or .zip." type:"existingfile"`
	Version string `arg:"" optional:"" help:"The version to compare; without it the content that this program carries, without a database."`
	Date    string `help:"The day of the sales, YYYY-MM-DD; without it today." placeholder:"DAY"`
}

// shownDifferences is how many lines that differ in silence are listed.
const shownDifferences = 100

// Run prints by state how many lines are equal, told or silent, and which are silent.
func (c contentCompareCmd) Run(p *program) error {
	on := day(time.Now())
	if c.Date != "" {
		var err error
		if on, err = calendar.ParseDate(c.Date); err != nil {
			return err
		}
	}
	f, err := openFeed(c.File)
	if err != nil {
		return err
	}
	var known []content.KnownRate
	if _, err := f.read(p.progressTo, "Reading", func(r io.Reader) (err error) {
		known, err = content.ReadKnownRates(f.name, r)
		return err
	}); err != nil {
		return err
	}
	if c.Version == "" {
		taxes, err := tax.LoadContent()
		if err != nil {
			return err
		}
		return tell(p, c.jsonFlag, func(p *program) (*comparison, error) {
			fmt.Fprintf(p.stdout, "Compared with content %s, which this program carries. Imports and confirmed editions are in other "+
				"versions (levy content list): name one to compare with it.\n", taxes.Version())
			return c.compare(p.stdout, taxes, known, on)
		})
	}
	return p.withContent(func(s *store.Store) error {
		taxes, err := readVersion(p, s, c.Version)
		if err != nil {
			return err
		}
		return tell(p, c.jsonFlag, func(p *program) (*comparison, error) { return c.compare(p.stdout, taxes, known, on) })
	})
}

// comparison says how many lines of a table are equal, different and told, or different in silence, for programs.
type comparison struct {
	Version string             `json:"version"`
	Day     string             `json:"day"`
	Lines   int                `json:"lines"`
	States  []comparedState    `json:"states"`
	Silent  []silentDifference `json:"silent"` // all of them
}

type comparedState struct {
	State     string `json:"state"`
	Equal     int    `json:"equal"`
	EqualTold int    `json:"equal_told"` // of the equal ones
	Told      int    `json:"different_told"`
	Silent    int    `json:"different_silent"`
}

// silentDifference is a line whose answer differs in silence. Rates are in percent.
type silentDifference struct {
	Line    string `json:"line"`
	City    string `json:"city"`
	State   string `json:"state"`
	ZIP     string `json:"zip"`
	Table   string `json:"rate_of_table"`
	Content string `json:"rate_of_content"`
}

func (contentCompareCmd) compare(
	to io.Writer, taxes *tax.Content, known []content.KnownRate, on calendar.Date,
) (*comparison, error) {
	states, silent, err := taxes.CompareRates(known, on)
	if err != nil {
		return nil, err
	}
	found := &comparison{
		Version: taxes.Version(), Day: on.String(), Lines: len(known), States: []comparedState{}, Silent: []silentDifference{},
	}
	for _, d := range silent {
		found.Silent = append(found.Silent, silentDifference{d.Known.At.String(), d.Known.City, d.State, d.Known.ZIP,
			tax.FormatPercent(d.Known.Rate), tax.FormatPercent(d.Rate)})
	}
	fmt.Fprintf(to, "%d lines, content %s, on %s:\n", len(known), taxes.Version(), on)
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "STATE\tEQUAL\tOF THEM TOLD\tDIFFERENT, TOLD\tDIFFERENT, SILENT")
	all := tax.Compared{State: "all"}
	for _, s := range states {
		if s.State == "" {
			s.State = "unknown"
		}
		found.States = append(found.States, comparedState(s))
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", s.State, s.Equal, s.EqualTold, s.Told, s.Silent)
		all.Equal, all.EqualTold = all.Equal+s.Equal, all.EqualTold+s.EqualTold
		all.Told, all.Silent = all.Told+s.Told, all.Silent+s.Silent
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", all.State, all.Equal, all.EqualTold, all.Told, all.Silent)
	for i := range silent {
		if i == 0 {
			fmt.Fprintln(w, "\nLINE\tPLACE\tIN THE TABLE\tIN THE CONTENT")
		}
		if i == shownDifferences {
			fmt.Fprintf(w, "... and %d more\n", len(silent)-i)
			break
		}
		s := found.Silent[i]
		fmt.Fprintf(w, "%s\t%s, %s %s\t%s\t%s\n", s.Line, s.City, s.State, s.ZIP, s.Table, s.Content)
	}
	return found, w.Flush()
}
