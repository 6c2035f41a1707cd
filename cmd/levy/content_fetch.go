package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"levy/internal/remote"
	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// The limits of what is fetched. The largest boundary files have some hundred megabytes.
var (
	pageLimits = remote.Limits{Bytes: 1 << 20, Whole: time.Minute, Silence: 30 * time.Second, Attempts: 2}
	fileLimits = remote.Limits{Bytes: 2 << 30, Whole: 2 * time.Hour, Silence: time.Minute, Attempts: 5}
)

// maxRateText bounds the text of a rate file, which is kept.
const maxRateText = 32 << 20

// quarantinedShare is the share of a state's rates, in percent, above which a change waits for an operator.
const quarantinedShare = 5

type contentFetchCmd struct {
	States []string `arg:"" optional:"" help:"The states; without any, all that have addresses."`
	Again  bool     `help:"Fetch and check files also when they have not changed."`
}

// Run fetches one state after the other. A state that fails does not keep others from theirs.
func (c contentFetchCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		states, err := statesOf(p.ctx, s, c.States)
		if err != nil {
			return err
		}
		f := newFetcher(s, p.stdout, p.stderr)
		f.again = c.Again
		var errs []error
		for _, state := range states {
			errs = append(errs, f.fetch(p.ctx, state))
		}
		return errors.Join(errs...)
	})
}

// statesOf are the named states, or all with addresses.
func statesOf(ctx context.Context, s *store.Store, named []string) (states []string, err error) {
	for _, state := range named {
		states = append(states, strings.ToUpper(state))
	}
	if len(states) > 0 {
		return states, nil
	}
	list, err := s.Content.Sources(ctx)
	for i := range list {
		states = append(states, list[i].State)
	}
	return states, err
}

type contentAcceptCmd struct {
	State string `arg:"" help:"The state whose pair waits."`
	Show  bool   `help:"Show only what it changes."`
}

// Run brings a waiting pair into force.
func (c contentAcceptCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		f := newFetcher(s, p.stdout, p.stderr)
		source, err := f.source(p.ctx, strings.ToUpper(c.State))
		if err != nil {
			return err
		}
		if !source.Status.Waits() {
			return fmt.Errorf("no pair of %s waits: it is %s", source.State, source.Status)
		}
		if c.Show {
			built, err := f.build(p.ctx, &source)
			if err != nil {
				return err
			}
			return (contentDiffCmd{}).show(p, s, built.draft.base, built.taxes)
		}
		if err := note(p, s, models.AuditActivate, "content_source", source.State); err != nil {
			return err
		}
		return f.apply(p.ctx, &source, "Accepted by the operator.")
	})
}

// fetcher takes the files of states in.
type fetcher struct {
	store         *store.Store
	files, pages  *remote.Client
	out, progress io.Writer
	again         bool
}

func newFetcher(s *store.Store, out, progress io.Writer) *fetcher {
	return &fetcher{store: s, files: remote.NewClient(fileLimits), pages: remote.NewClient(pageLimits), out: out, progress: progress}
}

func (f *fetcher) source(ctx context.Context, state string) (models.PublishedSource, error) {
	source, err := f.store.Content.Source(ctx, state)
	if errors.Is(err, models.ErrNotFound) {
		err = fmt.Errorf("%s has no addresses: levy content sources set %s", state, state)
	}
	return source, err
}

// fetch takes the pair of a state in, or notes why not. Both files come into force together, or none does.
func (f *fetcher) fetch(ctx context.Context, state string) (err error) {
	source, err := f.source(ctx, state)
	if err != nil {
		return err
	}
	removeLeft(os.TempDir(), time.Now())
	folder, err := os.MkdirTemp("", folderOfFiles)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	got, err := f.download(ctx, &source, folder)
	if err != nil {
		return f.failed(ctx, state, err)
	}
	// Files that were refused have given way to those taken before: what becomes of these is decided again.
	if got.unchanged() && source.Status != models.SourceRefused {
		fmt.Fprintf(f.out, "%s: nothing new; its files are %s.\n", state, strings.ToLower(string(source.Status)))
		return f.store.Content.SourceUnchanged(ctx, state)
	}
	return f.failed(ctx, state, f.take(ctx, &source, got))
}

