package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// startProfiles records CPU profiles of processes while a load runs. The function
// it returns waits for them.
func (b *bench) startProfiles(
	ctx context.Context, name string, during time.Duration, commands ...string,
) (wait func() error) {
	var group errgroup.Group
	if b.Profile != "" {
		for _, command := range commands {
			group.Go(func() error { return b.profile(ctx, command, name, during) })
		}
	}
	return group.Wait
}

func (b *bench) profile(ctx context.Context, command, name string, during time.Duration) error {
	return b.keepProfile(ctx, command, name, fmt.Sprintf("profile?seconds=%d", int(during.Seconds())))
}

// keepHeaps keeps what API and worker hold in their heaps, as the collector found it last, and have allocated.
func (b *bench) keepHeaps(ctx context.Context, when string) error {
	if b.Profile == "" {
		return nil
	}
	name := "heap-" + strings.ReplaceAll(when, " ", "-")
	return errors.Join(b.keepProfile(ctx, "api", name, "heap"), b.keepProfile(ctx, "worker", name, "heap"))
}

func (b *bench) keepProfile(ctx context.Context, command, name, path string) error {
	address := fmt.Sprintf("http://%s/debug/pprof/%s", b.privates[command], path)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("profile of %s: %s", command, response.Status)
	}
	if err := os.MkdirAll(b.Profile, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(b.Profile, command+"-"+name+".pprof"))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, response.Body)
	return errors.Join(err, file.Close())
}
