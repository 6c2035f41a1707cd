package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/opencontainers/image-spec/schema"
	"github.com/stretchr/testify/require"
)

// extract unpacks an archive into a folder, with the rights of its files, but not their owners.
func extract(t *testing.T, from io.Reader, folder string) (owners map[string]int) {
	t.Helper()
	owners = map[string]int{}
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return owners
		}
		require.NoError(t, err)
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		owners[filepath.Clean("/"+header.Name)] = header.Uid
		if header.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		content, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, os.FileMode(header.Mode).Perm()))
	}
}

// The image keeps to the schemas of OCI, has both architectures, and its program starts without anything else around it.
func TestTheImage(t *testing.T) {
	r := made(t)
	folder := t.TempDir()
	file, err := os.Open(r.at("levy-" + testVersion + "-image-oci.tar"))
	require.NoError(t, err)
	defer file.Close()
	extract(t, file, folder)

	valid := func(validator schema.Validator, content []byte) {
		t.Helper()
		require.NoError(t, validator.Validate(bytes.NewReader(content)), string(content))
	}
	read := func(name string) []byte {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		return content
	}
	valid(schema.ValidatorMediaTypeLayoutHeader, read("oci-layout"))
	valid(schema.ValidatorMediaTypeImageIndex, read("index.json"))
	outer, err := layout.ImageIndexFromPath(folder)
	require.NoError(t, err)
	top, err := outer.IndexManifest()
	require.NoError(t, err)
	require.Len(t, top.Manifests, 1)
	require.Equal(t, "levy:1.2.3-4-gabcdef0", top.Manifests[0].Annotations["org.opencontainers.image.ref.name"])
	index, err := outer.ImageIndex(top.Manifests[0].Digest)
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	raw, err := index.RawManifest()
	require.NoError(t, err)
	valid(schema.ValidatorMediaTypeImageIndex, raw)

	platforms, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, platforms.Manifests, 2)
	for i, architecture := range architectures {
		require.Equal(t, "linux/"+architecture, platforms.Manifests[i].Platform.String())
		image, err := index.Image(platforms.Manifests[i].Digest)
		require.NoError(t, err)
		raw, err := image.RawManifest()
		require.NoError(t, err)
		valid(schema.ValidatorMediaTypeManifest, raw)
		raw, err = image.RawConfigFile()
		require.NoError(t, err)
		valid(schema.ValidatorMediaTypeImageConfig, raw)
		config, err := image.ConfigFile()
		require.NoError(t, err)
		require.Equal(t, architecture, config.Architecture)
		require.Equal(t, "65532", config.Config.User)
		require.Equal(t, r.commit, config.Config.Labels["org.opencontainers.image.revision"])
		require.True(t, r.time.Equal(config.Created.Time))
		if architecture != runtime.GOARCH {
			continue
		}
		root := t.TempDir()
		owners := extract(t, mutate.Extract(image), root)
		require.Equal(t, user, owners["/home/nonroot"])
		require.Zero(t, owners["/levy"])
		startIn(t, root, config.Config.Entrypoint[0])

		content, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
		require.NoError(t, err)
		require.True(t, x509.NewCertPool().AppendCertsFromPEM(content))
		require.Greater(t, bytes.Count(content, []byte("BEGIN CERTIFICATE")), 80)
		zone, err := os.ReadFile(filepath.Join(root, "usr/share/zoneinfo/America/New_York"))
		require.NoError(t, err)
		newYork, err := time.LoadLocationFromTZData("America/New_York", zone)
		require.NoError(t, err)
		require.Equal(t, 8, time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).In(newYork).Hour())
		for _, name := range []string{"etc/passwd", "LICENSE", "THIRD_PARTY_NOTICES.txt"} {
			require.FileExists(t, filepath.Join(root, name))
		}
	}
}

// The image that Docker builds of a release has the same settings.
func TestBothImagesHaveTheSameSettings(t *testing.T) {
	r := made(t)
	image, err := r.imageFor(runtime.GOARCH, static.NewLayer(nil, types.OCILayer))
	require.NoError(t, err)
	file, err := image.ConfigFile()
	require.NoError(t, err)
	config, health := file.Config, file.Config.Healthcheck
	settings := slices.DeleteFunc(config.Env, func(one string) bool { return !strings.HasPrefix(one, "LEVY_") })
	var ports []string
	for _, port := range slices.Sorted(maps.Keys(config.ExposedPorts)) {
		ports = append(ports, strings.TrimSuffix(port, "/tcp"))
	}
	content, err := os.ReadFile(filepath.Join(r.root, "deploy", "Dockerfile.release"))
	require.NoError(t, err)
	require.Contains(t, string(content), "ENV "+strings.Join(settings, " ")+"\nEXPOSE "+strings.Join(ports, " ")+fmt.Sprintf(
		"\nHEALTHCHECK --interval=%s --timeout=%s --start-period=%s --retries=%d CMD [%q, %q]\nENTRYPOINT [%q]\nCMD [%q]\n",
		health.Interval, health.Timeout, health.StartPeriod, health.Retries, health.Test[1], health.Test[2],
		config.Entrypoint[0], config.Cmd[0]))
}

// startIn starts the program of an image, as its user with the image as root where this user may do that.
func startIn(t *testing.T, root, program string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "version")
	if os.Getuid() == 0 {
		require.NoError(t, os.Chmod(root, 0o755)) // of a folder that only its maker may enter
		require.NoError(t, os.Chmod(filepath.Dir(root), 0o755))
		command.Dir = "/"
		command.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}
	} else {
		command.Path = filepath.Join(root, program)
	}
	command.Env = []string{}
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "levy "+testVersion+" go1.")
}