// folderOfFiles is the pattern for folders with the files of a state. No fetch takes as long as leftAfter.
const (
	folderOfFiles = "levy-content-*"
	leftAfter     = 48 * time.Hour
)

// removeLeft removes folders that processes have left when they were killed. A folder that cannot be removed stays.
func removeLeft(parent string, now time.Time) {
	folders, _ := filepath.Glob(filepath.Join(parent, folderOfFiles)) // the pattern is one
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && now.Sub(info.ModTime()) > leftAfter {
			_ = os.RemoveAll(folder)
		}
	}
}

// failed notes why a pair was not taken: what the files say is refused, all else is tried again.
func (f *fetcher) failed(ctx context.Context, state string, err error) error {
	if err == nil {
		return nil
	}
	noted := &notedError{err: fmt.Errorf("%s: %w", state, err)}
	var refused *content.RefusedError
	if errors.As(err, &refused) {
		noted.isRefused = true
		err = f.store.Content.SourceRefused(ctx, state, refused.Error())
	} else {
		err = f.store.Content.SourceFailed(ctx, state, noted.Error())
	}
	if err != nil {
		return errors.Join(noted.err, err) // it is not noted, so another attempt has to be made
	}
	return noted
}

// notedError says why the files of a state were not taken. It is noted in the database for the operator.
type notedError struct {
	err       error
	isRefused bool
}

// Error is the reason, with the state.
func (e *notedError) Error() string { return e.err.Error() }

// Unwrap is the reason.
func (e *notedError) Unwrap() error { return e.err }

// States implements activities.PublishedRateFiles.
func (f *fetcher) States(ctx context.Context) ([]string, error) { return statesOf(ctx, f.store, nil) }

// FetchRates implements activities.PublishedRateFiles.
func (f *fetcher) FetchRates(ctx context.Context, state string) (fetched models.FetchedRates, err error) {
	err = f.fetch(ctx, state)
	var noted *notedError
	if errors.As(err, &noted) {
		return models.FetchedRates{Status: models.SourceRefused, Unreachable: !noted.isRefused}, nil
	}
	if err != nil {
		return fetched, err
	}
	source, err := f.source(ctx, state)
	return models.FetchedRates{Status: source.Status}, err
}

// pair are the files of a state as they are now; a path is empty where the file has not changed.
type pair struct {
	files [2]models.PublishedFile // rates, boundaries
	paths [2]string
}

func (p pair) unchanged() bool { return p.paths == [2]string{} }

// download asks for both files. Errors: *content.RefusedError for half a pair, before the large file is fetched.
func (f *fetcher) download(ctx context.Context, source *models.PublishedSource, folder string) (got pair, err error) {
	own := [2]string{source.RatesURL, source.BoundariesURL}
	var addresses [2]string
	var names [2]content.FeedName
	for i, address := range own {
		if addresses[i], err = f.address(ctx, source.State, fileKinds[i], address, folder); err != nil {
			return got, err
		}
		name := path.Base(addresses[i])
		of, ok := kindOf(name, source.State, fileKinds[i])
		if !ok {
			return got, &content.RefusedError{Total: 1, First: []content.Fault{{
				RowRef: content.RowRef{File: name, Line: 1}, Text: fmt.Sprintf("its name is none of a file %c of %s", fileKinds[i], source.State),
			}}}
		}
		names[i], got.files[i].Name = of, name
	}
	if err := content.SamePair(names[0], names[1], got.files[0].Name, got.files[1].Name); err != nil {
		return got, err
	}
	for i, known := range []*models.PublishedFile{source.Rates, source.Boundaries} {
		var validators remote.Validators
		if known != nil && known.Name == got.files[i].Name && !f.again {
			validators = remote.Validators{ETag: known.ETag, LastModified: known.LastModified}
		}
		to := filepath.Join(folder, got.files[i].Name)
		p := newProgress(f.progress, "Fetching "+got.files[i].Name, 0)
		done := int64(0)
		file, err := f.files.For(own[i]).Get(ctx, addresses[i], validators, to, func(n, _ int64) { p.add(max(0, n-done)); done = n })
		p.end()
		switch {
		case err != nil:
			return got, err
		case file.Unchanged || known != nil && known.SHA256 == file.SHA256 && !f.again:
			got.files[i] = *known
			continue
		}
		got.paths[i] = to
		got.files[i] = models.PublishedFile{
			Name: got.files[i].Name, SHA256: file.SHA256, Bytes: file.Bytes, ETag: file.ETag, LastModified: file.LastModified,
		}
	}
	return got, nil
}

