package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// take checks a pair, loads its boundaries and decides what becomes of it.
func (f *fetcher) take(ctx context.Context, source *models.PublishedSource, got pair) error {
	version, err := f.store.Content.ActiveContent(ctx)
	if err != nil {
		return err
	}
	d, err := openDraftOn(ctx, f.store, version)
	if err != nil {
		return err
	}
	next := *source
	next.Rates, next.Boundaries = &got.files[0], &got.files[1]
	records, err := f.readRates(d, &next, got.paths[0])
	if err != nil {
		return err
	}
	if err := f.checkBoundaries(ctx, d, &next, got.paths[1], records); err != nil {
		return err
	}
	built, err := buildOn(d, &next, records)
	if err != nil {
		return err
	}
	fmt.Fprintf(f.out, "%s: %s with %d rates and %s with %d records; %d of %d rates change.\n", next.State, next.Rates.Name,
		next.Rates.Rows, next.Boundaries.Name, next.Boundaries.Rows, built.changed, built.of)
	changes := fmt.Sprintf("%s and %s change %d of %d rates", next.Rates.Name, next.Boundaries.Name, built.changed, built.of)
	switch {
	// guard: content: a file that changes much of a state waits for a person
	case built.changed*100 > built.of*quarantinedShare:
		next.Status = models.SourceQuarantined
		next.Said = fmt.Sprintf("%s, more than %d %%.", changes, quarantinedShare)
	case next.Policy == models.PolicyAsk:
		next.Status, next.Said = models.SourceProposed, changes+"."
	default:
		return f.apply(ctx, &next, built, "By the policy of the operator.")
	}
	if err := f.store.Content.SaveSource(ctx, next); err != nil {
		return err
	}
	fmt.Fprintln(f.out, sourceInWords(&next))
	return nil
}

// readRates reads the rate file, the one kept where it has not changed.
func (f *fetcher) readRates(d *draft, source *models.PublishedSource, file string) ([]content.RateRecord, error) {
	if file == "" {
		return readKept(d, source)
	}
	opened, err := d.openFeed(file, 'R', "rate")
	if err != nil {
		return nil, refusedForm(file, err)
	}
	var text bytes.Buffer
	if _, err := opened.read(f.progress, "Reading", func(r io.Reader) error {
		_, err := io.Copy(&text, io.LimitReader(r, maxRateText+1))
		return err
	}); err != nil {
		return nil, refusedForm(file, err)
	}
	if text.Len() > maxRateText {
		return nil, refusedForm(file, fmt.Errorf("its table has more than %d bytes", maxRateText))
	}
	source.RateFile = text.Bytes()
	records, err := readKept(d, source)
	source.Rates.Rows = len(records)
	return records, err
}

// refusedForm says that a file cannot be read as what it should be.
func refusedForm(file string, err error) error {
	return &content.RefusedError{Total: 1, First: []content.Fault{{
		RowRef: content.RowRef{File: filepath.Base(file), Line: 1}, Text: "its form is unknown: " + err.Error(),
	}}}
}

func readKept(d *draft, source *models.PublishedSource) ([]content.RateRecord, error) {
	fips, ok := d.tables.StateFIPS(source.State)
	if !ok {
		return nil, fmt.Errorf("unknown state %s", source.State)
	}
	return content.ReadRates(source.Rates.Name, bytes.NewReader(source.RateFile), fips)
}

// checkBoundaries checks the boundary file against the rates and loads it. One that was loaded before is only compared.
func (f *fetcher) checkBoundaries(
	ctx context.Context, d *draft, source *models.PublishedSource, file string, records []content.RateRecord,
) error {
	of, err := content.ParseFeedName(source.Rates.Name)
	if err != nil {
		return err
	}
	codes, err := d.tables.CodesOf(source.State)
	if err != nil {
		return err
	}
	with := content.Pair{Of: of, Rates: records, Known: codes, ZIPs: d.base.ZIPsIn(source.State)}
	if file == "" {
		sets, err := f.store.Content.BoundarySets(ctx, source.Load)
		if err != nil {
			return err
		}
		return with.CheckSets(source.Boundaries.Name, slices.Sorted(maps.Keys(sets)))
	}
	opened, err := d.openFeed(file, 'B', "boundary")
	if err != nil {
		return refusedForm(file, err)
	}
	rows := 0
	sum, err := opened.read(f.progress, "Checking", func(r io.Reader) (err error) {
		rows, err = with.Check(content.NewBoundaryReader(opened.name, r, opened.fips))
		return err
	})
	if err != nil {
		return err
	}
	load, err := d.loadFile(ctx, f.out, f.progress, opened, sum, rows)
	if err != nil {
		return err
	}
	source.Load, source.Boundaries.Rows, source.Boundaries.Text = load.ID, rows, hex.EncodeToString(sum)
	return nil
}

