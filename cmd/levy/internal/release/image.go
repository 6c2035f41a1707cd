package main

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"time"
)

// imageContext packs the files that `docker build` needs for an image of Linux on either architecture, without a
// compiler. These are the programs, the Dockerfile that chooses one of them, and the licences.
func imageContext(out, name, version string, targets []target, at time.Time) (err error) {
	file, err := os.Create(filepath.Join(out, name))
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	packed := gzip.NewWriter(file) // without a name and a time of its own
	archive := tar.NewWriter(packed)
	type entry struct {
		as, from string
		mode     int64
	}
	entries := []entry{
		{"Dockerfile", "deploy/Dockerfile.release", 0o644},
		{"LICENSE", "LICENSE", 0o644},
		{"THIRD_PARTY_NOTICES.txt", filepath.Join(out, "THIRD_PARTY_NOTICES.txt"), 0o644},
	}
	for _, t := range targets {
		if t.os == "linux" {
			entries = append(entries, entry{"levy-linux-" + t.arch, filepath.Join(out, "levy-"+version+"-linux-"+t.arch), 0o755})
		}
	}
	for _, entry := range entries {
		content, err := os.ReadFile(entry.from)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: entry.as, Mode: entry.mode, Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return packed.Close()
}