var links = regexp.MustCompile(`(?i)href\s*=\s*["']([^"']+)["']`)

// address is that of a file. A page of links, whose address ends in /, leads to the newest file of a state.
func (f *fetcher) address(ctx context.Context, state string, kind byte, address, folder string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", errors.New("not an address")
	}
	if !strings.HasSuffix(at.Path, "/") {
		return address, nil
	}
	page := filepath.Join(folder, "page")
	if _, err := f.pages.Get(ctx, address, remote.Validators{}, page, func(int64, int64) {}); err != nil {
		return "", err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return "", err
	}
	found, newest := "", content.FeedName{}
	for _, link := range links.FindAllSubmatch(text, -1) {
		to, err := at.Parse(string(link[1]))
		if err != nil {
			continue
		}
		of, ok := kindOf(path.Base(to.Path), state, kind)
		if ok && cmp.Or(cmp.Compare(of.Year, newest.Year), cmp.Compare(of.Quarter, newest.Quarter)) >= 0 {
			found, newest = to.String(), of
		}
	}
	if found == "" {
		return "", fmt.Errorf("%s has no link to a file %c of %s", address, kind, state)
	}
	return found, nil
}

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
	built, err := f.build(ctx, &next)
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
		return f.apply(ctx, &next, "By the policy of the operator.")
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
	if b.draft, err = openDraftOn(ctx, f.store, base); err != nil {
		return b, err
	}
	d := b.draft
	records, err := readKept(d, source)
	if err != nil {
		return b, err
	}
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
	b.changed = changedRates(d.base.RateChanges(b.taxes), source.State, calendar.DateOn(of.Year, time.Month(3*of.Quarter-2), 1))
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

// baseChanges is how often a pair is put on another version that came into force in between.
const baseChanges = 3

// apply brings a pair into force, on whatever is in force then.
func (f *fetcher) apply(ctx context.Context, source *models.PublishedSource, why string) error {
	for range baseChanges {
		b, err := f.build(ctx, source)
		if err != nil {
			return err
		}
		d := b.draft
		note := fmt.Sprintf("Fetched %s and %s.", source.Rates.Name, source.Boundaries.Name)
		if _, err := f.store.Content.RecordContent(ctx, models.ContentVersion{
			Version: b.version, Base: d.base.Version(), Note: note, Sources: d.sources,
		}, b.pack); err != nil {
			return err
		}
		err = f.store.Content.ActivateContentOn(ctx, d.base.Version(), b.version, note+" "+why)
		if errors.Is(err, models.ErrContentChanged) {
			continue
		}
		if err != nil {
			return err
		}
		source.Status, source.Said = models.SourceCurrent, ""
		if err := f.store.Content.SaveSource(ctx, *source); err != nil {
			return err
		}
		fmt.Fprintf(f.out, "%s: %s is in force.\n", source.State, b.version)
		return recordNexus(ctx, f.store)
	}
	return models.ErrContentChanged
}