// built is a version in the making with a pair of files.
type built struct {
	draft       *draft
	taxes       *tax.Content
	version     string
	pack        []byte
	changed, of int // rates of jurisdictions for goods in general
}

// build makes a version of the content in force with a pair.
func (f *fetcher) build(ctx context.Context, source *models.PublishedSource) (b built, err error) {
	base, err := f.store.Content.ActiveContent(ctx)
	if err != nil {
		return b, err
	}
	d, err := openDraftOn(ctx, f.store, base)
	if err != nil {
		return b, err
	}
	records, err := readKept(d, source)
	if err != nil {
		return b, err
	}
	return buildOn(d, source, records)
}

// buildOn makes a version of the content of a draft with a pair, of which the rates were read.
func buildOn(d *draft, source *models.PublishedSource, records []content.RateRecord) (b built, err error) {
	b.draft = d
	of, err := content.ParseFeedName(source.Rates.Name)
	if err != nil {
		return b, err
	}
	done, err := d.tables.ImportRates(d.base, of, source.Rates.Name, records)
	if err != nil {
		return b, err
	}
	if err := d.tables.SetBoundaries(source.State, source.Load, source.Boundaries.Name, source.Boundaries.Text); err != nil {
		return b, err
	}
	for _, file := range []*models.PublishedFile{source.Rates, source.Boundaries} {
		d.sources = append(d.sources, models.ContentSource{File: file.Name, SHA256: file.SHA256, Rows: file.Rows})
	}
	b.version = d.tables.Name()
	if b.pack, err = d.tables.Pack(); err != nil {
		return b, err
	}
	if b.taxes, err = tax.ParseContent(b.pack); err != nil {
		return b, err
	}
	b.of = done.Jurisdictions
	b.changed = changedRates(d.base.RateChanges(b.taxes), source.State, of.First())
	return b, nil
}

// changedRates counts the jurisdictions of a state whose general rate differs on some day since the first one.
func changedRates(changes []tax.RateChange, state string, since calendar.Date) int {
	changed := map[string]bool{}
	for _, c := range changes {
		if c.Jurisdiction.State == state && (c.Class == "" || c.Class == "*") && (c.To == 0 || c.To >= since) {
			changed[c.Jurisdiction.ID] = true
		}
	}
	return len(changed)
}

// baseChanges is how often a pair is put on a version, because another one came into force in between.
const baseChanges = 3

// apply brings a version with a pair into force. Where another version came into force meanwhile, it is made anew on that.
func (f *fetcher) apply(ctx context.Context, source *models.PublishedSource, b built, why string) error {
	note := fmt.Sprintf("Fetched %s and %s.", source.Rates.Name, source.Boundaries.Name)
	for attempt := 1; ; attempt++ {
		base := b.draft.base.Version()
		if _, err := f.store.Content.RecordContent(ctx, models.ContentVersion{
			Version: b.version, Base: base, Note: note, Sources: b.draft.sources,
		}, b.pack); err != nil {
			return err
		}
		err := f.store.Content.ActivateContentOn(ctx, base, b.version, note+" "+why)
		if err == nil {
			break
		}
		if !errors.Is(err, models.ErrContentChanged) || attempt == baseChanges {
			return err
		}
		if b, err = f.build(ctx, source); err != nil {
			return err
		}
	}
	source.Status, source.Said = models.SourceCurrent, ""
	if err := f.store.Content.SaveSource(ctx, *source); err != nil {
		return err
	}
	fmt.Fprintf(f.out, "%s: %s is in force.\n", source.State, b.version)
	return recordNexus(ctx, f.store)
}
