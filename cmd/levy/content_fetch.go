package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"levy/internal/remote"
	"levy/models"
	"levy/store"
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
	jsonFlag

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
		return tell(p, c.jsonFlag, func(p *program) (*listedSources, error) {
			f := newFetcher(s, p.stdout, p.progressTo)
			f.again = c.Again
			var errs []error
			for _, state := range states {
				errs = append(errs, f.fetch(p.ctx, state))
			}
			list, err := s.Content.Sources(p.ctx)
			list = slices.DeleteFunc(list, func(s models.PublishedSource) bool { return !slices.Contains(states, s.State) })
			return newListedSources(list), errors.Join(append(errs, err)...)
		})
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
	jsonFlag

	State string `arg:"" help:"The state whose pair waits."`
	Show  bool   `help:"Show only what it changes."`
}

// Run brings a waiting pair into force.
func (c contentAcceptCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		f := newFetcher(s, p.stdout, p.progressTo)
		source, err := f.source(p.ctx, strings.ToUpper(c.State))
		if err != nil {
			return err
		}
		if !source.Status.Waits() {
			return fmt.Errorf("no pair of %s waits: it is %s", source.State, source.Status)
		}
		built, err := f.build(p.ctx, &source)
		if err != nil {
			return err
		}
		if c.Show {
			return tell(p, c.jsonFlag, func(p *program) (*contentDifference, error) {
				return contentDiffCmd{}.show(p, s, built.draft.base, built.taxes)
			})
		}
		if err := note(p, s, models.AuditActivate, "content_source", source.State); err != nil {
			return err
		}
		return tell(p, c.jsonFlag, func(p *program) (*listedSource, error) {
			f.out = p.stdout
			if err := f.apply(p.ctx, &source, built, "Accepted by the operator."); err != nil {
				return nil, err
			}
			return new(newListedSource(&source)), nil
		})
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
