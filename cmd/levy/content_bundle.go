package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"levy/internal/remote"
	"levy/tax/content"
)

// bundleSource is where a bundle comes from: a folder, or an address of one.
type bundleSource struct {
	folder string
	at     *url.URL
	client *http.Client
}

const (
	bundleTimeout   = 2 * time.Minute // for one file
	bundleRedirects = 3
)

// openBundle opens an address or a folder. Errors: an address that others on the way could change.
func openBundle(from string) (bundleSource, error) {
	if !strings.HasPrefix(from, "https://") && !strings.HasPrefix(from, "http://") {
		return bundleSource{folder: from}, nil
	}
	at, err := url.Parse(from)
	if err != nil {
		return bundleSource{}, errors.New("--from is not an address of the web") // the reason would repeat a password
	}
	if at.RawQuery != "" || at.Fragment != "" {
		return bundleSource{}, errors.New("--from is the address of a folder: without ? and #")
	}
	if err := remote.Safe(at); err != nil {
		return bundleSource{}, err
	}
	return bundleSource{at: at, client: &http.Client{
		Timeout: bundleTimeout,
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			if len(via) > bundleRedirects {
				return fmt.Errorf("more than %d redirects", bundleRedirects)
			}
			return remote.Safe(to.URL)
		},
	}}, nil
}

// String is the source without a password.
func (b bundleSource) String() string {
	if b.at == nil {
		return b.folder
	}
	at := *b.at
	at.User = nil
	return at.String()
}

// read reads one file of the bundle of at most so many bytes.
func (b bundleSource) read(ctx context.Context, name string, most int64) (text []byte, err error) {
	in, err := b.open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", name, b, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if text, err = io.ReadAll(io.LimitReader(in, most+1)); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", name, b, err)
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%w: %s of %s has more than the %d bytes that are allowed", content.ErrBundle, name, b, most)
	}
	return text, nil
}

func (b bundleSource) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if b.at == nil {
		return os.Open(filepath.Join(b.folder, name))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.at.JoinPath(name).String(), http.NoBody)
	if err != nil {
		return nil, errors.New("not an address")
	}
	answer, err := b.client.Do(req)
	if err != nil {
		var outer *url.Error // repeats the address, with what may be a password
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the server answers %s", answer.Status), answer.Body.Close())
	}
	return answer.Body, nil
}
