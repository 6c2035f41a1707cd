package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// startProfiles records CPU profiles of processes while a load runs. The function
// it returns waits for them.
func (b *bench) startProfiles(ctx context.Context, name string, during time.Duration, commands ...string) (wait func() error) {
	var group errgroup.Group
	if b.Profile != "" {
		for _, command := range commands {
			group.Go(func() error { return b.profile(ctx, command, name, during) })
		}
	}
	return group.Wait
}

func (b *bench) profile(ctx context.Context, command, name string, during time.Duration) error {
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", b.privates[command], int(during.Seconds()))
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
