package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"levy/internal/remote"
	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/content"
)

// contentSourcesCmd groups what an operator does with the addresses of member states.
type contentSourcesCmd struct {
	List   sourcesListCmd   `cmd:"" help:"List the addresses, and what became of the files."`
	Set    sourcesSetCmd    `cmd:"" help:"Set the addresses and the policy of a state."`
	Remove sourcesRemoveCmd `cmd:"" help:"Forget the addresses of a state. Its rates stay in force."`
}

type sourcesListCmd struct{ jsonFlag }

// listedSources are the member states that have addresses, for programs.
type listedSources struct {
	Sources []listedSource `json:"sources"`
}

type listedSource struct {
	State         string              `json:"state"`
	Policy        string              `json:"policy"`
	Status        models.SourceStatus `json:"status"`
	Said          string              `json:"message,omitempty"` // about the status
	Files         []string            `json:"files"`             // rates and boundaries
	CheckedAt     *time.Time          `json:"checked_at"`
	FailingSince  *time.Time          `json:"failing_since"`
	Failure       string              `json:"failure,omitempty"`
	RatesURL      string              `json:"rates_url"`
	BoundariesURL string              `json:"boundaries_url"`
}

func newListedSource(s *models.PublishedSource) listedSource {
	l := listedSource{State: s.State, Policy: s.Policy, Status: s.Status, Said: s.Said, Files: []string{}, CheckedAt: s.CheckedAt,
		FailingSince: s.FailingSince, Failure: s.Failure, RatesURL: s.RatesURL, BoundariesURL: s.BoundariesURL}
	if s.Rates != nil {
		l.Files = []string{s.Rates.Name, s.Boundaries.Name}
	}
	return l
}

func newListedSources(list []models.PublishedSource) *listedSources {
	found := &listedSources{Sources: make([]listedSource, len(list))}
	for i := range list {
		found.Sources[i] = newListedSource(&list[i])
	}
	return found
}

// Run lists the member states that have addresses.
func (c sourcesListCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		return tell(p, c.jsonFlag, func(p *program) (*listedSources, error) {
			list, err := s.Content.Sources(p.ctx)
			if err != nil {
				return nil, err
			}
			found := newListedSources(list)
			w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "STATE\tPOLICY\tSTATUS\tFILES\tCHECKED\tRATES FROM\tBOUNDARIES FROM")
			for _, source := range found.Sources {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", source.State, source.Policy, source.Status,
					cmp.Or(strings.Join(source.Files, " "), "-"), cmp.Or(timeOrNothing(source.CheckedAt), "-"), source.RatesURL,
					source.BoundariesURL)
			}
			if err := w.Flush(); err != nil {
				return nil, err
			}
			for _, text := range sourcesInWords(list) {
				fmt.Fprintln(p.stdout, text)
			}
			return found, nil
		})
	})
}

type sourcesSetCmd struct {
	State      string `arg:"" help:"The member state, such as GA."`
	Rates      string `help:"Address of its rate file, or of a page with links to its files, which ends in /." required:"" placeholder:"URL"`
	Boundaries string `help:"Address of its boundary file, or of such a page." required:"" placeholder:"URL"`
	Policy     string `help:"ask: a new pair waits until you accept it. apply: it comes into force, unless it changes more than 5 % of the rates." enum:"ask,apply" default:"ask"`
}

// Run checks the addresses and keeps them.
func (c sourcesSetCmd) Run(p *program) error {
	state := strings.ToUpper(c.State)
	for _, address := range []string{c.Rates, c.Boundaries} {
		at, err := url.Parse(address)
		if err != nil {
			return errors.New("not an address of the web") // the reason would repeat a password
		}
		if at.User != nil {
			return errors.New("an address with a password is not kept: the files of states need none")
		}
		if err := remote.Safe(at); err != nil {
			return err
		}
	}
	return p.withContent(func(s *store.Store) error {
		taxes, err := s.Content.InForce(p.ctx)
		if err != nil {
			return err
		}
		if !memberState(taxes.RateTables(), state) {
			return fmt.Errorf("%s publishes no rate and boundary files of this form: levy content import-csv imports its table", state)
		}
		if err := note(p, s, models.AuditUpdate, "content_source", state); err != nil {
			return err
		}
		return s.Content.SetSource(p.ctx, models.PublishedSource{
			State: state, RatesURL: c.Rates, BoundariesURL: c.Boundaries, Policy: c.Policy,
		})
	})
}

type sourcesRemoveCmd struct {
	State string `arg:"" help:"The member state, such as GA."`
}

// Run forgets the addresses of a state.
func (c sourcesRemoveCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		state := strings.ToUpper(c.State)
		if err := note(p, s, models.AuditDelete, "content_source", state); err != nil {
			return err
		}
		err := s.Content.RemoveSource(p.ctx, state)
		if errors.Is(err, models.ErrNotFound) {
			return fmt.Errorf("%s has no addresses: levy content sources list", state)
		}
		return err
	})
}

// failingDays is for how many days the files of a state may be out of reach before an operator is told.
const failingDays = 3

// sourceInWords says what of a source needs an operator; empty for nothing.
func sourceInWords(source *models.PublishedSource) string {
	switch {
	case source.Status.Waits():
		return fmt.Sprintf("The rates of %s wait: %s\n  levy content accept %s --show shows the difference, without --show it "+
			"comes into force.", source.State, source.Said, source.State)
	case source.Status == models.SourceRefused:
		return fmt.Sprintf("The files of %s were refused, and what is in force stays: %s", source.State, source.Said)
	case source.FailingSince != nil && time.Since(*source.FailingSince) > failingDays*24*time.Hour:
		return fmt.Sprintf("The files of %s have been out of reach since %s: %s. levy content sources set changes their addresses.",
			source.State, source.FailingSince.UTC().Format(time.DateOnly), source.Failure)
	}
	return ""
}

// sourcesInWords says of all states that need an operator what is needed.
func sourcesInWords(list []models.PublishedSource) (needed []string) {
	for i := range list {
		if text := sourceInWords(&list[i]); text != "" {
			needed = append(needed, text)
		}
	}
	return needed
}

// memberState reports whether a state publishes rate and boundary files of the Streamlined form.
func memberState(tables []tax.RateTable, state string) bool {
	return slices.ContainsFunc(tables, func(t tax.RateTable) bool {
		return t.State == state && t.Member
	})
}

// fileKinds are the letters of official names: rates and boundaries.
var fileKinds = []byte{'R', 'B'}

// kindOf reports whether a name is that of a file of a state.
func kindOf(name, state string, kind byte) (content.FeedName, bool) {
	of, err := content.ParseFeedName(name)
	return of, err == nil && of.State == state && of.Kind == kind
}
