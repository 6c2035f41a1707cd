package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/content"
)

// withContent opens the database for an operator's work on content.
func (p *program) withContent(work func(*store.Store) error) error {
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := installContent(p.ctx, s); err != nil {
		return err
	}
	return work(s)
}

// withDraft lets work change a new version, which is then recorded.
func (p *program) withDraft(flag jsonFlag, work func(*program, *draft) error) error {
	return p.withContent(func(s *store.Store) error {
		return tell(p, flag, func(p *program) (*recordedContent, error) {
			d, err := openDraft(p.ctx, s)
			if err != nil {
				return nil, err
			}
			if err := work(p, d); err != nil {
				return nil, err
			}
			return d.record(p)
		})
	})
}

// recordedContent is a version that was recorded and is not in force yet, for programs.
type recordedContent struct {
	Version string                 `json:"version"`
	Base    string                 `json:"made_from"`
	Note    string                 `json:"note"`
	Sources []models.ContentSource `json:"files"`
}

// draft is a new version in the making.
type draft struct {
	store   *store.Store
	base    *tax.Content
	tables  content.Tables
	sources []models.ContentSource
	note    string // instead of the files
}

// openDraft begins a new version of the content. It is based on the newest version recorded since the last activation,
// else on the version in force. So several files can be imported and activated together, and a rollback abandons the
// versions that it undid.
func openDraft(ctx context.Context, s *store.Store) (*draft, error) {
	version, err := s.Content.DraftContent(ctx)
	if err != nil {
		return nil, err
	}
	return openDraftOn(ctx, s, version)
}

// openDraftOn begins a new version based on a recorded one.
func openDraftOn(ctx context.Context, s *store.Store, version string) (*draft, error) {
	pack, err := s.Content.ContentPack(ctx, version)
	if err != nil {
		return nil, fmt.Errorf("content %s: %w", version, err)
	}
	d := &draft{store: s}
	if d.tables, err = content.Unpack(pack); err != nil {
		return nil, err
	}
	if d.base, err = tax.ParseContent(pack); err != nil {
		return nil, fmt.Errorf("content %s: %w", version, err)
	}
	return d, nil
}

// record checks the whole new content and keeps it. It is not in force yet.
func (d *draft) record(p *program) (*recordedContent, error) {
	version := d.tables.Name()
	pack, err := d.tables.Pack()
	if err != nil {
		return nil, err
	}
	if _, err := tax.ParseContent(pack); err != nil {
		return nil, fmt.Errorf("nothing was recorded: %w", err)
	}
	var files []string
	for _, source := range d.sources {
		files = append(files, source.File)
	}
	did := &recordedContent{version, d.base.Version(), cmp.Or(d.note, "Imported "+strings.Join(files, ", ")+"."), listed(d.sources)}
	_, err = d.store.Content.RecordContent(p.ctx, models.ContentVersion{
		Version: did.Version, Base: did.Base, Note: did.Note, Sources: d.sources,
	}, pack)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(
		p.stdout,
		"Recorded %s, made from %s. It is not in force yet:\n  levy content diff %[1]s\n  levy content activate %[1]s\n",
		version, d.base.Version(),
	)
	return did, nil
}
