package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"levy/internal/progress"
	"levy/internal/remote"
	"levy/models"
	"levy/tax/content"
)

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
		p := progress.Begin(f.progress, "Fetching "+got.files[i].Name, progress.Bytes, 0)
		done := int64(0)
		file, err := f.files.For(own[i]).Get(ctx, addresses[i], validators, to, func(n, _ int64) { p.Add(max(0, n-done)); done = n })
		p.End()
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
