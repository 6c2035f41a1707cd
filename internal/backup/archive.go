package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// listFile is the list of PostgreSQL of all files of a backup but the WAL, with their checksums.
const listFile = "backup_manifest"

// fileList is what that list says.
type fileList struct {
	Files []struct {
		Path      string `json:"Path"`
		Encoded   string `json:"Encoded-Path"` // hexadecimal, for a path that is no UTF-8
		Algorithm string `json:"Checksum-Algorithm"`
		Checksum  string `json:"Checksum"`
	} `json:"Files"`
	Ranges []struct {
		Timeline int    `json:"Timeline"`
		Start    string `json:"Start-LSN"`
		End      string `json:"End-LSN"`
	} `json:"WAL-Ranges"`
}

func parseList(raw []byte) (list fileList, err error) {
	if err := json.Unmarshal(raw, &list); err != nil {
		return list, fmt.Errorf("%s: %w", listFile, err)
	}
	return list, nil
}

// archived is what a tar archive of a cluster had.
type archived struct {
	list    fileList
	rawList []byte // as PostgreSQL wrote it
	bytes   int64  // of its files
}

// readArchive reads a tar archive of a cluster to its end and compares every file with the list in it. to is the folder
// that the cluster is put into, which is made; "" keeps nothing.
func readArchive(r io.Reader, to string) (*archived, error) {
	if to != "" {
		if err := os.Mkdir(to, 0o700); err != nil {
			return nil, err
		}
	}
	var done archived
	var rawList bytes.Buffer
	sums := map[string]string{}
	for files := tar.NewReader(r); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		name := path.Clean(head.Name)
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the archive has a file outside of the cluster: %q", head.Name)
		}
		switch head.Typeflag {
		case tar.TypeDir:
			if to != "" {
				err = os.MkdirAll(filepath.Join(to, name), 0o700)
			}
		case tar.TypeReg:
			sum := sha256.New()
			out := io.Writer(sum)
			if name == listFile {
				out = io.MultiWriter(sum, &rawList)
			}
			err = unpackFile(files, out, to, name)
			sums[name] = hex.EncodeToString(sum.Sum(nil))
			done.bytes += head.Size
		default:
			err = fmt.Errorf("%s is neither a file nor a folder: tablespaces are not supported", name)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // the archive ends with zeros
		return nil, err
	}
	if rawList.Len() == 0 {
		return nil, fmt.Errorf("the archive has no %s", listFile)
	}
	var err error
	done.rawList = rawList.Bytes()
	if done.list, err = parseList(done.rawList); err != nil {
		return nil, err
	}
	return &done, done.list.compare(sums)
}

// unpackFile copies a file to out, and to a folder unless that is "".
func unpackFile(from io.Reader, out io.Writer, to, name string) (err error) {
	if to == "" {
		_, err = io.Copy(out, from)
		return err
	}
	target := filepath.Join(to, name)
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = io.Copy(io.MultiWriter(out, file), from)
	return err
}

// compare compares the SHA-256 of files, by path, with the list. The WAL is not in the list.
func (l fileList) compare(sums map[string]string) error {
	listed := map[string]bool{listFile: true}
	for _, file := range l.Files {
		name := file.Path
		if file.Encoded != "" {
			raw, err := hex.DecodeString(file.Encoded)
			if err != nil {
				return fmt.Errorf("%s: %w", listFile, err)
			}
			name = string(raw)
		}
		listed[name] = true
		sum, ok := sums[name]
		switch {
		case !ok:
			return fmt.Errorf("%s is missing", name)
		case file.Algorithm != "SHA256":
			return fmt.Errorf("%s has no SHA-256 in %s", name, listFile)
		case !strings.EqualFold(sum, file.Checksum):
			return fmt.Errorf("%s is not what it was: its checksum differs", name)
		}
	}
	for name := range sums {
		if !listed[name] && !strings.HasPrefix(name, "pg_wal/") {
			return fmt.Errorf("%s is not in %s", name, listFile)
		}
	}
	return nil
}

// compareList compares PostgreSQL's list beside the archive of a backup with the one in the archive. A restore reads the latter. By
// the former a server says what has changed since: another list would make a wrong incremental backup.
func compareList(ctx context.Context, place Place, name string, inArchive []byte) error {
	beside, err := place.List(ctx, name)
	switch {
	case errors.Is(err, ErrNoList):
		return damaged(err)
	// guard: backups: a list that was changed is told before a backup rests on it
	case err == nil && !bytes.Equal(beside, inArchive):
		return damaged(fmt.Errorf("%s beside the archive is not what was written: it differs from the one in the archive",
			place.Address(name)+"/"+listFile))
	}
	return err
}
