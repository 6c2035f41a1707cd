package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"levy/models"
	"levy/store"
	"levy/tax/calendar"
	"levy/tax/content"
)

// nextBundleDays is within how many days a publisher promises the next bundle, unless it says another day: a quarter and
// some days.
const nextBundleDays = 100

// publicationFlags are the number and the days of a bundle to build.
type publicationFlags struct {
	Sequence  int64  `help:"Number of the bundle, one more than that of the last one. Default: that of the bundle which the folder holds, plus one."`
	Published string `help:"Its day, such as 2026-10-01. Default: today." placeholder:"DAY"`
	NextBy    string `help:"The last day on which you publish the next bundle. Default: 100 days after this one. Installations raise an alarm after it." placeholder:"DAY"`
}

// number completes the number of a bundle that is written to a folder. Errors: none is known.
func (f publicationFlags) number(folder string, today calendar.Date) (content.Publication, error) {
	p := content.Publication{Sequence: f.Sequence, Published: f.Published, NextBy: f.NextBy}
	if p.Published == "" {
		p.Published = today.String()
	}
	if p.NextBy == "" {
		published, err := calendar.ParseDate(p.Published)
		if err != nil {
			return p, fmt.Errorf("--published: %w", err)
		}
		p.NextBy = published.AddDays(nextBundleDays).String()
	}
	if p.Sequence != 0 {
		return p, nil
	}
	text, err := os.ReadFile(filepath.Join(folder, content.ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return p, errors.New("which number has the bundle? --sequence=1 for the first one; later ones follow the bundle in --out")
	}
	if err != nil {
		return p, err
	}
	var before content.Manifest
	if err := json.Unmarshal(text, &before); err != nil {
		return p, fmt.Errorf("%s: %w", content.ManifestFile, err)
	}
	p.Sequence = before.Sequence + 1
	return p, nil
}

// publicationOf is a verified bundle as a publication.
func publicationOf(m content.Manifest, manifest []byte) models.ContentPublication {
	sum := sha256.Sum256(manifest)
	return models.ContentPublication{Publication: m.Publication, Version: m.Version, SHA256: sum[:]}
}

// checkPublication compares a bundle with the one that was taken last, and says what is missing or late. It returns the
// bundle with the number of those that never arrived. Errors: the server gives another bundle than it should.
func checkPublication(
	ctx context.Context, out io.Writer, s *store.Store, p models.ContentPublication, allowOlder bool, today calendar.Date,
) (models.ContentPublication, error) {
	last, err := s.Content.LastPublication(ctx)
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return p, err
	}
	if p.Published > today.AddDays(1).String() {
		return p, fmt.Errorf("the bundle is dated %s, which is in the future", p.Published)
	}
	same := bytes.Equal(p.SHA256, last.SHA256)
	p.Missed, err = p.After(last.Publication, same)
	if err != nil && !allowOlder {
		return p, fmt.Errorf("bundle %d (%s): %w: %d of %s (%s). The server may keep newer bundles back: ask the publisher. "+
			"--allow-older accepts it", p.Sequence, p.Version, err, last.Sequence, last.Published, last.Version)
	}
	if p.Sequence == 0 {
		return p, nil
	}
	fmt.Fprintf(out, "Bundle %d of %s; the next one is promised by %s.\n", p.Sequence, p.Published, p.NextBy)
	if text := missedInWords(p.Sequence, p.Missed); text != "" {
		fmt.Fprintln(out, text)
	}
	if late := p.DaysLate(today); late > 0 {
		fmt.Fprintln(out, lateInWords(p.Publication, late))
	}
	return p, nil
}

// missedInWords names the bundles that never arrived; empty where none is missing.
func missedInWords(sequence, missed int64) string {
	switch missed {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Bundle %d never arrived here. Each bundle is complete, so nothing is missing from this one.", sequence-1)
	}
	return fmt.Sprintf("Bundles %d to %d never arrived here. Each bundle is complete, so nothing is missing from this one.",
		sequence-missed, sequence-1)
}

// lateInWords says that the next bundle is overdue.
func lateInWords(p content.Publication, days int) string {
	return fmt.Sprintf("The bundle after number %d was promised by %s and is %d days late: the server may keep newer bundles "+
		"back, or update asks the wrong one. Ask the publisher.", p.Sequence, p.NextBy, days)
}

// publicationState is the signed bundle that was taken last.
type publicationState struct {
	content.Publication

	Version  string `json:"version"`
	Missed   int64  `json:"missed"` // bundles before it that never arrived
	DaysLate int    `json:"days_late"`
	Age      int64  `json:"age_seconds"` // since it was taken
}

// readPublication returns the state of the signed bundles; nil where none with a number was ever taken.
func readPublication(ctx context.Context, s *store.Store, now time.Time) (*publicationState, error) {
	p, err := s.Content.LastPublication(ctx)
	if errors.Is(err, models.ErrNotFound) {
		return nil, nil
	}
	return &publicationState{
		Publication: p.Publication, Version: p.Version, Missed: p.Missed,
		DaysLate: p.DaysLate(day(now)), Age: int64(now.Sub(p.ReceivedAt).Seconds()),
	}, err
}

// inWords says which bundle was taken, and by when the next one is promised.
func (p publicationState) inWords() string {
	return fmt.Sprintf("bundle %d of %s (%s), taken %s ago; the next one is promised by %s", p.Sequence, p.Published,
		p.Version, inWords(time.Duration(max(p.Age, 0))*time.Second), p.NextBy)
}

func (a *advice) aboutPublication(p *publicationState) {
	if p == nil {
		return
	}
	a.say(p.DaysLate > 0, "%s", lateInWords(p.Publication, p.DaysLate))
	a.say(p.Missed > 0, "%s Ask the publisher why.", missedInWords(p.Sequence, p.Missed))
}
