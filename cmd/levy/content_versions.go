package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"levy/models"
	"levy/store"
	"levy/tax"
)

type contentListCmd struct{ jsonFlag }

// listedVersions are the versions of content, for programs.
type listedVersions struct {
	Versions []listedVersion `json:"versions"`
}

// listedVersion is a version of content in the JSON of levy content list.
type listedVersion struct {
	Version     string     `json:"version"`
	Active      bool       `json:"active"`
	Base        string     `json:"made_from,omitempty"`
	RecordedAt  time.Time  `json:"recorded_at"`
	ActivatedAt *time.Time `json:"last_activated_at"`
	Note        string     `json:"note,omitempty"`
}

// Run lists the versions, oldest first.
func (c contentListCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		found, err := s.Content.ListContent(p.ctx)
		if err != nil {
			return err
		}
		return tell(p, c.jsonFlag, func(p *program) (*listedVersions, error) {
			versions := make([]listedVersion, len(found))
			w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "\tVERSION\tMADE FROM\tRECORDED\tLAST ACTIVATED\tNOTE")
			for i, v := range found {
				versions[i] = listedVersion{v.Version, v.Active, v.Base, v.RecordedAt.UTC(), v.ActivatedAt, v.Note}
				mark, activated := "", "-"
				if v.Active {
					mark = "*"
				}
				if v.ActivatedAt != nil {
					activated = v.ActivatedAt.UTC().Format(time.RFC3339)
				}
				fmt.Fprintf(
					w, "%s\t%s\t%s\t%s\t%s\t%s\n", mark, v.Version, v.Base, v.RecordedAt.UTC().Format(time.RFC3339),
					activated, v.Note,
				)
			}
			return &listedVersions{versions}, w.Flush()
		})
	})
}

// contentNamed is the version of content that a command is about, for programs.
type contentNamed struct {
	Version string `json:"version"`
}

type contentActivateCmd struct {
	jsonFlag

	Version string `arg:"" help:"The version to bring into force."`
}

// Run brings a version into force; every API and worker takes it within seconds.
func (c contentActivateCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		return tell(p, c.jsonFlag, func(p *program) (*contentNamed, error) {
			return activate(p, s, c.Version, "Activated by the operator.")
		})
	})
}

// activate refuses a version that cannot be loaded: it would never come into force. It returns no document if it fails.
func activate(p *program, s *store.Store, version, reason string) (*contentNamed, error) {
	if _, err := readVersion(p, s, version); err != nil {
		return nil, err
	}
	if err := note(p, s, models.AuditActivate, "content", version); err != nil {
		return nil, err
	}
	if err := s.Content.ActivateContent(p.ctx, version, reason); err != nil {
		return nil, err
	}
	if err := recordNexus(p.ctx, s); err != nil {
		return nil, err
	}
	fmt.Fprintf(p.stdout, "%s is in force.\n", version)
	return &contentNamed{version}, nil
}

// readVersion reads a version, all of it, and makes sure that the boundary files it
// names are loaded.
func readVersion(p *program, s *store.Store, version string) (*tax.Content, error) {
	pack, err := s.Content.ContentPack(p.ctx, version)
	if errors.Is(err, models.ErrNotFound) {
		return nil, fmt.Errorf("there is no content %s: levy content list shows what there is", version)
	}
	if err != nil {
		return nil, err
	}
	taxes, err := tax.ParseContent(pack)
	if err != nil {
		return nil, fmt.Errorf("content %s: %w", version, err)
	}
	for state, load := range taxes.BoundaryLoads() {
		complete, err := s.Content.BoundaryLoadComplete(p.ctx, load)
		if err != nil {
			return nil, err
		}
		if !complete {
			return nil, fmt.Errorf("content %s: the boundary file of %s is not here: import it again", version, state)
		}
	}
	return taxes, nil
}

type contentRollbackCmd struct{ jsonFlag }

// Run returns to the version that was in force before.
func (c contentRollbackCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		previous, err := s.Content.PreviousContent(p.ctx)
		if err != nil {
			return err
		}
		if previous == "" {
			return errors.New("no other content was in force before")
		}
		return tell(p, c.jsonFlag, func(p *program) (*contentNamed, error) {
			return activate(p, s, previous, "Rolled back by the operator.")
		})
	})
}
