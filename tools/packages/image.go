package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user of the image, as in images that are made by Docker.
const user = 65532

// image writes the image of all architectures as an archive of an OCI layout.
func (r release) image(architectures []string) error {
	base, err := r.base()
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range architectures {
		image, err := r.imageFor(architecture, base)
		if err != nil {
			return fmt.Errorf("%s: %w", architecture, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "linux", Architecture: architecture},
		}})
	}
	index = mutate.Annotations(index, r.labels()).(v1.ImageIndex)

	folder, err := os.MkdirTemp("", "levy-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	written, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	// Engines take the name of an archive's image from this annotation.
	name := "levy:" + strings.TrimPrefix(r.version, "v")
	if err := written.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": name, "io.containerd.image.name": "docker.io/library/" + name,
	})); err != nil {
		return err
	}
	return r.archive(folder, "levy-"+r.version+"-image-oci.tar")
}

func (r release) labels() map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       "Levy",
		"org.opencontainers.image.description": "Self-hosted sales-tax compliance engine",
		"org.opencontainers.image.version":     strings.TrimPrefix(r.version, "v"),
		"org.opencontainers.image.revision":    r.commit,
		"org.opencontainers.image.created":     r.time.Format(time.RFC3339),
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.vendor":      r.maintainer,
	}
}

// imageFor is the image of one architecture: what all of them share, then the program.
func (r release) imageFor(architecture string, base v1.Layer) (v1.Image, error) {
	program, err := os.ReadFile(r.at(r.programFor(architecture)))
	if err != nil {
		return nil, err
	}
	top, err := r.layer([]entry{{name: "levy", content: program, mode: 0o755}})
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	created := v1.Time{Time: r.time}
	image, err = mutate.Append(image,
		mutate.Addendum{Layer: base, History: v1.History{Created: created, CreatedBy: "certificates, time zones, a user"}},
		mutate.Addendum{Layer: top, History: v1.History{Created: created, CreatedBy: "levy " + r.version}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.Created, config.OS, config.Architecture = created, "linux", architecture
	config.Config = v1.Config{
		User: fmt.Sprint(user), WorkingDir: "/home/nonroot", Entrypoint: []string{"/levy"}, Cmd: []string{"api"},
		// The API is public; metrics and readiness are for the operator.
		Env: []string{
			"PATH=/", "HOME=/home/nonroot", "LEVY_HTTP_ADDR=0.0.0.0:8080", "LEVY_PRIVATE_ADDR=0.0.0.0:9180",
		},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "9180/tcp": {}},
		Labels:       r.labels(),
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/levy", "ready"}, Interval: 5 * time.Second, Timeout: 5 * time.Second,
			StartPeriod: 30 * time.Second, Retries: 6,
		},
	}
	return mutate.ConfigFile(image, config)
}

// entry is a file of an archive, or a folder without content.
type entry struct {
	name    string
	content []byte
	mode    fs.FileMode
	owner   int
	folder  bool
}

// base is the layer of files that are no program.
func (r release) base() (v1.Layer, error) {
	entries := []entry{
		{name: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil,
			"root:x:0:0:root:/:/sbin/nologin\nnonroot:x:%d:%d:nonroot:/home/nonroot:/sbin/nologin\n", user, user)},
		{name: "etc/group", mode: 0o644, content: fmt.Appendf(nil, "root:x:0:\nnonroot:x:%d:\n", user)},
		{name: "etc/ssl/certs/ca-certificates.crt", content: certificates(), mode: 0o644},
		{name: "home/nonroot", folder: true, mode: 0o700, owner: user},
		{name: "tmp", folder: true, mode: 0o777 | fs.ModeSticky},
	}
	for name, from := range map[string]string{
		"LICENSE": filepath.Join(r.root, "LICENSE"), "THIRD_PARTY_NOTICES.txt": r.at("THIRD_PARTY_NOTICES.txt"),
	} {
		content, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: name, content: content, mode: 0o644})
	}
	zones, err := zones()
	if err != nil {
		return nil, err
	}
	return r.layer(append(entries, zones...))
}

// certificates are the roots that Mozilla trusts without a condition, from a module of Go: those of this machine would
// differ from those of another one.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return b.Bytes()
}

// zones are the time zones of the Go that builds.
func zones() (entries []entry, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	for _, file := range archive.File {
		if strings.HasSuffix(file.Name, "/") {
			continue
		}
		content, err := fs.ReadFile(archive, file.Name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: "usr/share/zoneinfo/" + file.Name, content: content, mode: 0o644})
	}
	return entries, nil
}

// layer packs entries in the order of their names, each after its folders.
func (r release) layer(entries []entry) (v1.Layer, error) {
	known := map[string]bool{".": true}
	for _, e := range entries {
		known[e.name] = true
	}
	for _, e := range slices.Clone(entries) {
		for folder := path.Dir(e.name); !known[folder]; folder = path.Dir(folder) {
			known[folder] = true
			entries = append(entries, entry{name: folder, mode: 0o755, folder: true})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	archive := tar.NewWriter(&b)
	for _, e := range entries {
		if err := r.write(archive, e); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
}

// write writes an entry into an archive.
func (r release) write(archive *tar.Writer, e entry) error {
	header := &tar.Header{
		Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.content)), Mode: int64(e.mode.Perm()), Uid: e.owner, Gid: e.owner,
		ModTime: r.time,
	}
	if e.folder {
		header.Typeflag, header.Name = tar.TypeDir, e.name+"/"
	}
	if e.mode&fs.ModeSticky != 0 {
		header.Mode |= 0o1000
	}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err := archive.Write(e.content)
	return err
}

// archive packs a folder into a file of the release.
func (r release) archive(folder, name string) error {
	file, err := os.Create(r.at(name))
	if err != nil {
		return err
	}
	defer file.Close()
	archive := tar.NewWriter(file)
	err = filepath.WalkDir(folder, func(at string, found fs.DirEntry, err error) error {
		if err != nil || at == folder {
			return err
		}
		inside, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(inside), mode: 0o755, folder: found.IsDir()}
		if !e.folder {
			e.mode = 0o644
			if e.content, err = os.ReadFile(at); err != nil {
				return err
			}
		}
		return r.write(archive, e)
	})
	if err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}
